//! A future is dropped once, and in time.

use std::{
    future::{pending, poll_fn},
    sync::{Arc, Mutex, PoisonError, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use futures::channel::oneshot;

use crate::{
    Answer, Clause, Runtime, Test,
    mutants::Defect,
    staged::{assert_dropped_once, counted, run_one, yields},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "dropped_when_ready",
        rule: "A future is dropped as soon as it is ready.",
        why: "It may hold a connection, a lock or the sending end of a channel, and somebody may wait for these.",
        from: &[35],
        choice: None,
        test: Test::Runtime(
            dropped_when_ready,
            &[(
                Defect::KeepsWhatIsReady,
                "drops, while another task still ran",
            )],
        ),
    },
    Clause {
        name: "wakes_when_dropped",
        rule: "A destructor may wake its own task.",
        why: "A channel that is dropped wakes whoever waits at the other end, and that may be anybody.",
        from: &[37],
        choice: None,
        test: Test::Runtime(
            wakes_when_dropped,
            &[(Defect::DropsUnderItsLock, "it hangs")],
        ),
    },
    Clause {
        name: "dropped_unrun",
        rule: "A runtime that is dropped before it runs drops its tasks.",
        why: "What a task owns must not depend on whether it ever got a turn.",
        from: &[23, 36],
        choice: None,
        test: Test::Runtime(
            dropped_unrun,
            &[(Defect::ForgetsTheUnrun, "drops: [0, 0, 0]")],
        ),
    },
    Clause {
        name: "dropped_at_shutdown",
        rule: "A runtime that is dropped drops the tasks that still wait, whoever keeps their wakers.",
        why: "A waker lives in a timer or a socket, which the task owns: if wakers own tasks too, that is a cycle.",
        from: &[36, 39],
        choice: Some(
            "Where wakers own the tasks, and the runtime does not, a task lives as long as its wakers.",
        ),
        test: Test::Runtime(
            dropped_at_shutdown,
            &[(Defect::LeavesTasksToTheirWakers, "drops: [0, 0, 0]")],
        ),
    },
];

/// A task looks 50 times whether another, which is ready, has been dropped.
pub fn dropped_when_ready(runtime: &'static dyn Runtime) -> Answer {
    let (open, gate) = oneshot::channel::<()>();
    let (ready, first) = counted(async move {
        let _ = open.send(());
    });
    let dropped = first.clone();
    let seen = Arc::new(Mutex::new(0));
    let sees = seen.clone();
    let (looks, _) = counted(async move {
        let _ = gate.await;
        // With two workers the other may be about to drop it.
        for _ in 0..50 {
            yields(1).await;
            if dropped.drops() > 0 {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        *sees.lock().unwrap_or_else(PoisonError::into_inner) = dropped.drops();
    });
    runtime.run(vec![ready, looks])?;
    let seen = *seen.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(seen, 1, "drops, while another task still ran");
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

/// Three tasks are spawned, and the runtime is dropped.
pub fn dropped_unrun(runtime: &'static dyn Runtime) -> Answer {
    let (tasks, counts): (Vec<_>, Vec<_>) = (0..3).map(|_| counted(pending())).unzip();
    runtime.drop_unrun(tasks)?;
    assert_dropped_once(&counts);
    Ok(())
}

/// Three tasks are polled, leave their wakers with the test, and wait. Then the runtime is dropped.
pub fn dropped_at_shutdown(runtime: &'static dyn Runtime) -> Answer {
    let (keep, kept) = mpsc::channel();
    let (polled, all_polled): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel::<()>()).unzip();
    let (tasks, counts): (Vec<_>, Vec<_>) = polled
        .into_iter()
        .map(|polled| {
            let (keep, mut polled) = (keep.clone(), Some(polled));
            counted(poll_fn(move |cx| {
                let _ = keep.send(cx.waker().clone());
                if let Some(polled) = polled.take() {
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
    runtime.stop(tasks, until)?;
    let wakers: Vec<Waker> = kept.try_iter().collect();
    assert_eq!(wakers.len(), 3, "so many tasks were polled");
    assert_dropped_once(&counts);
    wakers.into_iter().for_each(Waker::wake);
    Ok(())
}
