//! A panic belongs to the task in which it happens.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, resume_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    thread,
};

use futures_channel::oneshot;

use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime, Unsupported, caught,
    fault::Fault,
    fixtures::{Number, assert_dropped_once, counted, run_one, wake_elsewhere, yields},
    panics::ON_PURPOSE,
};

const POLICY: Option<&str> = Some(
    "A runtime may let the panic of a task through to its caller, and then the other tasks wait until it is run again.",
);

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "a_panic_is_contained",
        edition: Edition::E1,
        rule: "A task that panics harms no other task and uses up no worker.",
        why: "In a server, one bad request would otherwise end all the others.",
        level: Level::Quality,
        choice: POLICY,
        check: Check::Runtime(
            a_panic_is_contained,
            &[
                (Fault::LetsPanicsThrough, "the panic of a task came out"),
                (Fault::EndsWithAPanic, "the other task is not done"),
            ],
        ),
    },
    Clause {
        name: "dropped_when_panicked",
        edition: Edition::E1,
        rule: "A future that panics is dropped, once.",
        why: "No other code owns what the future owns, so its locks would stay locked and its channels open.",
        level: Level::Quality,
        choice: POLICY,
        check: Check::Runtime(
            dropped_when_panicked,
            &[
                (
                    Fault::ForgetsWhatPanicked,
                    "1 of 1 futures were not dropped",
                ),
                (Fault::PollsAfterAPanic, "panics and polls"),
                (
                    Fault::DropsItsNeighbour,
                    "of 2 tasks beside it are not done",
                ),
            ],
        ),
    },
    Clause {
        name: "a_panicking_destructor",
        edition: Edition::E1,
        rule: "A panic in the destructor of a finished future harms no other task.",
        why: "The destructor runs after the poll, where an executor may not expect a panic any more.",
        level: Level::Quality,
        choice: Some(
            "async-task ends the process on purpose, because a destructor that panics cannot be trusted to have cleaned up.",
        ),
        check: Check::Runtime(
            a_panicking_destructor,
            &[
                (Fault::TrustsDestructors, "the panic of a task came out"),
                (Fault::EndsWithAPanic, "the other task is not done"),
            ],
        ),
    },
    Clause {
        name: "a_panicking_payload",
        edition: Edition::E5,
        rule: "A panic whose payload panics when it is dropped harms no other task, and takes no worker with it.",
        why: "`catch_unwind` hands the payload out, and its drop is code of the task that runs outside. std's documentation of it warns of that.",
        level: Level::Quality,
        choice: Some(
            "Such a payload is broken, and dropping one inside `catch_unwind` yields another one. Ending the process is a choice.",
        ),
        check: Check::Runtime(
            a_panicking_payload,
            &[(Fault::TrustsPayloads, "came out of the runtime")],
        ),
    },
    Clause {
        name: "woken_and_then_panics",
        edition: Edition::E1,
        rule: "A task that is woken during the poll in which it panics, or later, is not polled again.",
        why: "The wake has put the task in the queue, or will. An async block that panicked panics again when it is polled.",
        level: Level::Quality,
        choice: POLICY,
        check: Check::Runtime(
            woken_and_then_panics,
            &[
                (Fault::KeepsWhatPanicked, "panics and polls"),
                (
                    Fault::ForgetsWhatPanicked,
                    "1 of 1 futures were not dropped",
                ),
                (Fault::EndsWithAPanic, "the other task is not done"),
            ],
        ),
    },
];

/// Runs these to their ends, and says whether it has: a runtime that lets panics through ends with the first of them, and must be
/// able to run others then.
pub(crate) fn run_past_panics(runtime: &dyn Runtime, tasks: Vec<BoxFuture>) -> Answer<bool> {
    if !runtime.lets_panics_through() {
        return runtime.run(tasks).map(|()| true);
    }
    match caught(AssertUnwindSafe(|| runtime.run(tasks))) {
        Ok(answer) => return answer.map(|()| true),
        Err(message) => assert_eq!(message, ON_PURPOSE, "another panic came through"),
    }
    run_one(runtime, yields(1))?;
    Ok(false)
}

