//! Each task gets a turn.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::Poll,
    thread,
};

use futures_channel::oneshot;
use futures_util::future::join_all;

use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{A_MOMENT, LatestWaker, Number, counted, run_all, run_one, woken_after, yields},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "takes_turns",
        edition: Edition::E1,
        rule: "Tasks that yield forever do not keep another task from being polled.",
        why: "A task that wakes itself belongs at the end of the queue, behind the tasks that are waiting there already.",
        level: Level::Ecosystem,
        choice: Some(
            "std says that yielding to competing tasks is not guaranteed. Which task runs next is the executor's choice.",
        ),
        check: Check::Runtime(
            takes_turns,
            &[
                (Fault::LastInFirstOut, "it keeps a processor busy"),
                (Fault::RunsNothing, "6 of 6 tasks are not done"),
            ],
        ),
    },
    Clause {
        name: "stops_beside_one_that_yields",
        edition: Edition::E6,
        rule: "A task that yields forever does not keep the executor from learning that it is to stop, nor a combinator from returning to the code that polls it.",
        why: "A combinator that polls on as long as one of its children is woken never returns, and a `select!` around it never sees its other branch.",
        level: Level::Ecosystem,
        choice: Some(
            "std says that yielding to competing tasks is not guaranteed. Which task runs next is the executor's choice.",
        ),
        check: Check::Runtime(
            stops_beside_one_that_yields,
            &[
                (Fault::ServesItsOwnWakesFirst, "it keeps a processor busy"),
                (Fault::RunsNothing, "the other future is not done"),
            ],
        ),
    },
    Clause {
        name: "two_wake_each_other",
        edition: Edition::E5,
        rule: "Two tasks that wake each other leave turns for a third.",
        why: "A task that was just woken has warm caches, so it is tempting to poll it next. Two that answer each other then keep the worker for themselves.",
        level: Level::Quality,
        choice: Some(
            "std's documentation of Waker::wake says that yielding to competing tasks is not guaranteed: the executor chooses which task runs next.",
        ),
        check: Check::Runtime(
            two_wake_each_other,
            &[(Fault::PollsNextWhatATaskWoke, "it keeps a processor busy")],
        ),
    },
    Clause {
        name: "a_thousand_in_one",
        edition: Edition::E1,
        rule: "A task may wait for 1,000 things, and all of them may wake it within one poll.",
        why: "A bounded queue that blocks inside wake blocks the executor itself, and only the executor could empty the queue.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(
            a_thousand_in_one,
            &[
                (Fault::BlocksWhenFull, "it hangs"),
                (Fault::PanicsWhenWokenInPoll, "the process ended"),
            ],
        ),
    },
];

/// Four tasks yield until two others have been polled, of which one was spawned first and one last.
pub fn takes_turns(runtime: &'static dyn Runtime) -> Answer {
    let polled = Arc::new(Number::default());
    let other = || {
        let polled = polled.clone();
        let task: BoxFuture = Box::pin(async move {
            polled.add_one();
        });
        counted(task)
    };
    let yields_on = || {
        let polled = polled.clone();
        let task: BoxFuture = Box::pin(async move {
            while polled.get() < 2 {
                yields(1).await;
            }
        });
        counted(task)
    };
    let mut tasks = vec![other()];
    tasks.extend((0..4).map(|_| yields_on()));
    tasks.push(other());
    run_all(runtime, tasks)?;
    Ok(())
}

/// Four tasks yield forever, until a future that another thread wakes is done.
pub fn stops_beside_one_that_yields(runtime: &'static dyn Runtime) -> Answer {
    let make = |_| -> Vec<BoxFuture> {
        let yields_on = (0..4).map(|_| counted(yields(usize::MAX)).0);
        yields_on.collect()
    };
    let (until, counts) = counted(async {
        woken_after(A_MOMENT).await;
        yields(3).await;
    });
    runtime.stop(Box::new(make), until)?;
    assert_eq!(counts.completions(), 1, "the other future is not done");
    Ok(())
}

/// For each worker, two tasks wake each other in turns, until another task that yields ten times is done.
pub fn two_wake_each_other(runtime: &'static dyn Runtime) -> Answer {
    let done = Arc::new(AtomicBool::new(false));
    let mut tasks = Vec::new();
    for _ in 0..runtime.workers() {
        let wakers = [LatestWaker::default(), LatestWaker::default()];
        for one in 0..2 {
            let (mine, other) = (wakers[one].clone(), wakers[1 - one].clone());
            let done = done.clone();
            tasks.push(counted(poll_fn(move |cx| {
                mine.leave(cx);
                // It looks before it wakes. So if it has seen the end, the one that it wakes sees the end, too.
                let is_done = done.load(SeqCst);
                other.wake();
                if is_done {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })));
        }
    }
    tasks.push(counted(async move {
        yields(10).await;
        done.store(true, SeqCst);
    }));
    run_all(runtime, tasks)?;
    Ok(())
}

/// A task waits for 1,000 channels with one waker, all of which answer before its first poll has returned; then for
/// 1,000 more by `join_all`.
pub fn a_thousand_in_one(runtime: &'static dyn Runtime) -> Answer {
    run_one(runtime, async {
        let (senders, mut receivers): (Vec<_>, Vec<_>) =
            (0..1_000).map(|_| oneshot::channel::<()>()).unzip();
        let mut senders = Some(senders);
        poll_fn(move |cx| {
            receivers.retain_mut(|receiver| Pin::new(receiver).poll(cx).is_pending());
            if let Some(senders) = senders.take() {
                let sent = thread::spawn(|| {
                    for sender in senders {
                        let _ = sender.send(());
                    }
                });
                assert!(sent.join().is_ok(), "a wake panicked");
            }
            if receivers.is_empty() {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
        let (senders, receivers): (Vec<_>, Vec<_>) =
            (0..1_000).map(|_| oneshot::channel::<()>()).unzip();
        thread::spawn(|| {
            for sender in senders {
                let _ = sender.send(());
            }
        });
        join_all(receivers).await;
    })?;
    Ok(())
}
