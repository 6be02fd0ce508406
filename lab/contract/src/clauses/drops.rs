//! A future is dropped once, and in time.

use std::{
    future::poll_fn,
    sync::mpsc,
    task::{Poll, Waker},
};

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{assert_dropped_once, counted, run_all, run_one, until},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "dropped_when_ready",
        edition: Edition::E1,
        rule: "A future is dropped as soon as it is ready.",
        why: "It may hold a connection, a lock or the sender of a channel, and other tasks may be waiting for these.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            dropped_when_ready,
            &[(
                Fault::KeepsWhatIsReady,
                "not dropped, while another task still ran",
            )],
        ),
    },
    Clause {
        name: "wakes_when_dropped",
        edition: Edition::E1,
        rule: "A destructor may wake its own task.",
        why: "A channel that is dropped wakes the task that waits at its other side, and that may be the same task.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            wakes_when_dropped,
            &[
                (Fault::DropsUnderItsLock, "it hangs"),
                (Fault::ForgetsWhatIsReady, "1 of 1 futures were not dropped"),
            ],
        ),
    },
];

/// A task that still runs sees that another, which is ready, has been dropped.
pub fn dropped_when_ready(runtime: &'static dyn Runtime) -> Answer {
    let (ready, first) = counted(async {});
    let (tell, told) = mpsc::channel();
    let dropped = first.clone();
    let looks = counted(async move {
        let seen = until(move || dropped.drops() > 0).await;
        let _ = tell.send(seen);
    });
    run_all(runtime, vec![(ready, first), looks])?;
    let seen = told.recv().expect("the other task is done");
    assert!(seen, "not dropped, while another task still ran");
    Ok(())
}

struct WakesWhenDropped(Waker);

impl Drop for WakesWhenDropped {
    fn drop(&mut self) {
        self.0.wake_by_ref();
    }
}

/// A future that is ready holds something that wakes its own task when dropped.
pub fn wakes_when_dropped(runtime: &'static dyn Runtime) -> Answer {
    let mut held = None;
    let counts = run_one(
        runtime,
        poll_fn(move |cx| {
            if held.is_some() {
                return Poll::Ready(());
            }
            held = Some(WakesWhenDropped(cx.waker().clone()));
            cx.waker().wake_by_ref();
            Poll::Pending
        }),
    )?;
    assert_dropped_once(&[counts]);
    Ok(())
}
