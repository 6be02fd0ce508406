//! A task whose last waker is dropped, so it can no longer be woken.

use std::{
    future::poll_fn,
    sync::{Arc, mpsc},
    task::{Context, Poll, Waker},
    thread,
};

use futures_channel::oneshot;
use futures_util::{FutureExt, lock::Mutex};

use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime, Unsupported,
    fault::Fault,
    fixtures::{assert_dropped_once, counted, woken_when},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "last_waker_under_a_lock",
        edition: Edition::E1,
        rule: "The last waker of a task may be dropped under a lock that the task's destructor takes.",
        why: "An async mutex replaces a waker under its own lock. If dropping the old waker destroys its task, and the task's destructor takes the same lock, the thread waits for itself.",
        level: Level::Ecosystem,
        choice: Some(
            "Where wakers own the tasks, dropping the last one destroys its task there and then. A runtime may leave it to its futures not to drop wakers under their locks.",
        ),
        check: Check::Runtime(
            last_waker_under_a_lock,
            &[
                (Fault::WakersOwnTasks, "it hangs"),
                (
                    Fault::RunsNothing,
                    "the task that got the lock future was dropped",
                ),
            ],
        ),
    },
    Clause {
        name: "dropped_by_its_executor",
        edition: Edition::E1,
        rule: "A task that can no longer be woken is dropped by its executor, and not by the thread that drops the last waker.",
        why: "A timer's thread drops many wakers. It must not run the destructors of tasks, which may block or panic.",
        level: Level::Quality,
        choice: Some(
            "A runtime that owns its tasks can't tell which of them have lost their last waker, so it keeps such a task until the runtime is dropped. A runtime that can't be stopped before all its tasks are done waits forever.",
        ),
        check: Check::Runtime(
            dropped_by_its_executor,
            &[
                (Fault::ForgetsWhatWaits, "1 of 1 futures were not dropped"),
                (
                    Fault::WakersOwnTasks,
                    "the thread that dropped the last waker ran the destructor",
                ),
            ],
        ),
    },
    Clause {
        name: "dropped_at_home",
        edition: Edition::E5,
        rule: "A task that may be bound to its thread is dropped on that thread, whichever thread wakes it or drops its wakers.",
        why: "It may hold an `Rc`, or what belongs to the event loop of that thread. Wakers are `Send`, and may wake when the executor is gone.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            dropped_at_home,
            &[(
                Fault::LeavesTasksToTheirWakers,
                "a task was dropped on another thread",
            )],
        ),
    },
];

/// The executor ends while three tasks wait. Then another thread wakes one of them by value and one by reference, and drops the wakers
/// of all.
pub fn dropped_at_home(runtime: &'static dyn Runtime) -> Answer {
    if !runtime.stays_at_home() {
        return Err(Unsupported);
    }
    let (tell, told) = mpsc::channel();
    let (give, given) = mpsc::channel();
    let (came, all_came): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel::<()>()).unzip();
    let make = move |_| -> Vec<BoxFuture> {
        let tasks = came.into_iter().map(|came| -> BoxFuture {
            let (tells, give) = (TellsWhereItIsDropped(tell.clone()), give.clone());
            let mut came = Some(came);
            Box::pin(poll_fn(move |cx| {
                let _owned = &tells;
                let _ = give.send((thread::current().id(), cx.waker().clone()));
                came.take().map(|came| came.send(()));
                Poll::Pending
            }))
        });
        tasks.collect()
    };
    let until = async {
        for came in all_came {
            let _ = came.await;
        }
    };
    runtime.stop(Box::new(make), Box::pin(until))?;
    let (homes, mut wakers): (Vec<_>, Vec<_>) = given.try_iter().unzip();
    let elsewhere = thread::spawn(move || {
        wakers.pop().into_iter().for_each(Waker::wake);
        wakers.last().into_iter().for_each(Waker::wake_by_ref);
        drop(wakers);
    });
    assert!(elsewhere.join().is_ok(), "a wake panicked");
    let abroad = told.try_iter().any(|thread| !homes.contains(&thread));
    assert!(!abroad, "a task was dropped on another thread");
    Ok(())
}

/// Task A gives a lock future, which has its only waker, to task B. B polls it, and so the mutex drops that waker. A's
/// destructor drops another lock future.
pub fn last_waker_under_a_lock(runtime: &'static dyn Runtime) -> Answer {
    let mutex = Arc::new(Mutex::new(()));
    let locked = mutex.clone().try_lock_owned().expect("it is new");
    let (give, given) = oneshot::channel();
    let (mut gives, mut keeps) = (Some((give, mutex.clone().lock_owned())), mutex.lock_owned());
    let (a, _) = counted(poll_fn(move |cx| {
        if let Some((give, mut lock)) = gives.take() {
            let _ = lock.poll_unpin(cx);
            // So the mutex has it in a list, from which its destructor takes it, but has no second waker of this task.
            let _ = keeps.poll_unpin(&mut Context::from_waker(Waker::noop()));
            let _ = give.send(lock);
        }
        Poll::Pending
    }));
    let (tell, told) = mpsc::channel();
    let done = tell.clone();
    let (b, _) = counted(async move {
        let Ok(mut lock) = given.await else { return };
        poll_fn(|cx| Poll::Ready(lock.poll_unpin(cx).is_pending())).await;
        drop(locked);
        drop(lock.await);
        let _ = done.send(Ok(()));
    });
    // A can no longer be woken, and some runtimes wait for it.
    thread::spawn(move || match runtime.run(vec![a, b]) {
        Err(Unsupported) => drop(tell.send(Err(Unsupported))),
        Ok(()) => drop(tell),
    });
    let answer = told.recv();
    answer.expect("the task that got the lock future was dropped")
}

struct TellsWhereItIsDropped(mpsc::Sender<thread::ThreadId>);

impl Drop for TellsWhereItIsDropped {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().id());
    }
}

/// A task gives its only waker away and waits. Another task sees to it that a thread drops that waker.
pub fn dropped_by_its_executor(runtime: &'static dyn Runtime) -> Answer {
    let stopped = deserted(|waits, other| runtime.stop(Box::new(|_| vec![waits]), other));
    // What cannot be stopped has to come to its end without that task.
    stopped.or_else(|Unsupported| deserted(|waits, other| runtime.run(vec![waits, other])))
}

fn deserted(run: impl FnOnce(BoxFuture, BoxFuture) -> Answer) -> Answer {
    let (give, given) = oneshot::channel::<Waker>();
    let (mut give, (tell, told)) = (Some(give), mpsc::channel());
    let tells = TellsWhereItIsDropped(tell);
    let (waits, counts) = counted(poll_fn(move |cx| {
        let _owned = &tells;
        if let Some(give) = give.take() {
            let _ = give.send(cx.waker().clone());
        }
        Poll::Pending
    }));
    let (tell, dropper) = mpsc::channel();
    let (other, _) = counted(async move {
        let waker = given.await;
        woken_when(move || {
            let _ = tell.send(thread::current().id());
            drop(waker);
        })
        .await;
    });
    run(waits, other)?;
    assert_dropped_once(&[counts]);
    assert_ne!(
        told.recv(),
        dropper.recv(),
        "the thread that dropped the last waker ran the destructor"
    );
    Ok(())
}
