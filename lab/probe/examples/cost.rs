//! What watching costs: tasks on one thread, spawned by tokio or through this crate.
//!
//! Count the instructions of both, of the function that is measured alone, and compare them:
//!
//! ```sh
//! cargo build --release -p why-pending --features tokio --example cost
//! for by in tokio why_pending; do
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*measured*' target/release/examples/cost $by at-once
//! done
//! ```

use std::{env, future::poll_fn, hint::black_box, task::Poll, time::Duration};

use why_pending::{tokio as watched, within_async};

const TASKS: usize = 4_000;
const POLLS: usize = 100;

async fn gives_way(times: usize) -> usize {
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(times);
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

macro_rules! workload {
    ($name:ident, $tokio:ident) => {
        async fn $name(workload: &str) {
            let run = async |tasks: usize, polls: usize| {
                let tasks: Vec<_> = (0..tasks)
                    .map(|_| $tokio::spawn(gives_way(polls)))
                    .collect();
                for task in tasks {
                    black_box(task.await.unwrap());
                }
            };
            match workload {
                "at-once" => run(TASKS, 0).await,
                "pending-once" => run(TASKS, 1).await,
                "polls" => run(TASKS / POLLS, POLLS).await,
                "one-at-a-time" => {
                    for _ in 0..TASKS {
                        run(1, 0).await;
                    }
                }
                other => panic!("no workload {other:?}"),
            }
        }
    };
}

workload!(with_tokio, tokio);
workload!(with_why_pending, watched);

#[inline(never)]
fn measured(runtime: &tokio::runtime::Runtime, future: impl Future<Output = ()>) {
    runtime.block_on(future);
}

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [by, workload] = &arguments[..] else {
        panic!("cost tokio|why_pending at-once|pending-once|polls|one-at-a-time");
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    match &by[..] {
        "tokio" => measured(&runtime, with_tokio(workload)),
        _ => measured(
            &runtime,
            within_async(Duration::from_secs(60), with_why_pending(workload)),
        ),
    }
}
