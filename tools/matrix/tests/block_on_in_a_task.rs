//! Task A waits for task B in a `block_on` of its own: what happens on which executor. Chapter 05 says so.

// What is blocked stays blocked until the process ends, and Miri reports threads that are left over.
#![cfg(not(miri))]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use contract::{Preset, clauses::nesting};
use futures::{
    channel::oneshot,
    executor::{LocalPool, block_on as futures_block_on},
    task::LocalSpawnExt,
};
use step04_channel_executor::executor;
use step05_parker_block_on::block_on;
use tokio::runtime::{Builder, Handle, Runtime};

/// What stays blocked is seen after this time. What ends has more.
const A_MOMENT: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(20);

/// The two ends of one wait: A has the receiver, B the sender.
struct Pair {
    answer: oneshot::Receiver<()>,
    b: B,
    done: Sender<()>,
}

struct B {
    answers: oneshot::Sender<()>,
    polls: Arc<AtomicUsize>,
}

impl B {
    async fn run(self) {
        self.polls.fetch_add(1, SeqCst);
        let _ = self.answers.send(());
    }
}

/// Task A: blocks its thread until B has answered.
async fn waits(answer: oneshot::Receiver<()>, done: Sender<()>) {
    block_on(answer).unwrap();
    done.send(()).unwrap();
}

fn one_thread() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn two_threads() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap()
}

/// What becomes of task A, and how often B is polled. What is expected to end has much time.
fn outcome(run: fn(Pair), limit: Duration) -> String {
    let ((answers, answer), (done, is_done)) = (oneshot::channel(), mpsc::channel());
    let polls = Arc::new(AtomicUsize::new(0));
    let b = B {
        answers,
        polls: polls.clone(),
    };
    let thread = thread::spawn(move || run(Pair { answer, b, done }));
    let a = match is_done.recv_timeout(limit) {
        Ok(()) => "done",
        Err(RecvTimeoutError::Timeout) => "hangs",
        Err(RecvTimeoutError::Disconnected) => {
            let payload = thread.join().expect_err("it neither ended nor panicked");
            return contract::message(&*payload);
        }
    };
    format!("{a}, polls of B: {}", polls.load(SeqCst))
}

const HANGS: &str = "hangs, polls of B: 0";
const DONE: &str = "done, polls of B: 1";

#[track_caller]
fn assert_outcome(says: &str, run: fn(Pair)) {
    let limit = if says == HANGS { A_MOMENT } else { LIMIT };
    let outcome = outcome(run, limit);
    assert!(outcome.starts_with(says), "{outcome}, and not {says}");
}

#[test]
fn a_nested_block_on_waits_for_a_sibling() {
    // Stage 04's executor.
    assert_outcome(HANGS, |pair| {
        let (executor, spawner) = executor();
        spawner.spawn(waits(pair.answer, pair.done));
        spawner.spawn(pair.b.run());
        drop(spawner);
        executor.run();
    });
    assert_outcome(HANGS, |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(waits(pair.answer, pair.done));
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    });
    // With two threads, and A spawns B.
    assert_outcome(HANGS, |pair| {
        let tokio = two_threads();
        let a = tokio.spawn(async move {
            tokio::spawn(pair.b.run());
            waits(pair.answer, pair.done).await;
        });
        tokio.block_on(a).unwrap();
    });
}

#[test]
fn another_thread_can_poll_the_sibling() {
    assert_outcome(DONE, |pair| {
        let tokio = two_threads();
        let (blocks, is_blocking) = mpsc::channel();
        let a = tokio.spawn(async move {
            blocks.send(()).unwrap();
            waits(pair.answer, pair.done).await;
        });
        is_blocking.recv().unwrap();
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    });
    assert_outcome(DONE, |pair| {
        let tokio = two_threads();
        let a = tokio.spawn(async move {
            tokio::spawn(pair.b.run());
            tokio::task::block_in_place(|| block_on(waits(pair.answer, pair.done)));
        });
        tokio.block_on(a).unwrap();
    });
}

#[test]
fn a_task_that_awaits_does_not_block() {
    assert_outcome(DONE, |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move {
            let blocking = tokio::task::spawn_blocking(|| block_on(pair.answer).unwrap());
            blocking.await.unwrap();
            pair.done.send(()).unwrap();
        });
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    });
    assert_outcome(DONE, |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move {
            pair.answer.await.unwrap();
            pair.done.send(()).unwrap();
        });
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    });
}

#[test]
fn some_see_their_own_block_on() {
    assert_outcome(
        "cannot execute `LocalPool` executor from within another",
        |pair| {
            let mut pool = LocalPool::new();
            let a = async { futures_block_on(pair.answer).unwrap() };
            pool.spawner().spawn_local(a).unwrap();
            pool.run();
        },
    );
    assert_outcome("Cannot start a runtime from within a runtime", |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move { Handle::current().block_on(pair.answer).unwrap() });
        let error = tokio.block_on(a).unwrap_err();
        std::panic::resume_unwind(error.into_panic());
    });
}

#[test]
fn pollster_0_4_keeps_what_1_0_1_does_not() {
    const POLLSTER_0_4: Preset = Preset::block_on(pollster04::block_on);
    for clause in [
        nesting::nested,
        nesting::parks_in_poll,
        nesting::waits_in_poll,
    ] {
        assert_eq!(clause(&POLLSTER_0_4), Ok(()));
    }
}
