//! How often futures are polled and dropped, and what their handles say.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::executor::block_on;
use step08_join_handle::{JoinHandle, Polls};

/// How often futures are polled and dropped.
#[derive(Default)]
pub struct Counts {
    polls: Polls,
    drops: Arc<AtomicUsize>,
}

impl Counts {
    /// Wraps a future so that its polls are counted, and its drop.
    pub fn of<F: Future<Output = u32>>(&self, future: F) -> impl Future<Output = u32> + use<F> {
        let counted = CountedDrop(Arc::clone(&self.drops));
        self.polls.count(async move {
            let _counted = counted;
            future.await
        })
    }

    /// The number of these futures that have been dropped.
    pub fn dropped(&self) -> usize {
        self.drops.load(Ordering::Relaxed)
    }

    /// Waits for the task, and prints what its handle says.
    pub fn show(&self, state: &str, handle: JoinHandle<u32>) {
        let says = match block_on(handle) {
            Ok(output) => format!("the output is {output}"),
            Err(error) => error.to_string(),
        };
        let (polls, drops) = (&self.polls, self.dropped());
        println!("   {state}: {says} (polls: {polls}, drops: {drops})");
    }
}

struct CountedDrop(Arc<AtomicUsize>);

impl Drop for CountedDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
