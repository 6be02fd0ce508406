//! Tasks are run to the end, and then it is over.

use std::{
    future::poll_fn,
    sync::mpsc,
    task::{Poll, Waker},
};

use futures_channel::oneshot;

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{
        A_MOMENT, act, assert_dropped_once, counted, run_all, run_one, wake_elsewhere, woken_after,
        yields,
    },
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "finishes",
        edition: Edition::E1,
        rule: "The executor returns when its tasks are finished, and not before.",
        why: "A pending task is not a finished one, even if there is nothing else left to poll.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            finishes,
            &[(
                Fault::StopsWhenIdle,
                "it returned, and 1 of 1 tasks are not done",
            )],
        ),
    },
    Clause {
        name: "nothing_to_do",
        edition: Edition::E1,
        rule: "Without tasks the executor returns at once.",
        why: "An executor that waits for a first task before it checks whether there is one waits forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            nothing_to_do,
            &[
                (Fault::WaitsForTheFirst, "it hangs"),
                (
                    Fault::PanicsBesides,
                    "a thread panicked, and not because of the test: there is nothing to clean up",
                ),
            ],
        ),
    },
    Clause {
        name: "ten_thousand",
        edition: Edition::E1,
        rule: "Of 10,000 tasks, each is finished.",
        why: "A bounded queue has to do something when it is full, and losing a task is the wrong thing.",
        level: Level::Quality,
        choice: Some(
            "An executor without a heap has room for a fixed number of tasks, and may refuse the next one with an error.",
        ),
        check: Check::Runtime(
            ten_thousand,
            &[
                (Fault::DropsWhenFull, "it hangs"),
                (Fault::RefusesWhenFull, "5904 of 10000 tasks are not done"),
                (
                    Fault::ForgetsWhatIsReady,
                    "10000 of 10000 futures were not dropped",
                ),
            ],
        ),
    },
    Clause {
        name: "waker_outlives",
        edition: Edition::E1,
        rule: "The executor returns even if a waker of a finished task still exists.",
        why: "A timer or a socket may keep the waker of a finished task for as long as it likes.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(waker_outlives, &[(Fault::WaitsForWakers, "it hangs")]),
    },
    Clause {
        name: "wake_after_the_end",
        edition: Edition::E1,
        rule: "A wake after the executor is gone does nothing.",
        why: "The code that wakes cannot know that the executor is gone, so it must not get a panic for it.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            wake_after_the_end,
            &[
                (Fault::PanicsAfterTheEnd, "the executor is gone"),
                (Fault::PanicsAfterTheEndByValue, "the wake panicked"),
            ],
        ),
    },
    Clause {
        name: "wake_after_ready",
        edition: Edition::E1,
        rule: "A task that was ready is not polled again, however often it is woken.",
        why: "A future may panic if it is polled after Ready, and an async block does.",
        level: Level::FINISHED,
        choice: None,
        check: Check::Runtime(
            wake_after_ready,
            &[
                (Fault::PollsWhatWokeItself, "polls after Ready"),
                (Fault::PollsAfterReady, "polls after Ready"),
            ],
        ),
    },
];

/// A task waits for another thread, and is the only one.
pub fn finishes(runtime: &'static dyn Runtime) -> Answer {
    run_one(runtime, woken_after(A_MOMENT))?;
    Ok(())
}

/// Runs no task at all.
pub fn nothing_to_do(runtime: &'static dyn Runtime) -> Answer {
    runtime.run(Vec::new())
}

/// Each of 10,000 tasks yields once.
pub fn ten_thousand(runtime: &'static dyn Runtime) -> Answer {
    let tasks = (0..10_000).map(|_| counted(yields(1))).collect();
    let counts = run_all(runtime, tasks)?;
    assert_dropped_once(&counts);
    Ok(())
}

/// A task gives its waker away and is ready. The waker lives on.
pub fn waker_outlives(runtime: &'static dyn Runtime) -> Answer {
    drop(waker_of_a_finished_task(runtime)?);
    Ok(())
}

/// The waker of a finished task is woken by reference here and by value on another thread.
pub fn wake_after_the_end(runtime: &'static dyn Runtime) -> Answer {
    let waker = waker_of_a_finished_task(runtime)?;
    waker.wake_by_ref();
    wake_elsewhere(&waker);
    Ok(())
}

fn waker_of_a_finished_task(runtime: &'static dyn Runtime) -> Answer<Waker> {
    let (keep, kept) = mpsc::channel();
    run_one(
        runtime,
        act(1, move |waker| {
            waker.wake_by_ref();
            keep.send(waker.clone()).expect("the test receives");
        }),
    )?;
    Ok(kept.recv().expect("the task has been polled"))
}

/// A task is woken in the poll that makes it ready, and later by another task.
pub fn wake_after_ready(runtime: &'static dyn Runtime) -> Answer {
    let (keep, kept) = oneshot::channel();
    let mut keep = Some(keep);
    let (finished, counts) = counted(poll_fn(move |cx| {
        cx.waker().wake_by_ref();
        if let Some(keep) = keep.take() {
            let _ = keep.send(cx.waker().clone());
        }
        Poll::Ready(())
    }));
    let (other, _) = counted(async move {
        let Ok(waker) = kept.await else { return };
        for _ in 0..3 {
            yields(1).await;
            waker.wake_by_ref();
        }
        yields(1).await;
    });
    runtime.run(vec![finished, other])?;
    assert_eq!(counts.polls_after_ready(), 0, "polls after Ready");
    Ok(())
}
