//! Tasks that wait for other tasks by `block_on`, one on each worker.
//!
//! With one such task and two workers it goes well, because the second worker polls the child. So this passes every
//! test with fewer such tasks than workers. The mistake is that of `block-on-in-a-task`, with a pool that hides it.

use std::{future::Future, sync::Arc};

use futures::channel::oneshot::{self, Receiver};

use crate::{
    Breaks, Exhibit, Fails,
    props::{
        Task,
        queue::{Queue, with_workers},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "block-on-every-worker",
    title: "each worker waits in block_on for a task that no worker is left to poll",
    was_in: "programs on document 001 (D16)",
    breaks: Breaks::Rule("a poll does not wait for anything that a worker of the same pool has to poll"),
    chapter: 8,
    fails: Fails::Hangs("is inside poll"),
    why: "both children are in the queue, and both workers sleep inside the polls of their parents. In the twin \
          the parents await the handles: their polls return Pending, and both workers take the children.",
    passes: "both parents have their 42",
    broken: || show(|pool| Box::new(parent_broken(pool))),
    repaired: || show(|pool| Box::new(parent_repaired(pool))),
};

type Pool = Arc<Queue<Arc<Task>>>;
type Parent = Box<dyn Future<Output = u32> + Send>;

// ANCHOR: broken
async fn parent_broken(pool: Pool) -> u32 {
    let child = spawn(&pool, async { 42 });
    pollster04::block_on(child).unwrap()
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn parent_repaired(pool: Pool) -> u32 {
    let child = spawn(&pool, async { 42 });
    child.await.unwrap()
}
// ANCHOR_END: repaired

/// The receiver is the join handle.
fn spawn(pool: &Pool, future: impl Future<Output = u32> + Send + 'static) -> Receiver<u32> {
    let (sender, handle) = oneshot::channel();
    let task = async move {
        let _ = sender.send(future.await);
    };
    let on_wake = Arc::clone(pool);
    let task = Task::new(task, move |task| on_wake.push(task).unwrap());
    pool.push(task).unwrap();
    handle
}

fn show(parent: fn(Pool) -> Parent) {
    let pool = Queue::for_workers(2);
    let [first, second] = ["parent 1", "parent 2"].map(|name| {
        let parent = Box::into_pin(parent(Arc::clone(&pool)));
        spawn(&pool, probe::watch(name, parent))
    });
    let work = || {
        while let Some(task) = pool.pop() {
            task.poll();
        }
    };
    with_workers(&pool, work, || {
        let outputs = pollster04::block_on(async { (first.await, second.await) });
        assert_eq!(outputs, (Ok(42), Ok(42)));
        println!("both parents have their 42");
    });
}
