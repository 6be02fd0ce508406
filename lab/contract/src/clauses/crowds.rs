//! Many tasks that are ready at once, and many threads that wake them.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
    thread,
};

use futures_channel::oneshot;
use probe::Counts;

use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime, Spawn, Unsupported,
    fault::Fault,
    fixtures::{LatestWaker, Number, counted, run_all},
    rest,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "a_thousand_at_once",
        edition: Edition::E6,
        rule: "Of 1,000 tasks that are woken at once, each is polled, and a task that the last of them wakes is polled after that.",
        why: "An executor that polls so many tasks and then looks for something else must come back to the rest, also if no other wake comes.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(
            a_thousand_at_once,
            &[
                (Fault::PollsAFewAndSleeps, "it hangs: a thousand tasks"),
                (Fault::KeepsFewWakesOfAPoll, "it hangs: one task wakes"),
            ],
        ),
    },
    Clause {
        name: "a_storm",
        edition: Edition::E6,
        rule: "When four threads wake 32 tasks in turns, no task misses its last wake.",
        why: "A wake meets a task that is queued, that is being polled, or that is just being put away, and an executor that is just going to sleep. In each case the task must be polled once more.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(a_storm, &[(Fault::GivesUpTheLock, "it hangs")]),
    },
    Clause {
        name: "a_storm_of_spawns",
        edition: Edition::E6,
        rule: "Of the tasks that four threads spawn at once, each is run.",
        why: "A runtime that is told of a task only when its queue was empty before, or only when it seems to be asleep, can be wrong about either.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            a_storm_of_spawns,
            &[
                (Fault::SleepsThroughSpawns, "it hangs"),
                (
                    Fault::RefusesWhatOthersSpawn,
                    "of 200 tasks were dropped, and not run",
                ),
            ],
        ),
    },
];

const CROWD: usize = 1_000;

/// A thousand tasks wait, and are woken in a row: once by another thread, once by the poll of the last of them. Each is ready then, but
/// the first, which the one that is polled last wakes again.
pub fn a_thousand_at_once(runtime: &'static dyn Runtime) -> Answer {
    rest::says("a thousand tasks are run");
    let (tasks, counts): (Vec<_>, Vec<_>) = (0..CROWD).map(|_| counted(async {})).unzip();
    runtime.run(tasks)?;
    if counts.iter().any(|counts| counts.completions() == 0) {
        return Err(Unsupported); // it has no room for so many
    }
    for (by_a_thread, what) in [
        (true, "another thread wakes a thousand tasks"),
        (false, "one task wakes a thousand others in its poll"),
    ] {
        rest::says(what);
        let crowd = Arc::new(Crowd {
            by_a_thread,
            latest: (0..CROWD).map(|_| LatestWaker::default()).collect(),
            waiting: Number::default(),
            may_go: AtomicBool::new(false),
            polled: Number::default(),
            is_over: AtomicBool::new(false),
        });
        let tasks = (0..CROWD).map(|number| crowd.clone().task(number));
        let tasks = tasks.collect();
        drop(crowd); // and so no waker outlives the tasks
        run_all(runtime, tasks)?;
    }
    Ok(())
}

struct Crowd {
    by_a_thread: bool,
    latest: Vec<LatestWaker>,
    waiting: Number,
    may_go: AtomicBool,
    polled: Number,
    is_over: AtomicBool,
}

impl Crowd {
    fn task(self: Arc<Self>, number: usize) -> (BoxFuture, Counts) {
        let (mut waits, mut was_polled) = (false, false);
        counted(poll_fn(move |cx| {
            self.latest[number].leave(cx);
            if !waits {
                waits = true;
                if self.waiting.add_one() == CROWD {
                    self.wake_all();
                }
            } else if self.may_go.load(SeqCst) && !was_polled {
                was_polled = true;
                if self.polled.add_one() == CROWD {
                    self.is_over.store(true, SeqCst);
                    self.latest[0].wake();
                }
            }
            if was_polled && (number > 0 || self.is_over.load(SeqCst)) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        }))
    }

