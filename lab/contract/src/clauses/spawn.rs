//! Tasks may be spawned once it runs, from inside and from outside.

use std::{
    future::poll_fn,
    sync::mpsc,
    task::{Poll, Waker},
    thread,
};

use futures_channel::oneshot;

use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime, Unsupported,
    fault::Fault,
    fixtures::{A_MOMENT, counted, yields},
    runtime::Spawn,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "spawned_inside",
        edition: Edition::E1,
        rule: "A task may spawn another task and wait for it.",
        why: "An executor that accepts tasks only before it runs never polls the second task, so the first waits forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            spawned_inside,
            &[
                (Fault::SpawnsOnlyBeforeItRuns, "it hangs"),
                (Fault::RefusesWhatIsSpawned, "the spawned task was dropped"),
            ],
        ),
    },
    Clause {
        name: "spawned_from_outside",
        edition: Edition::E1,
        rule: "A spawn from another thread ends the executor's sleep.",
        why: "Putting the task in the queue is not enough if the executor sleeps and never checks the queue.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            spawned_from_outside,
            &[
                (Fault::SleepsThroughSpawns, "it hangs"),
                (
                    Fault::RefusesWhatOthersSpawn,
                    "the spawned task was dropped",
                ),
            ],
        ),
    },
    Clause {
        name: "spawned_and_waited_for",
        edition: Edition::E1,
        rule: "With two workers, a task may spawn another task and block its thread until that task has run.",
        why: "Old code blocks when it waits. The other worker has nothing to do, so it could run the spawned task.",
        level: Level::Quality,
        choice: Some(
            "Blocking in a poll is a mistake of the task. A scheduler may reserve what a worker spawned for that worker, because that is faster.",
        ),
        check: Check::Runtime(
            spawned_and_waited_for,
            &[
                (Fault::KeepsWhatItSpawned, "it hangs"),
                (Fault::RefusesWhatIsSpawned, "the spawned task was dropped"),
            ],
        ),
    },
    Clause {
        name: "old_wakers",
        edition: Edition::E5,
        rule: "A waker of a task that is finished wakes no task that came later.",
        why: "If a waker names a place in a table, and the place is given to the next task, each late wake costs that task a poll for nothing. A future that takes a poll for news then does the wrong thing.",
        level: Level::Quality,
        choice: Some("A poll without a wake is allowed, and a table without generations is small."),
        check: Check::Runtime(
            old_wakers,
            &[(
                Fault::WakersNameAPlace,
                "of 20 tasks were polled by a wake of an earlier one",
            )],
        ),
    },
];

/// A task leaves its waker and ends, and another one is spawned and waits. All wakers so far are woken. This is done 20 times.
pub fn old_wakers(runtime: &'static dyn Runtime) -> Answer {
    let (tell, told) = mpsc::channel();
    runtime.run_spawning(Box::new(move |spawn| {
        Box::pin(async move {
            let _ = tell.send(wake_old_ones(spawn).await);
        })
    }))?;
    let polled = told.recv().expect("the first task is done")?;
    assert!(
        polled < 10,
        "{polled} of 20 tasks were polled by a wake of an earlier one"
    );
    Ok(())
}

async fn wake_old_ones(spawn: Spawn) -> Answer<usize> {
    let (mut old, mut polled) = (Vec::<Waker>::new(), 0);
    for _ in 0..20 {
        let (leave, left) = oneshot::channel();
        let (here, gone) = oneshot::channel::<()>();
        let mut leave = Some((leave, here));
        spawn(Box::pin(poll_fn(move |cx| {
            if let Some((leave, here)) = leave.take() {
                let _ = leave.send(cx.waker().clone());
                drop(here);
            }
            Poll::Ready(())
        })))?;
        old.extend(left.await.ok());
        let _ = gone.await;
        let (open, gate) = oneshot::channel::<()>();
        let (begin, begun) = oneshot::channel::<()>();
        let (waits, counts) = counted(async move {
            let _ = begin.send(());
            let _ = gate.await;
        });
        spawn(waits)?;
        let _ = begun.await;
        yields(3).await;
        let before = counts.polls();
        old.iter().for_each(Waker::wake_by_ref);
        yields(5).await;
        polled += usize::from(counts.polls() > before);
        let _ = open.send(());
    }
    Ok(polled)
}

pub(super) const DROPPED: &str = "the spawned task was dropped, and not run";

/// A task spawns another and waits for its message.
pub fn spawned_inside(runtime: &'static dyn Runtime) -> Answer {
    let (tell, told) = mpsc::channel();
    let ran = first_task(runtime, move |spawn, done| {
        let _ = tell.send(spawn(sends(done)));
    })?;
    told.recv().expect("the first task has spawned")?;
    assert!(ran, "{DROPPED}");
    Ok(())
}

/// While the only task waits, another thread spawns the task that it waits for.
pub fn spawned_from_outside(runtime: &'static dyn Runtime) -> Answer {
    let (tell, told) = mpsc::channel();
    let ran = first_task(runtime, move |spawn, done| {
        thread::spawn(move || {
            thread::sleep(A_MOMENT);
            let _ = tell.send(spawn(sends(done)));
        });
    })?;
    told.recv().expect("the other thread has spawned")?;
    assert!(ran, "{DROPPED}");
    Ok(())
}

/// A task spawns another and waits for its message on a channel of the standard library.
pub fn spawned_and_waited_for(runtime: &'static dyn Runtime) -> Answer {
    if runtime.workers() < 2 {
        return Err(Unsupported);
    }
    let ran = first_task(runtime, |spawn, done| {
        let (tell, told) = mpsc::channel();
        let spawned = spawn(Box::pin(async move {
            let _ = tell.send(());
        }));
        if spawned.is_ok() && told.recv().is_ok() {
            let _ = done.send(());
        }
    })?;
    assert!(ran, "{DROPPED}");
    Ok(())
}

pub(super) fn sends(done: oneshot::Sender<()>) -> BoxFuture {
    Box::pin(async {
        let _ = done.send(());
    })
}

/// Runs a task that gets something spawned, and waits until that is done. `false` if it was dropped instead.
pub(super) fn first_task(
    runtime: &'static dyn Runtime,
    get_spawned: impl FnOnce(Spawn, oneshot::Sender<()>) + Send + 'static,
) -> Answer<bool> {
    let (tell, told) = mpsc::channel();
    runtime.run_spawning(Box::new(move |spawn| {
        Box::pin(async move {
            let (done, is_done) = oneshot::channel();
            get_spawned(spawn, done);
            let _ = tell.send(is_done.await.is_ok());
        })
    }))?;
    Ok(told.recv().expect("the first task is done"))
}
