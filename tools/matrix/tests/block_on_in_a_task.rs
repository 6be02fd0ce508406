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
use tokio::runtime::Builder;

/// What hangs is seen after this time. What ends has more.
const A_MOMENT: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(20);

/// Runs two tasks, of which A waits for what B sends. `done` is dropped when A is.
#[track_caller]
fn assert_hangs(
    hangs: bool,
    run: impl FnOnce(Receiver<()>, Sender<()>, mpsc::Sender<()>) + Send + 'static,
) {
    let ((answers, answer), (done, is_done)) = (oneshot::channel(), mpsc::channel());
    thread::spawn(move || run(answer, answers, done));
    let outcome = is_done.recv_timeout(if hangs { A_MOMENT } else { LIMIT });
    let expected = if hangs {
        Err(RecvTimeoutError::Timeout)
    } else {
        Ok(())
    };
    assert_eq!(outcome, expected);
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

#[test]
fn a_nested_block_on_waits_for_a_sibling() {
    assert_hangs(true, |answer, sender, done| {
        let (executor, spawner) = step04_channel_executor::executor();
        spawner.spawn(blocks(answer, done));
        spawner.spawn(answers(sender));
        drop(spawner);
        executor.run();
    });
    for mut builder in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        assert_hangs(true, move |answer, sender, done| {
            let a = async move {
                tokio::spawn(answers(sender));
                blocks(answer, done).await;
            };
            let tokio = builder.worker_threads(2).build().unwrap();
            tokio.block_on(tokio.spawn(a)).unwrap();
        });
    }
}

#[test]
fn another_thread_can_poll_what_it_has_spawned() {
    assert_hangs(false, |answer, sender, done| {
        let tokio = Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
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
    assert_hangs(false, |answer, sender, done| {
        let tokio = Builder::new_current_thread().build().unwrap();
        let a = tokio.spawn(async move {
            answer.await.unwrap();
            done.send(()).unwrap();
        });
        tokio.spawn(answers(sender));
        tokio.block_on(a).unwrap();
    });
}