    fn wake_all(self: &Arc<Self>) {
        let all = self.clone();
        let wakes = move || {
            all.may_go.store(true, SeqCst);
            all.latest.iter().for_each(LatestWaker::wake);
        };
        if self.by_a_thread {
            thread::spawn(wakes);
        } else {
            wakes();
        }
    }
}

const THREADS: usize = 4;
const TASKS: usize = 32;
const WAKES: usize = 960;

/// What has been sent to a task.
#[derive(Default)]
struct Mail {
    sent: Number,
    latest: LatestWaker,
}

/// Each thread goes round 32 tasks 30 times, adds one to what a task has been sent, and wakes the task. A task is done when all was sent to
/// it.
pub fn a_storm(runtime: &'static dyn Runtime) -> Answer {
    let mail: Arc<Vec<Mail>> = Arc::new((0..TASKS).map(|_| Mail::default()).collect());
    let start = move |mail: &Arc<Vec<Mail>>| {
        for thread in 0..THREADS {
            let mail = mail.clone();
            thread::spawn(move || {
                for wake in 0..WAKES {
                    let task = &mail[(wake * 7 + thread * 5) % TASKS];
                    task.sent.add_one();
                    task.latest.wake();
                    if wake % 8 == 0 {
                        thread::yield_now();
                    }
                }
            });
        }
    };
    let tasks = (0..TASKS).map(|number| {
        let (mail, mut start) = (mail.clone(), (number == 0).then_some(start));
        counted(poll_fn(move |cx| {
            let mine = &mail[number];
            mine.latest.leave(cx);
            if let Some(start) = start.take() {
                start(&mail);
            }
            match mine.sent.get() {
                sent if sent == THREADS * WAKES / TASKS => Poll::Ready(()),
                _ => Poll::Pending,
            }
        }))
    });
    let tasks = tasks.collect();
    drop(mail); // and so no waker outlives the tasks
    run_all(runtime, tasks)?;
    Ok(())
}

/// So many tasks each of the threads spawns.
const SPAWNS: usize = 50;

/// While the first task waits, four threads spawn 50 tasks each. The first task waits for each of them.
pub fn a_storm_of_spawns(runtime: &'static dyn Runtime) -> Answer {
    let (tell, told) = mpsc::channel();
    runtime.run_spawning(Box::new(move |spawn| {
        Box::pin(async move {
            let _ = tell.send(spawn_from_threads(Arc::new(spawn)).await);
        })
    }))?;
    let dropped = told.recv().expect("the first task is done")?;
    let all = THREADS * SPAWNS;
    assert!(
        dropped == 0,
        "{dropped} of {all} tasks were dropped, and not run"
    );
    Ok(())
}

/// How many were dropped.
async fn spawn_from_threads(spawn: Arc<Spawn>) -> Answer<usize> {
    let (done, all_done): (Vec<_>, Vec<_>) = (0..THREADS * SPAWNS)
        .map(|_| oneshot::channel::<()>())
        .unzip();
    let mut done = done.into_iter();
    let mut spawned = Vec::new();
    for _ in 0..THREADS {
        let (spawn, done) = (
            spawn.clone(),
            done.by_ref().take(SPAWNS).collect::<Vec<_>>(),
        );
        let (tell, told) = oneshot::channel();
        thread::spawn(move || {
            let spawns = done.into_iter().map(|done| {
                spawn(Box::pin(async {
                    let _ = done.send(());
                }))
            });
            let _ = tell.send(spawns.collect::<Answer>());
        });
        spawned.push(told);
    }
    drop(spawn); // some runtimes run as long as anything can spawn
    let mut dropped = 0;
    for done in all_done {
        dropped += usize::from(done.await.is_err());
    }
    // And not before that: until then, only what was spawned wakes this task.
    for spawned in spawned {
        spawned.await.expect("to spawn does not panic")?;
    }
    Ok(dropped)
}
