//! Task A waits for task B in a `block_on` of its own: what happens on which executor. Chapter 05 says so.

// What is blocked stays blocked until the process ends, and Miri reports threads that are left over.
#![cfg(not(miri))]

use std::{
    future::Future,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use futures::channel::oneshot;
use step04_channel_executor::executor;
use step05_parker_block_on::block_on;
use tokio::runtime::{Builder, Runtime};

/// What hangs is seen after this time. What ends has more.
const A_MOMENT: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(20);

const HANGS: &str = "it hangs";
const DONE: &str = "done";

/// What A waits for, what B sends, and what A says in the end.
type Wait = (oneshot::Receiver<()>, oneshot::Sender<()>, Sender<()>);

#[track_caller]
fn assert_outcome(says: &str, run: impl FnOnce(Wait) + Send + 'static) {
    let ((answers, answer), (done, is_done)) = (oneshot::channel(), mpsc::channel());
    thread::spawn(move || run((answer, answers, done)));
    let limit = if says == HANGS { A_MOMENT } else { LIMIT };
    let outcome = match is_done.recv_timeout(limit) {
        Ok(()) => DONE,
        Err(RecvTimeoutError::Timeout) => HANGS,
        Err(RecvTimeoutError::Disconnected) => "it panicked",
    };
    assert_eq!(outcome, says);
}

/// Task A: blocks its thread until B has answered.
async fn blocks(answer: oneshot::Receiver<()>, done: Sender<()>) {
    block_on(answer).unwrap();
    done.send(()).unwrap();
}

/// Task B.
async fn answers(sender: oneshot::Sender<()>) {
    let _ = sender.send(());
}

fn one_thread() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn two_threads() -> Runtime {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(2).build().unwrap()
}

fn on_one_thread(a: impl Future<Output = ()> + Send + 'static, sender: oneshot::Sender<()>) {
    let tokio = one_thread();
    let a = tokio.spawn(a);
    tokio.spawn(answers(sender));
    tokio.block_on(a).unwrap();
}

#[test]
fn a_nested_block_on_waits_for_a_sibling() {
    assert_outcome(HANGS, |(answer, sender, done)| {
        let (executor, spawner) = executor();
        spawner.spawn(blocks(answer, done));
        spawner.spawn(answers(sender));
        drop(spawner);
        executor.run();
    });
    assert_outcome(HANGS, |(answer, sender, done)| {
        on_one_thread(blocks(answer, done), sender);
    });
    assert_outcome(HANGS, |(answer, sender, done)| {
        let a = async move {
            tokio::spawn(answers(sender));
            blocks(answer, done).await;
        };
        let tokio = two_threads();
        tokio.block_on(tokio.spawn(a)).unwrap();
    });
}

#[test]
fn another_thread_can_poll_what_it_has_spawned() {
    assert_outcome(DONE, |(answer, sender, done)| {
        let tokio = two_threads();
        let (tell, is_polled) = mpsc::channel();
        let a = tokio.spawn(async move {
            tell.send(()).unwrap();
            blocks(answer, done).await;
        });
        is_polled.recv().unwrap();
        tokio.spawn(answers(sender));
        tokio.block_on(a).unwrap();
    });
}

#[test]
fn a_task_that_awaits_does_not_block() {
    assert_outcome(DONE, |(answer, sender, done)| {
        let a = async move {
            answer.await.unwrap();
            done.send(()).unwrap();
        };
        on_one_thread(a, sender);
    });
}
