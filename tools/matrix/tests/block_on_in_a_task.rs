//! Task A waits for task B in a `block_on` of its own: what happens on which executor. Chapter 05 says so.

// What is blocked stays blocked until the process ends, and Miri reports threads that are left over.
#![cfg(not(miri))]

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use futures::channel::oneshot::{self, Receiver, Sender};
use step05_parker_block_on::block_on;
use tokio::runtime::{Builder, Runtime};

/// What hangs is seen after this time. What ends has more.
const A_MOMENT: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(20);

const HANGS: Result<(), RecvTimeoutError> = Err(RecvTimeoutError::Timeout);
const DONE: Result<(), RecvTimeoutError> = Ok(());

/// Runs a function that spawns two tasks. A waits for what B sends, and says when it is done.
#[track_caller]
fn assert_outcome<F>(expected: Result<(), RecvTimeoutError>, run: F)
where
    F: FnOnce(Receiver<()>, Sender<()>, mpsc::Sender<()>) + Send + 'static,
{
    let ((answers, answer), (done, is_done)) = (oneshot::channel(), mpsc::channel());
    thread::spawn(move || run(answer, answers, done));
    let limit = if expected == HANGS { A_MOMENT } else { LIMIT };
    assert_eq!(is_done.recv_timeout(limit), expected);
}

/// Task A: blocks its thread until B has answered.
async fn blocks(answer: Receiver<()>, done: mpsc::Sender<()>) {
    block_on(answer).unwrap();
    done.send(()).unwrap();
}

/// Task B.
async fn answers(sender: Sender<()>) {
    let _ = sender.send(());
}

fn tokio(builder: fn() -> Builder) -> Runtime {
    builder().worker_threads(2).build().unwrap()
}

#[test]
fn a_nested_block_on_waits_for_a_sibling() {
    assert_outcome(HANGS, |answer, sender, done| {
        let (executor, spawner) = step04_channel_executor::executor();
        spawner.spawn(blocks(answer, done));
        spawner.spawn(answers(sender));
        drop(spawner);
        executor.run();
    });
    for builder in [Builder::new_current_thread, Builder::new_multi_thread] {
        assert_outcome(HANGS, move |answer, sender, done| {
            let a = async move {
                tokio::spawn(answers(sender));
                blocks(answer, done).await;
            };
            let tokio = tokio(builder);
            tokio.block_on(tokio.spawn(a)).unwrap();
        });
    }
}

#[test]
fn another_thread_can_poll_what_it_has_spawned() {
    assert_outcome(DONE, |answer, sender, done| {
        let (tell, is_polled) = mpsc::channel();
        let tokio = tokio(Builder::new_multi_thread);
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
    assert_outcome(DONE, |answer, sender, done| {
        let a = async move {
            tokio::spawn(answers(sender));
            answer.await.unwrap();
            done.send(()).unwrap();
        };
        let tokio = tokio(Builder::new_current_thread);
        tokio.block_on(tokio.spawn(a)).unwrap();
    });
}
