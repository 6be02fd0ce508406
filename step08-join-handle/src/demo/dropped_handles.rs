//! Dropping a handle detaches its task, and dropping a set aborts its tasks.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::{
    channel::oneshot,
    future::{FutureExt, Shared},
};
use step08_join_handle::{JoinSet, Runtime};

use super::aborts::one_turn;

const TASKS: usize = 100;

pub fn show() {
    println!("6. {TASKS} tasks wait for a message. Their handles are dropped. How many get it?");
    let (runtime, gate) = (Runtime::new(1), Gate::new());
    let handles: Vec<_> = (0..TASKS).map(|_| runtime.spawn(gate.wait())).collect();
    one_turn(&runtime);
    drop(handles);
    println!(
        "   a JoinHandle for each, whose drop detaches its task: {}",
        gate.open(&runtime)
    );

    let gate = Gate::new();
    let mut set = JoinSet::new();
    runtime.block_on(async { (0..TASKS).for_each(|_| set.spawn(gate.wait())) });
    one_turn(&runtime);
    drop(set);
    println!(
        "   a JoinSet for all, whose drop aborts its tasks: {}",
        gate.open(&runtime)
    );
}

/// What the tasks wait for.
struct Gate {
    opened: Shared<oneshot::Receiver<()>>,
    open: oneshot::Sender<()>,
    /// How many tasks have come to their end.
    ended: Arc<AtomicUsize>,
}

impl Gate {
    fn new() -> Gate {
        let (open, opened) = oneshot::channel();
        Gate {
            opened: opened.shared(),
            open,
            ended: Arc::default(),
        }
    }

    /// A task that waits, and is counted when it comes to its end.
    fn wait(&self) -> impl Future<Output = ()> + use<> {
        let (opened, ended) = (self.opened.clone(), Arc::clone(&self.ended));
        async move {
            // It is an error if the gate was dropped, but this demo opens it first.
            let _ = opened.await;
            ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Lets the tasks go on, and returns how many have come to their end.
    fn open(self, runtime: &Runtime) -> usize {
        // It is an error if no task waits any more, as after the drop of the set.
        let _ = self.open.send(());
        one_turn(runtime);
        self.ended.load(Ordering::Relaxed)
    }
}
