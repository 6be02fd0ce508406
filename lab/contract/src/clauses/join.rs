//! A task or thread that waits for a task learns how that task ended.

use std::{
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
};

use futures_channel::oneshot;

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{A_MOMENT, compute, woken_after, yields},
    panics::ON_PURPOSE,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "output_reaches",
        edition: Edition::E1,
        rule: "The output of a task reaches the task or thread that waits for it.",
        why: "The waiting side has left a waker, so the end of the task must call it.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            output_reaches,
            &[
                (Fault::EndsInSilence, "it hangs"),
                (Fault::AnswersZero, "left: Ok(0)"),
            ],
        ),
    },
    Clause {
        name: "output_is_kept",
        edition: Edition::E1,
        rule: "The output of a task is kept until it is asked for.",
        why: "A task may finish before any other task waits for it, and then no wake will come any more.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            output_is_kept,
            &[
                (Fault::AnswersOnlyWhoWaits, "it hangs"),
                (Fault::AnswersZero, "left: Ok(0)"),
            ],
        ),
    },
    Clause {
        name: "panic_reaches",
        edition: Edition::E1,
        rule: "The panic of a task reaches the task or thread that waits for its output, with its message.",
        why: "Otherwise the waiting side waits forever, or learns that something went wrong but not what.",
        level: Level::Ecosystem,
        choice: Some(
            "A runtime may let the panic of a task through to its caller, abort, or report only that there was one.",
        ),
        check: Check::Runtime(
            panic_reaches,
            &[(Fault::LosesTheMessage, "the task has panicked")],
        ),
    },
    Clause {
        name: "a_handle_changes_hands",
        edition: Edition::E6,
        rule: "The end of a task wakes the task that polled its handle last.",
        why: "A handle is a future. A `select!` may poll it once, and another task may wait for it then.",
        level: Level::MOST_RECENT,
        choice: None,
        check: Check::Runtime(
            a_handle_changes_hands,
            &[
                (Fault::WakesWhoJoinedFirst, "it hangs"),
                (Fault::AnswersZero, "left: 0"),
            ],
        ),
    },
    Clause {
        name: "gone_before_its_handle",
        edition: Edition::E5,
        rule: "When the handle of a task is ready, the future of the task has been dropped.",
        why: "Who waits for a task wants to have what it held: a file that is closed, a lock that is free, the last reference to an `Arc`.",
        level: Level::Quality,
        choice: None,
        check: Check::Runtime(
            gone_before_its_handle,
            &[(Fault::AnswersBeforeItDrops, "the future still exists")],
        ),
    },
];

/// A task returns 7, and is waited for before it has.
pub fn output_reaches(runtime: &'static dyn Runtime) -> Answer {
    let job = async {
        woken_after(A_MOMENT).await;
        7
    };
    assert_eq!(runtime.join(Box::pin(job), None)?, Ok(7));
    Ok(())
}

/// A task returns 7. Its handle is polled with a waker that does nothing, and is waited for then.
pub fn a_handle_changes_hands(runtime: &'static dyn Runtime) -> Answer {
    let job = async {
        woken_after(A_MOMENT).await;
        7
    };
    assert_eq!(runtime.join_moved(Box::pin(job))?, 7);
    Ok(())
}

/// A task returns 7, and is waited for after it has.
pub fn output_is_kept(runtime: &'static dyn Runtime) -> Answer {
    let (open, gate) = oneshot::channel::<()>();
    let job = async move {
        let _ = open.send(());
        7
    };
    let before = async move {
        let _ = gate.await;
        yields(3).await;
    };
    let output = runtime.join(Box::pin(job), Some(Box::pin(before)))?;
    assert_eq!(output, Ok(7));
    Ok(())
}

/// A task panics with a formatted message.
pub fn panic_reaches(runtime: &'static dyn Runtime) -> Answer {
    let job = async {
        yields(1).await;
        let number = 42;
        panic!("{ON_PURPOSE}, number {number}");
    };
    let output = runtime.join(Box::pin(job), None)?;
    // What waits may add words of its own, as `unwrap` does.
    let told = output.expect_err("the job has panicked");
    assert!(told.contains(&format!("{ON_PURPOSE}, number 42")), "{told}");
    Ok(())
}

/// Takes its time to be dropped, and says then that it is gone.
struct Slow(Arc<AtomicBool>);

impl Drop for Slow {
    fn drop(&mut self) {
        compute(A_MOMENT);
        self.0.store(true, SeqCst);
    }
}

/// A task holds what takes 10 ms of CPU time to be dropped. It is waited for.
pub fn gone_before_its_handle(runtime: &'static dyn Runtime) -> Answer {
    let gone = Arc::new(AtomicBool::new(false));
    let held = Slow(gone.clone());
    let mut yielded = Box::pin(yields(1));
    let job = poll_fn(move |cx| {
        let _held = &held; // an async block would drop it before it is ready
        yielded.as_mut().poll(cx).map(|()| 7)
    });
    let (tell, told) = mpsc::channel();
    let looks = move || _ = tell.send(gone.load(SeqCst));
    runtime.join_and_then(Box::pin(job), Box::new(looks))?;
    let gone = told.recv().expect("the task was waited for");
    assert!(gone, "the future still exists when its handle is ready");
    Ok(())
}