/// Four tasks panic at their second poll. A fifth waits until all four have come to that.
pub fn a_panic_is_contained(runtime: &'static dyn Runtime) -> Answer {
    if runtime.lets_panics_through() {
        return Err(Unsupported);
    }
    let (came, all_came): (Vec<_>, Vec<_>) = (0..4).map(|_| oneshot::channel::<()>()).unzip();
    let mut tasks: Vec<_> = came
        .into_iter()
        .map(|came| {
            let (task, _) = counted(async move {
                yields(1).await;
                let _ = came.send(());
                panic!("{ON_PURPOSE}");
            });
            task
        })
        .collect();
    let (other, counts) = counted(async move {
        for came in all_came {
            let _ = came.await;
        }
        yields(3).await;
    });
    tasks.push(other);
    runtime.run(tasks)?;
    assert_eq!(counts.completions(), 1, "the other task is not done");
    Ok(())
}

/// A future panics at its second poll. The tasks before it and behind it are run to their ends, where the panic does not come out.
pub fn dropped_when_panicked(runtime: &'static dyn Runtime) -> Answer {
    let (panics, counts) = counted(async {
        yields(1).await;
        panic!("{ON_PURPOSE}");
    });
    let [(before, first), (behind, second)] = [(); 2].map(|()| counted(yields(5)));
    let all = run_past_panics(runtime, vec![before, panics, behind])?;
    assert_dropped_once(std::slice::from_ref(&counts));
    assert_eq!(
        (counts.panics(), counts.polls()),
        (1, 2),
        "panics and polls"
    );
    let beside = [first, second];
    let unfinished = beside.iter().filter(|counts| counts.completions() == 0);
    let unfinished = unfinished.count();
    assert!(
        unfinished == 0 || !all,
        "{unfinished} of 2 tasks beside it are not done"
    );
    if all {
        assert_dropped_once(&beside);
    }
    Ok(())
}

/// Panics when it is dropped after it was ready, and not otherwise.
#[derive(Default)]
struct PanicsWhenDropped {
    ready: bool,
}

impl Future for PanicsWhenDropped {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.ready = true;
        Poll::Ready(())
    }
}

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        assert!(!self.ready, "{ON_PURPOSE}");
    }
}

/// A future is ready, and panics when it is dropped.
pub fn a_panicking_destructor(runtime: &'static dyn Runtime) -> Answer {
    if runtime.lets_panics_through() {
        return Err(Unsupported);
    }
    let (bad, _) = counted(PanicsWhenDropped::default());
    let (other, counts) = counted(yields(5));
    runtime.run(vec![bad, other])?;
    assert_eq!(counts.completions(), 1, "the other task is not done");
    Ok(())
}

struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        if !thread::panicking() {
            panic!("{ON_PURPOSE}");
        }
    }
}

/// Four tasks panic with such a payload. Another one yields until all four have come to that, and then five times more.
pub fn a_panicking_payload(runtime: &'static dyn Runtime) -> Answer {
    if runtime.lets_panics_through() {
        return Err(Unsupported);
    }
    let came = Arc::new(Number::default());
    let bad = || {
        let came = came.clone();
        let (task, _) = counted(async move {
            came.add_one();
            resume_unwind(Box::new(Payload));
        });
        task
    };
    let mut tasks: Vec<_> = (0..4).map(|_| bad()).collect();
    let all = came.clone();
    let (other, counts) = counted(async move {
        while all.get() < 4 {
            yields(1).await;
        }
        yields(5).await;
    });
    tasks.push(other);
    runtime.run(tasks)?;
    assert_eq!(counts.completions(), 1, "the other task is not done");
    Ok(())
}

/// A task wakes itself, is woken by another thread and panics, all in one poll. Another task wakes it twice more.
pub fn woken_and_then_panics(runtime: &'static dyn Runtime) -> Answer {
    let (keep, kept) = oneshot::channel();
    let mut keep = Some(keep);
    let (bad, counts) = counted(poll_fn(move |cx| {
        cx.waker().wake_by_ref();
        wake_elsewhere(cx.waker());
        if let Some(keep) = keep.take() {
            let _ = keep.send(cx.waker().clone());
        }
        panic!("{ON_PURPOSE}");
    }));
    let (other, other_counts) = counted(async move {
        let waker = kept.await;
        for _ in 0..2 {
            yields(1).await;
            waker.iter().for_each(Waker::wake_by_ref);
        }
        yields(1).await;
    });
    let all = run_past_panics(runtime, vec![bad, other])?;
    assert!(
        other_counts.completions() == 1 || !all,
        "the other task is not done"
    );
    assert_dropped_once(std::slice::from_ref(&counts));
    assert_eq!(
        (counts.panics(), counts.polls()),
        (1, 1),
        "panics and polls"
    );
    Ok(())
}
