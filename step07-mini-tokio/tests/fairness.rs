//! How many awaits of a task that never has to wait pass before its neighbour is polled: on mini-tokio and on tokio.

// Thousands of awaits, in safe code on one thread. The runtime itself is run by Miri in mini_tokio.rs.
#![cfg(not(miri))]

use std::{future::Future, pin::Pin, sync::mpsc, time::Duration};

use probe::{Counted, within};
use step07_mini_tokio::{
    MiniTokio,
    fairness::{Awaits, await_ready, full_channel, receive_all, receive_fairly},
};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

const MESSAGES: usize = 1_000;

/// Runs two tasks to the end, the first of which is polled first.
type Run = fn([Task; 2]);

fn on_mini_tokio(tasks: [Task; 2]) {
    let mini_tokio = MiniTokio::new();
    tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
    mini_tokio.run();
}

fn on_tokio(tasks: [Task; 2]) {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    tokio.block_on(async {
        for task in tasks.map(tokio::spawn) {
            task.await.unwrap();
        }
    });
}

/// How many awaits of the first task the neighbour waited for, and how often the first task was polled in all.
fn waits<F>(run: Run, first: impl FnOnce(Awaits) -> F) -> (usize, usize)
where
    F: Future<Output = ()> + Send + 'static,
{
    let awaits = Awaits::default();
    let first = Counted::new(first(awaits.clone()));
    let counts = first.counts();
    let (send, waited) = mpsc::channel();
    let neighbour = {
        let awaits = awaits.clone();
        async move { send.send(awaits.get()).unwrap() }
    };
    within(Duration::from_secs(20), move || {
        run([Box::pin(first), Box::pin(neighbour)]);
    });
    assert_eq!(awaits.get(), MESSAGES);
    (waited.recv().unwrap(), counts.polls())
}

#[test]
fn on_mini_tokio_the_neighbour_waits_until_the_channel_is_empty() {
    let greedy = |awaits| receive_all(full_channel(MESSAGES), awaits);
    assert_eq!(waits(on_mini_tokio, greedy), (MESSAGES, 1));
}

#[test]
fn on_tokio_the_budget_of_128_ends_the_poll() {
    let greedy = |awaits| receive_all(full_channel(MESSAGES), awaits);
    // 1,000 messages are seven budgets of 128 and 104 more.
    assert_eq!(waits(on_tokio, greedy), (128, 8));
}

#[test]
fn yielding_after_100_messages_lets_a_neighbour_wait_for_100() {
    let fair = |awaits| receive_fairly(full_channel(MESSAGES), 100, awaits);
    // It yields after the last message too.
    for run in [on_mini_tokio as Run, on_tokio] {
        assert_eq!(waits(run, fair), (100, 11));
    }
}

#[test]
fn the_budget_does_not_see_a_future_that_is_not_tokios() {
    for run in [on_mini_tokio as Run, on_tokio] {
        assert_eq!(
            waits(run, |awaits| await_ready(MESSAGES, awaits)),
            (MESSAGES, 1)
        );
    }
}

#[test]
fn the_budget_does_not_see_a_notify_of_tokios() {
    let notified = |awaits: Awaits| async move {
        let notify = tokio::sync::Notify::new();
        for _ in 0..MESSAGES {
            notify.notify_one();
            notify.notified().await;
            await_ready(1, awaits.clone()).await;
        }
    };
    assert_eq!(waits(on_tokio, notified), (MESSAGES, 1));
}

#[test]
fn consume_budget_lets_any_future_take_part() {
    let consumes = |awaits: Awaits| async move {
        for _ in 0..MESSAGES {
            await_ready(1, awaits.clone()).await;
            tokio::task::coop::consume_budget().await;
        }
    };
    // The 129th round finds the budget used up, after its own await.
    assert_eq!(waits(on_tokio, consumes), (129, 8));
    assert_eq!(waits(on_mini_tokio, consumes), (MESSAGES, 1));
}
