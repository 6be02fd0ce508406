//! Rung 2.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use futures::{
    StreamExt,
    channel::{mpsc, oneshot},
};
use probe::watch;
use steps::plan;
use yours::spawn;

use super::{Check, block_on::woken, moments, run, waiting_task, yield_now};
use crate::referee::until_rest;

pub(super) const CHECKS: &[Check] = &[
    Check::new("polled_as_often_as_woken", polled_as_often_as_woken),
    Check::new("a_task_may_spawn", a_task_may_spawn),
    Check::new("a_chain_of_spawns", a_chain_of_spawns),
    Check::new("the_root_takes_turns", the_root_takes_turns),
    Check::new(
        "task_woken_at_any_moment",
        moments::task_woken_at_any_moment,
    ),
    Check::new(
        "task_polled_during_a_wake",
        moments::task_polled_during_a_wake,
    ),
    Check::new("queued_once", queued_once).look(
        "what does a wake do with a task that is in the queue already? It has to leave the queue as it is: one entry for each task.",
    ),
    Check::new(
        "task_woken_at_any_moment_of_a_wake",
        moments::task_woken_at_any_moment_of_a_wake,
    ),
];

/// So long something may take that takes no time.
const PATIENCE: Duration = Duration::from_secs(2);

fn polled_as_often_as_woken() {
    let counts: Vec<Arc<AtomicUsize>> = (0..10).map(|_| Arc::default()).collect();
    run(async {
        let (tell, mut told) = mpsc::unbounded::<()>();
        for (number, polls) in counts.iter().cloned().enumerate() {
            let tell = tell.clone();
            spawn(watch(format!("task {number}"), async move {
                woken(3, polls).await;
                drop(tell);
            }));
        }
        drop(tell);
        told.next().await;
    });
    let counts: Vec<_> = counts.iter().map(|polls| polls.load(SeqCst)).collect();
    assert_eq!(
        counts, [4; 10],
        "polls of ten tasks, each of which was woken three times"
    );
}

fn a_task_may_spawn() {
    let output = run(async {
        let (end, ended) = oneshot::channel();
        spawn(watch("the outer task", async {
            spawn(watch("the inner task", async {
                let _ = end.send(7);
            }));
        }));
        ended.await
    });
    assert_eq!(output, Ok(7), "what the inner task has sent");
}

/// Each task spawns the next one. If that one is polled inside `spawn`, the stack grows with each.
fn a_chain_of_spawns() {
    const LINKS: usize = 50_000;
    fn link(number: usize, last: oneshot::Sender<usize>) {
        spawn(async move {
            if number < LINKS {
                link(number + 1, last);
            } else {
                let _ = last.send(number);
            }
        });
    }
    let output = run(async {
        let (last, end) = oneshot::channel();
        link(1, last);
        watch(
            "the end of a chain of tasks, each of which spawns the next",
            end,
        )
        .await
    });
    assert_eq!(
        output,
        Ok(LINKS),
        "the number of the last task of the chain"
    );
}

/// A task in the queue is woken again and again, while another task keeps the thread that would poll it. Each of these wakes would be an
/// entry of the queue if the task were put there once more, and an entry is at least one step for the thread that takes it out.
fn queued_once() {
    const WAKES: usize = 10_000;
    let (polls, steps) = run(async {
        let (waker, polls) = waiting_task().await;
        let (tell, told) = oneshot::channel();
        spawn(async move {
            (0..WAKES / 2).for_each(|_| waker.wake_by_ref());
            let elsewhere = thread::spawn(move || {
                (0..WAKES / 2).for_each(|_| waker.wake_by_ref());
            });
            elsewhere.join().expect("a wake doesn't panic");
            let before = plan::taken();
            thread::spawn(move || {
                until_rest();
                let _ = tell.send((polls.load(SeqCst) - 1, plan::taken() - before));
            });
        });
        told.await.expect("the thread sends it")
    });
    assert!(
        polls == 1 && steps < WAKES / 10,
        "A task that was in the queue already was woken {WAKES} times. Then it was polled {polls} times in place of once, and your runtime \
         took {steps} steps before it slept: locks, atomics and so on."
    );
}

/// A root future that wakes itself in each poll, beside a task that does the same.
fn the_root_takes_turns() {
    const ENOUGH: usize = 25;
    let polls = Arc::new(AtomicUsize::new(0));
    let counts = polls.clone();
    let start = Instant::now();
    run(async {
        spawn(poll_fn(move |cx| {
            counts.fetch_add(1, SeqCst);
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        }));
        while polls.load(SeqCst) < ENOUGH && start.elapsed() < PATIENCE {
            yield_now().await;
        }
    });
    let polls = polls.load(SeqCst);
    assert!(
        polls >= ENOUGH,
        "The root future and a task woke themselves in each of their polls. In {PATIENCE:?} the task was polled {polls} times: the root \
         future was polled all the time."
    );
}
