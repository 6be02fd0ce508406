//! An executor that has returned is run again.

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

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{LatestWaker, counted, until, yields},
    rest,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[Clause {
    name: "goes_on_in_the_next_run",
    edition: Edition::E6,
    rule: "A task that is left when the executor returns goes on when it is run again, also if it was woken meanwhile.",
    why: "Programs and tests call `block_on` again and again. A wake that is lost as the executor returns, or between two runs, is missed in the next one.",
    level: Level::Ecosystem,
    choice: Some("An executor may be made for one run."),
    check: Check::Runtime(
        goes_on_in_the_next_run,
        &[
            (Fault::ForgetsItsQueueAtAStop, "it hangs: a task was queued"),
            (Fault::HearsNothingBetweenRuns, "it hangs: a task was woken"),
        ],
    ),
}];

/// One task yields until it is told to stop, or one waits, and the executor returns. Then the one is told, or the other is woken by another
/// thread. The next run waits for that task.
pub fn goes_on_in_the_next_run(runtime: &'static dyn Runtime) -> Answer {
    for (yields_on, what) in [
        (
            true,
            "a task was queued when the executor returned, which is run again",
        ),
        (false, "a task was woken between two runs"),
    ] {
        rest::says(what);
        let (over, latest) = (Arc::new(AtomicBool::new(false)), LatestWaker::default());
        let (done, is_done) = oneshot::channel();
        let (is_over, leaves) = (over.clone(), latest.clone());
        let (task, counts) = counted(async move {
            poll_fn(move |cx| {
                leaves.leave(cx);
                if is_over.load(SeqCst) {
                    return Poll::Ready(());
                }
                if yields_on {
                    cx.waker().wake_by_ref();
                }
                Poll::Pending
            })
            .await;
            let _ = done.send(());
        });
        let (tell, told) = mpsc::channel();
        runtime.run_twice(
            Box::new(move |spawn| {
                Box::pin(async move {
                    let _ = tell.send(spawn(task));
                    until(move || counts.polls() > 0).await;
                    yields(1).await;
                })
            }),
            Box::new(move || {
                over.store(true, SeqCst);
                if !yields_on {
                    let woken = thread::spawn(move || latest.wake()).join();
                    assert!(woken.is_ok(), "the wake panicked");
                }
            }),
            Box::pin(async move {
                let _ = is_done.await;
            }),
        )?;
        told.recv().expect("the first run has spawned")?;
    }
    Ok(())
}
