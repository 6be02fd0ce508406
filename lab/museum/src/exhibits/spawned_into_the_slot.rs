//! A task that spawns another one and blocks its thread until that one is done, on tokio itself.
//!
//! The spawned task is in the slot of the worker that is blocked, and no other worker may take it from there. So it makes
//! no difference that a second worker has nothing to do.

use std::future::Future;

use tokio::{
    runtime::Builder,
    task::{self, JoinHandle},
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "spawned-into-the-slot",
    title: "a task blocks for one that it has spawned, beside a free worker",
    was_in: "programs of users on tokio, whose slot cannot be stolen from: tokio-rs/tokio#4941. From 1.51.0 it could \
             (#7431), and since 1.51.2 and 1.52.2 it cannot again (#8100)",
    breaks: "With two workers, a task may spawn another task and block its thread until that task has run.",
    chapter: 10,
    fails: Fails::Hangs("is inside poll"),
    why: "tokio keeps a spawned task for its own worker, because that one runs it soonest. It does not, if its \
          thread sleeps inside the poll of the task that spawned it. The fixed version says beforehand that it \
          will block: tokio then puts what is in the slot into the queue, and has another thread do the work of \
          this worker. If you can await the handle instead, do that.",
    passes: "a task from outside is done; parent has its 42",
    broken: || show(parent_broken()),
    repaired: || show(parent_repaired()),
};

// ANCHOR: broken
async fn parent_broken() -> u32 {
    let child = task::spawn(async { 42 });
    wait_for(child)
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn parent_repaired() -> u32 {
    let child = task::spawn(async { 42 });
    task::block_in_place(|| wait_for(child))
}
// ANCHOR_END: repaired

/// Blocks the thread, as a function does that is not async.
fn wait_for(child: JoinHandle<u32>) -> u32 {
    pollster04::block_on(child).unwrap()
}

fn show(parent: impl Future<Output = u32> + Send + 'static) {
    let tokio = Builder::new_multi_thread().worker_threads(2).build();
    let tokio = tokio.expect("two threads");
    let parent = tokio.spawn(probe::watch("parent", parent));
    tokio.block_on(async {
        task::spawn(async {}).await.unwrap();
        print!("a task from outside is done");
        println!("; parent has its {}", parent.await.unwrap());
    });
}
