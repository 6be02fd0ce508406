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

/// Shows both.
pub fn show() {
    println!("6. {TASKS} tasks wait for a message. It is sent after their handles were dropped");
    let (runtime, gate) = (Runtime::new(1), Gate::new());
    let handles: Vec<_> = (0..TASKS).map(|_| runtime.spawn(gate.wait())).collect();
    one_turn(&runtime);
    drop(handles);
    println!(
        "   each in a JoinHandle, which detaches its task: {} tasks reach their end",
        gate.open(&runtime)
    );

    let gate = Gate::new();
    let mut set = JoinSet::new();
    runtime.block_on(async { (0..TASKS).for_each(|_| set.spawn(gate.wait())) });
    one_turn(&runtime);
    drop(set);
    println!(
        "   all in a JoinSet, which aborts its tasks: {} tasks reach their end",
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
