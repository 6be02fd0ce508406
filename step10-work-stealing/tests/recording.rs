//! The run that the book shows: a worker has nothing to do, and takes half of what another one has in its queue.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use probe::{Lane, Recording, Run, Wording, record, watch};
use step10_work_stealing::{JoinHandle, Runtime, Version, spawn};

const WORKER_1: &str = "worker 1";
const WORKER_2: &str = "worker 2";

/// In the order in which they are spawned.
const TASKS: &[&str] = &["a", "b", "c", "d"];

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    STEAL.check();
}

const STEAL: Run = Run {
    name: "run-10-steal",
    title: "A worker steals half of another one's queue",
    caption: "Worker 1 is busy, and in its queue are four tasks, which its task has spawned. When worker 2 has nothing \
              more to do, it takes the two at the front: it polls one, and puts the other one into its own queue. So both \
              workers have something to do when worker 1 is free again, and neither touches the queue of the other.",
    threads: &["main", WORKER_1, WORKER_2],
    lanes: &[
        Lane::Thread("main", "main"),
        Lane::Thread(WORKER_1, "worker 1"),
        Lane::OwnQueue(WORKER_1, TASKS, "its queue: 1 `a`, 2 `b`, 3 `c`, 4 `d`"),
        Lane::OwnQueue(WORKER_2, TASKS, "worker 2's queue"),
        Lane::Thread(WORKER_2, "worker 2"),
    ],
    wording: Wording::Polls,
    most: usize::MAX,
    record: steal,
};

fn steal() -> Recording {
    record(|| {
        // Without a slot, so that all four are in the queue.
        let runtime = Runtime::with_version(2, Version::Stealing);
        let [other_is_polled, spawned, stolen, b, c, d] = [(); 6].map(|()| Flag::default());
        let (polled, is_polled) = mpsc::channel();
        let busy = {
            let (other_is_polled, spawned) = (other_is_polled.clone(), spawned.clone());
            async move {
                polled.send(()).expect("main waits for it");
                other_is_polled.wait();
                let tasks = [
                    task("a", stolen.clone(), c.clone()),
                    task("b", b.clone(), d.clone()),
                    task("c", c, b),
                    last_task("d", d),
                ];
                spawned.set();
                stolen.wait();
                tasks
            }
        };
        let busy = runtime.spawn(watch("busy", busy));
        is_polled.recv().expect("worker 1 polls it");
        let other = async move {
            other_is_polled.set();
            spawned.wait();
        };
        let other = runtime.spawn(watch("other", other));
        runtime.block_on(async {
            other.await.expect("it does not panic");
            for task in busy.await.expect("it does not panic") {
                task.await.expect("it does not panic");
            }
        });
        // The recording doesn't see a steal, but the workers count theirs, and the picture must say the same.
        let counts = runtime.metrics();
        let mut steals: Vec<_> = counts.iter().map(|it| (it.steals, it.stolen)).collect();
        steals.sort_unstable();
        assert_eq!(steals, [(0, 0), (1, 2)], "one steal, of half of the tasks");
    })
}

/// Spawns a task that sets a flag and then computes until another one is set.
fn task(name: &str, begun: Flag, end: Flag) -> JoinHandle<()> {
    spawn(watch(name, async move {
        begun.set();
        end.wait();
    }))
}

/// The same, but it ends when the other tasks have ended.
fn last_task(name: &str, begun: Flag) -> JoinHandle<()> {
    spawn(watch(name, async move {
        begun.set();
        let end = Instant::now() + SHORT;
        while Instant::now() < end {
            thread::yield_now();
        }
    }))
}

/// What a worker waits for without a sleep, so that the picture shows it busy.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn wait(&self) {
        while !self.0.load(Ordering::Acquire) {
            thread::yield_now();
        }
    }
}
