//! A runtime that is dropped drops its tasks, and takes no more.

use std::{
    future::{pending, poll_fn},
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::{Poll, Waker},
    thread,
};

use futures_channel::oneshot;

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime, Spawn, Unsupported, caught,
    fault::Fault,
    fixtures::{
        LatestWaker, Number, assert_dropped_once, comes_true, counted, until, wake_elsewhere,
    },
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "dropped_unrun",
        edition: Edition::E1,
        rule: "A runtime that is dropped before it runs drops its tasks.",
        why: "Whether a task's resources are released must not depend on whether the task was ever polled.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            dropped_unrun,
            &[(Fault::ForgetsTheUnrun, "3 of 3 futures were not dropped")],
        ),
    },
    Clause {
        name: "dropped_at_shutdown",
        edition: Edition::E1,
        rule: "A runtime that is dropped drops its pending tasks, even if their wakers still exist.",
        why: "A waker is kept by a timer or a socket, and the task owns that timer or socket. If wakers own tasks too, that is a cycle.",
        level: Level::Ecosystem,
        choice: Some(
            "Where wakers own the tasks, and the runtime does not, a task lives as long as its wakers.",
        ),
        check: Check::Runtime(
            dropped_at_shutdown,
            &[
                (
                    Fault::LeavesTasksToTheirWakers,
                    "3 of 3 futures were not dropped",
                ),
                (Fault::RunsNothing, "tasks were polled"),
                (Fault::PanicsAfterTheEnd, "the executor is gone"),
                (Fault::PanicsAfterTheEndByValue, "the wake panicked"),
            ],
        ),
    },
    Clause {
        name: "spawned_after_the_end",
        edition: Edition::E1,
        rule: "A task that is spawned when the runtime is gone is dropped without being polled.",
        why: "A handle may outlive its runtime, and then there is no thread left that could run the task.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            spawned_after_the_end,
            &[
                (
                    Fault::KeepsWhatIsSpawnedLate,
                    "2 of 2 futures were not dropped",
                ),
                (Fault::PollsWhatIsSpawnedLate, "polls of what came too late"),
            ],
        ),
    },
    Clause {
        name: "spawned_while_it_is_dropped",
        edition: Edition::E6,
        rule: "What a thread spawns while the runtime is being dropped is dropped too, sooner or later.",
        why: "The runtime says that it is closed and empties its queue. A task that comes between the two lies in a queue that nobody empties any more.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            spawned_while_it_is_dropped,
            &[
                (Fault::ClosesInTwoSteps, "futures were not dropped once"),
                (
                    Fault::KeepsWhatIsSpawnedLate,
                    "futures were not dropped once",
                ),
            ],
        ),
    },
    Clause {
        name: "woken_while_it_is_dropped",
        edition: Edition::E3,
        rule: "Threads may wake tasks while their executor is being dropped.",
        why: "A timer or a socket does not know that the executor is going, and it may call a waker at any moment of that.",
        level: Level::ANY_THREAD,
        choice: None,
        check: Check::Runtime(
            woken_while_it_is_dropped,
            &[
                (Fault::PanicsAsItEnds, "a wake panicked: the executor ends"),
                (Fault::ForgetsWhatWaits, "4 of 4 futures were not dropped"),
            ],
        ),
    },
];

/// A destructor that goes on until another thread has done something a few times meanwhile.
struct UntilOthersAct(Arc<Number>);

impl Drop for UntilOthersAct {
    fn drop(&mut self) {
        let before = self.0.get();
        // Where a wake or a spawn waits for this destructor, nothing goes on, and that ends it too.
        let _ = comes_true(|| self.0.get() > before + 8);
    }
}

/// Another thread wakes four tasks again and again, and the runtime is dropped meanwhile.
pub fn woken_while_it_is_dropped(runtime: &'static dyn Runtime) -> Answer {
    let (wakes, over) = (
        Arc::new(Number::default()),
        Arc::new(AtomicBool::new(false)),
    );
    let latest = [(); 4].map(|()| LatestWaker::default());
    let tasks = latest.iter().cloned().map(|latest| {
        let destructor = UntilOthersAct(wakes.clone());
        counted(poll_fn(move |cx| {
            let _held = &destructor;
            latest.leave(cx);
            Poll::Pending
        }))
    });
    let (tasks, counts): (Vec<_>, Vec<_>) = tasks.unzip();
    let all_wait = latest.clone().map(|latest| move || latest.get().is_some());
    let ends = over.clone();
    let wakes = thread::spawn(move || {
        let mut woken = Ok(());
        while !ends.load(SeqCst) {
            for latest in &latest {
                let wake = caught(AssertUnwindSafe(|| latest.wake()));
                woken = woken.and(wake);
                wakes.add_one();
            }
            thread::yield_now();
        }
        woken
    });
    let stopped = runtime.stop(
        Box::new(|_| tasks),
        Box::pin(async move {
            let _ = until(move || all_wait.iter().all(|waits| waits())).await;
        }),
    );
    over.store(true, SeqCst);
    let woken = wakes.join().expect("it catches panics");
    stopped?;
    woken.unwrap_or_else(|message| panic!("a wake panicked: {message}"));
    assert_dropped_once(&counts);
    Ok(())
}

