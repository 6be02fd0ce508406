//! How fast the runtime of s10d is, beside tokio: `cargo figures`. With `--features solution`, the worked answer's.

#![allow(
    private_interfaces,
    reason = "the learner's file has them too, and says what they are there"
)]

#[cfg_attr(
    feature = "solution",
    path = "../solutions/10_work_stealing/s10d_your_own_workers.rs"
)]
#[cfg_attr(
    not(feature = "solution"),
    path = "../exercises/10_work_stealing/s10d_your_own_workers.rs"
)]
mod mine;

use futures::FutureExt;
use mine::given::Mine;
use std::{
    future::Future,
    sync::mpsc,
    time::{Duration, Instant},
};

const ROUNDS: usize = 10;
const STEPS: u32 = 100_000;
/// In nanoseconds.
const AIM: u128 = 600;
/// Thousands of times what a round takes.
const STUCK: Duration = Duration::from_secs(30);

trait Job: Future<Output = ()> + Send + 'static {}
impl<F: Future<Output = ()> + Send + 'static> Job for F {}

trait Spawner: Clone + Send + Sync + 'static {
    fn spawns(&self, job: impl Job) -> impl Job;
}

impl Spawner for Mine {
    fn spawns(&self, job: impl Job) -> impl Job {
        self.spawn(job).map(drop)
    }
}

impl Spawner for tokio::runtime::Handle {
    fn spawns(&self, job: impl Job) -> impl Job {
        self.spawn(job).map(drop)
    }
}

async fn yields(times: u32) {
    for _ in 0..times {
        step08_join_handle::yield_now().await;
    }
}

/// Returns when all of so many tasks are finished, which were spawned at once.
async fn all(spawner: &impl Spawner, tasks: u32, yield_times: u32) {
    let spawn = |_| spawner.spawns(yields(yield_times));
    for task in (0..tasks).map(spawn).collect::<Vec<_>>() {
        task.await;
    }
}

const WORKLOADS: [&str; 3] = [
    "a task, spawned and awaited before the next one",
    "a task, spawned with 1,000 others and awaited after them",
    "a yield, while 100 tasks yield",
];

/// How long one step of this workload takes, in nanoseconds.
fn time(spawner: &impl Spawner, workload: usize) -> u128 {
    let (within, start) = (spawner.clone(), Instant::now());
    let first = async move {
        match workload {
            0 => {
                for _ in 0..STEPS {
                    within.spawns(async {}).await;
                }
            }
            1 => {
                for _ in 0..STEPS / 1_000 {
                    all(&within, 1_000, 0).await;
                }
            }
            _ => all(&within, 100, STEPS / 100).await,
        }
    };
    let (tell, told) = mpsc::channel();
    let _task = spawner.spawns(async move {
        first.await;
        tell.send(()).unwrap();
    });
    told.recv_timeout(STUCK).expect(
        "a task was pushed and is not run: all workers sleep, and a wake was lost. Which two steps of yours can another \
         worker come between?",
    );
    Duration::as_nanos(&(start.elapsed() / STEPS))
}

fn main() {
    println!("Each workload has {STEPS} steps and runs {ROUNDS} times on each runtime, in turn.");
    println!("Both have two workers. The best of the {ROUNDS} rounds counts.\n");
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let (mine, tokio) = (Mine::new(), builder.worker_threads(2).build());
    let tokio = tokio.expect("the system has threads left");
    println!("{:58} {:>8} {:>8}", "nanoseconds for", "mine", "tokio");
    let mut best = [[u128::MAX; 2]; WORKLOADS.len()];
    for (workload, (name, best)) in WORKLOADS.iter().zip(&mut best).enumerate() {
        for _ in 0..ROUNDS {
            best[0] = best[0].min(time(&mine, workload));
            best[1] = best[1].min(time(tokio.handle(), workload));
        }
        println!("{name:58} {:>8} {:>8}", best[0], best[1]);
    }
    let is_reached = if best[0][0] <= AIM {
        "reached, if the tests are green"
    } else {
        "not reached"
    };
    println!("\nThe aim: at most {AIM} in the first line. It is {is_reached}.");
}
