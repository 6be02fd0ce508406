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
    was_in: "programs on tokio, where workers cannot steal from a slot: tokio-rs/tokio#4941. 1.51.0 made it \
             possible (#7431); 1.51.2 and 1.52.2 took it back (#8100)",
    breaks: "With two workers, a task may spawn another task and block its thread until that task has run.",
    chapter: 10,
    fails: Fails::Hangs("is inside poll"),
    why: "tokio keeps a spawned task for the worker that spawned it, because that worker usually polls it \
          soonest. Here the worker never does, because its thread sleeps inside the poll of the parent. The fixed \
          version announces that it will block. tokio then moves the task from the slot into the queue, and \
          another thread takes over as this worker. If you can await the handle instead, do that.",
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