/// Another thread spawns, again and again, and the runtime is dropped meanwhile.
pub fn spawned_while_it_is_dropped(runtime: &'static dyn Runtime) -> Answer {
    let (give, given) = mpsc::channel::<Spawn>();
    let (spawned, over) = (
        Arc::new(Number::default()),
        Arc::new(AtomicBool::new(false)),
    );
    let (counts, ends) = (spawned.clone(), over.clone());
    let spawns = thread::spawn(move || {
        let spawn = given.recv().map_err(|_| Unsupported)?;
        let mut all = Vec::new();
        while !ends.load(SeqCst) {
            let (task, its_counts) = counted(pending());
            all.push(its_counts);
            spawn(task)?;
            counts.add_one();
            thread::yield_now();
        }
        Ok(all)
    });
    let destructor = UntilOthersAct(spawned.clone());
    let (waits, _) = counted(poll_fn(move |_| {
        let _held = &destructor;
        Poll::Pending
    }));
    let stopped = runtime.stop(
        Box::new(move |spawn| {
            let _ = give.send(spawn);
            vec![waits]
        }),
        Box::pin(async move {
            let _ = until(move || spawned.get() > 8).await;
        }),
    );
    over.store(true, SeqCst);
    let all = spawns.join().expect("to spawn does not panic");
    stopped?;
    assert_dropped_once(&all?);
    Ok(())
}

/// Three tasks are spawned, and the runtime is dropped.
pub fn dropped_unrun(runtime: &'static dyn Runtime) -> Answer {
    let (tasks, counts): (Vec<_>, Vec<_>) = (0..3).map(|_| counted(pending())).unzip();
    runtime.drop_unrun(Box::new(|_| tasks))?;
    assert_dropped_once(&counts);
    Ok(())
}

/// Three tasks are polled, leave their wakers with the test, and wait. Then the runtime is dropped, and they are woken in
/// three ways.
pub fn dropped_at_shutdown(runtime: &'static dyn Runtime) -> Answer {
    let (keep, kept) = mpsc::channel();
    let (polled, all_polled): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel::<()>()).unzip();
    let (tasks, counts): (Vec<_>, Vec<_>) = polled
        .into_iter()
        .map(|polled| {
            let (keep, mut polled) = (keep.clone(), Some(polled));
            counted(poll_fn(move |cx| {
                if let Some(polled) = polled.take() {
                    let _ = keep.send(cx.waker().clone());
                    let _ = polled.send(());
                }
                Poll::Pending
            }))
        })
        .unzip();
    let (until, _) = counted(async {
        for polled in all_polled {
            let _ = polled.await;
        }
    });
    runtime.stop(Box::new(|_| tasks), until)?;
    let wakers: Vec<Waker> = kept.try_iter().collect();
    assert_eq!(wakers.len(), 3, "tasks were polled");
    assert_dropped_once(&counts);
    wakers.iter().for_each(Waker::wake_by_ref);
    wakers.iter().for_each(wake_elsewhere);
    wakers.into_iter().for_each(Waker::wake);
    Ok(())
}

/// A runtime is dropped, and then two tasks are spawned: one here, and one on another thread.
pub fn spawned_after_the_end(runtime: &'static dyn Runtime) -> Answer {
    let (keep, kept) = mpsc::channel();
    runtime.drop_unrun(Box::new(move |spawn| {
        let _ = keep.send(spawn);
        Vec::new()
    }))?;
    let spawn = kept.recv().expect("the tasks were made");
    let ((here, first), (there, second)) = (counted(async {}), counted(async {}));
    spawn(here)?;
    // Some handles don't leave their thread. Then the task is dropped, which is all that is asked for.
    thread::scope(|scope| drop(scope.spawn(|| spawn(there))));
    let polls = [first.polls(), second.polls()];
    assert_dropped_once(&[first, second]);
    assert_eq!(polls, [0, 0], "polls of what came too late");
    Ok(())
}
