//! Rungs 5 and 6.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    panic,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::channel::oneshot;
use probe::watch;
use yours::{JoinError, JoinHandle, Runtime, sleep, spawn};

use super::{Check, moments, run};

pub(super) const OUTPUT: &[Check] = &[
    Check::new("a_handle_is_send_and_sync", a_handle_is_send_and_sync),
    Check::new("dropped_before_the_result", dropped_before_the_result),
    Check::new(
        "a_dropped_handle_leaves_its_task",
        a_dropped_handle_leaves_its_task,
    ),
    Check::new("ready_when_a_destructor_panics", ready_when_a_destructor_panics).look(
        "the task is over, and its destructor has panicked. Does something that is dropped by then give the handle its result?",
    ),
    Check::new(
        "handle_polled_at_any_moment",
        moments::handle_polled_at_any_moment,
    ),
];
pub(super) const ABORT: &[Check] = &[
    Check::new("an_aborted_task_is_dropped", an_aborted_task_is_dropped),
    Check::new("abort_after_the_end", abort_after_the_end),
    Check::new("shutdown_drops_all", shutdown_drops_all),
    Check::new("aborted_at_every_step", moments::aborted_at_every_step),
];

fn a_handle_is_send_and_sync() {
    fn sent<T: Send + Sync + 'static>(_: fn(T)) {}
    sent::<JoinHandle<Cell<u8>>>(|_| ());
    let output = run(async { watch("the handle", spawn(async { 7 })).await });
    assert!(
        matches!(output, Ok(7)),
        "a handle gives the output of its task"
    );
}

pub(super) struct Drops(pub(super) Arc<AtomicUsize>);

impl Drop for Drops {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// How often had what the task owns been dropped when its end was first seen?
#[derive(Clone, Default)]
struct Seen {
    drops: Arc<AtomicUsize>,
    first: Arc<OnceLock<usize>>,
}

impl Seen {
    fn look(&self) {
        let _ = self.first.set(self.drops.load(SeqCst));
    }
}

struct Sees {
    seen: Seen,
    passes_on: Waker,
}

impl Wake for Sees {
    fn wake(self: Arc<Self>) {
        self.seen.look();
        self.passes_on.wake_by_ref();
    }
}

fn dropped_before_the_result() {
    let seen = Seen::default();
    let output = run(async {
        let owned = Drops(seen.drops.clone());
        let mut sleeps = Box::pin(sleep(Duration::from_millis(1)));
        // Owns it until it is dropped itself, unlike an async block, which drops what it owns before it is ready.
        let task = poll_fn(move |cx| {
            let _ = &owned;
            sleeps.as_mut().poll(cx).map(|()| 7)
        });
        let mut handle = watch("the handle", spawn(watch("the task", task)));
        poll_fn(|cx| {
            let sees = Sees {
                seen: seen.clone(),
                passes_on: cx.waker().clone(),
            };
            let waker = Waker::from(Arc::new(sees));
            let polled = Pin::new(&mut handle).poll(&mut Context::from_waker(&waker));
            // The task may have ended before this poll, and then no waker is called.
            if polled.is_ready() {
                seen.look();
            }
            polled
        })
        .await
    });
    assert!(matches!(output, Ok(7)), "the output of the task");
    assert_eq!(
        seen.first.get(),
        Some(&1),
        "how often what the task owns was dropped by the time at which its handle was ready, or the handle's waker was called"
    );
}

fn a_dropped_handle_leaves_its_task() {
    let (end, ended) = oneshot::channel();
    let output = run(async {
        drop(spawn(watch("a task whose handle is dropped", async {
            sleep(Duration::from_millis(1)).await;
            let _ = end.send(7);
        })));
        ended.await
    });
    assert_eq!(
        output,
        Ok(7),
        "what a task has sent whose handle was dropped: dropping a handle must not drop the task"
    );
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        if !thread::panicking() {
            panic::resume_unwind(Box::new("the destructor of a task panics, on purpose"));
        }
    }
}

/// The task is ready, and then its destructor panics. Its handle may say either, and must not wait.
fn ready_when_a_destructor_panics() {
    run(async {
        let owned = PanicsWhenDropped;
        let task = poll_fn(move |_| {
            let _ = &owned;
            Poll::Ready(7)
        });
        let handle = spawn(task);
        drop(watch("the handle of a task whose destructor panics", handle).await);
    });
}

fn an_aborted_task_is_dropped() {
    let (polls, drops) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counts, owned) = (polls.clone(), Drops(drops.clone()));
    run(async {
        let task = spawn(async move {
            let _owned = owned;
            poll_fn(|cx| {
                counts.fetch_add(1, SeqCst);
                cx.waker().wake_by_ref();
                Poll::<()>::Pending
            })
            .await;
        });
        watch("a sleep", sleep(Duration::from_millis(2))).await;
        task.abort();
        let joined = watch("the handle of an aborted task", task).await;
        assert!(
            matches!(joined, Err(JoinError::Aborted)),
            "the handle of an aborted task says `Aborted`"
        );
        let then = polls.load(SeqCst);
        watch("a sleep", sleep(Duration::from_millis(2))).await;
        assert_eq!(
            (polls.load(SeqCst) - then, drops.load(SeqCst)),
            (0, 1),
            "polls of an aborted task after its handle was ready, and how often it was dropped"
        );
    });
}

/// An abort that comes too late changes nothing.
fn abort_after_the_end() {
    let output = run(async {
        let task = spawn(async { 7 });
        watch("a sleep", sleep(Duration::from_millis(2))).await;
        task.abort();
        watch("the handle", task).await.ok()
    });
    assert_eq!(
        output,
        Some(7),
        "the output of a task that was aborted when it was finished already"
    );
}

fn shutdown_drops_all() {
    let drops = Arc::new(AtomicUsize::new(0));
    let handles: Vec<_> = {
        let runtime = Runtime::new(1);
        runtime.block_on(async {
            let tasks = (0..3).map(|number| {
                let owned = Drops(drops.clone());
                spawn(async move {
                    let _owned = owned;
                    match number {
                        0 => sleep(Duration::from_secs(3600)).await,
                        _ => std::future::pending().await,
                    }
                })
            });
            let handles = tasks.collect();
            watch("a sleep", sleep(Duration::from_millis(2))).await;
            handles
        })
    };
    assert_eq!(
        drops.load(SeqCst),
        3,
        "how many of three waiting tasks were dropped when their runtime was"
    );
    for handle in handles {
        let joined = futures::executor::block_on(watch("a handle whose runtime is gone", handle));
        assert!(
            matches!(joined, Err(JoinError::Aborted)),
            "the handle of a task that was dropped with its runtime says `Aborted`"
        );
    }
}
