//! A poll may use its thread as it likes, and the executor must not mind.

use std::{future::poll_fn, panic::AssertUnwindSafe, sync::mpsc, task::Poll, thread};

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{A_MOMENT, run_one, woken_after},
    panics::{SILENT, caught},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "nested",
        edition: Edition::E1,
        rule: "Run inside one of its own polls, the executor works or panics with a message. The inner run takes no wake away from the outer task.",
        why: "A library may call block_on deep inside, and a hang there is hard to find.",
        level: Level::UNPARK_AND_NESTED,
        choice: Some(
            "Forbidding nesting, with a panic that says so, is a choice. It prevents a worker thread from being blocked unnoticed.",
        ),
        check: Check::Runtime(
            nested,
            &[
                (Fault::OneParkerToAThread, "it hangs"),
                (Fault::RefusesWithoutAWord, "it panicked without a message"),
            ],
        ),
    },
    Clause {
        name: "parks_in_poll",
        edition: Edition::E1,
        rule: "A future that was woken and then parks its own thread inside poll is polled again.",
        why: "A blocking channel parks too. If the executor remembers a wake only in the thread's token, that park takes the wake away.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(parks_in_poll, &[(Fault::TokenIsTheWake, "it hangs")]),
    },
    Clause {
        name: "waits_in_poll",
        edition: Edition::E1,
        rule: "A future that was woken and then waits inside poll for a channel of the standard library is polled again.",
        why: "This is how the clause before is met in practice. Few people call park by hand, but many call recv.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(waits_in_poll, &[(Fault::TokenIsTheWake, "it hangs")]),
    },
];

/// A task wakes itself and, in the same poll, blocks on another future that has to wait.
pub fn nested(runtime: &'static dyn Runtime) -> Answer {
    let (tell, told) = mpsc::channel();
    let mut first = true;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if !std::mem::take(&mut first) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            let inner = AssertUnwindSafe(|| runtime.block_on(Box::pin(woken_after(A_MOMENT))));
            let _ = tell.send(caught(inner));
            Poll::Pending
        }),
    )?;
    match told.recv().expect("the task has been polled") {
        Ok(answer) => answer,
        Err(message) => {
            let silent = message.is_empty() || message == SILENT;
            assert!(!silent, "it panicked without a message");
            Ok(())
        }
    }
}

/// A task wakes itself and, in the same poll, parks its thread until a helper unparks it.
pub fn parks_in_poll(runtime: &'static dyn Runtime) -> Answer {
    let mut first = true;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if !std::mem::take(&mut first) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            let this = thread::current();
            let helped = thread::spawn(move || this.unpark()).join();
            helped.expect("unpark does not panic");
            // Both have unparked this thread by now, but it has one token, and this takes it.
            thread::park();
            Poll::Pending
        }),
    )?;
    Ok(())
}

/// A task wakes itself and, in the same poll, waits for a message of another thread.
pub fn waits_in_poll(runtime: &'static dyn Runtime) -> Answer {
    let mut first = true;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if !std::mem::take(&mut first) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            let (send, receive) = mpsc::channel();
            thread::spawn(move || {
                thread::sleep(A_MOMENT);
                let _ = send.send(());
            });
            let _ = receive.recv();
            Poll::Pending
        }),
    )?;
    Ok(())
}
