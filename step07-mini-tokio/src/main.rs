//! One program on our runtime and on tokio, ten thousand tasks on both, a future that changes its task, and a task that
//! never has to wait.

use std::{future::Future, time::Duration};

use step07_mini_tokio::{
    MiniTokio, Polls, Reactor,
    fairness::{Awaits, await_ready, full_channel, receive_all, receive_fairly},
    hand_over, sleep,
};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

fn main() {
    one_program();
    many_tasks();
    handed_over();
    neighbours();
}

// ANCHOR: program
/// Sends three ticks, 50 ms apart.
async fn clock(ticks: UnboundedSender<u32>) {
    for tick in 1..=3 {
        sleep(Duration::from_millis(50)).await;
        let _ = ticks.send(tick);
    }
}

/// Prints each tick, until the clock has stopped.
async fn reader(mut ticks: UnboundedReceiver<u32>) {
    while let Some(tick) = ticks.recv().await {
        println!("      tick {tick}");
    }
}
// ANCHOR_END: program

fn one_program() {
    println!(
        "1. A clock ticks three times, and a reader prints the ticks. How often is each task polled?"
    );
    println!("   on mini-tokio");
    let (clock_polls, reader_polls) = (Polls::default(), Polls::default());
    // ANCHOR: mini
    let (sender, receiver) = mpsc::unbounded_channel();
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(clock_polls.count(clock(sender)));
    mini_tokio.spawn(reader_polls.count(reader(receiver)));
    mini_tokio.run();
    // ANCHOR_END: mini
    println!("   polls of the clock: {clock_polls}, of the reader: {reader_polls}");

    println!("   on tokio");
    let (clock_polls, reader_polls) = (Polls::default(), Polls::default());
    on_tokio(&clock_polls, &reader_polls);
    println!("   polls of the clock: {clock_polls}, of the reader: {reader_polls}");
}

// ANCHOR: on_tokio
#[tokio::main(flavor = "current_thread")]
async fn on_tokio(clock_polls: &Polls, reader_polls: &Polls) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let clock = tokio::spawn(clock_polls.count(clock(sender)));
    let reader = tokio::spawn(reader_polls.count(reader(receiver)));
    // `Err` if the task panicked; the panic message has already been printed.
    let _ = (clock.await, reader.await);
}
// ANCHOR_END: on_tokio

const TASKS: usize = 10_000;

fn many_tasks() {
    println!("2. 10000 tasks, each of which sleeps for 100 ms");
    let polls = Polls::default();
    let mini_tokio = MiniTokio::new();
    for _ in 0..TASKS {
        mini_tokio.spawn(polls.count(sleep(Duration::from_millis(100))));
    }
    mini_tokio.run();
    println!("   polls on mini-tokio: {polls}");

    let polls = Polls::default();
    many_on_tokio(&polls);
    println!("   polls on tokio: {polls}");
    println!(
        "   threads started for all sleeps so far: {}",
        Reactor::threads_started()
    );
}

#[tokio::main(flavor = "current_thread")]
async fn many_on_tokio(polls: &Polls) {
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| tokio::spawn(polls.count(sleep(Duration::from_millis(100)))))
        .collect();
    for task in tasks {
        let _ = task.await;
    }
}

fn handed_over() {
    println!("3. One task polls a sleep once, and another task awaits it. Which of them is woken?");
    let (first, second) = (Polls::default(), Polls::default());
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    let count_second = second.clone();
    mini_tokio.spawn(first.count(async move {
        let sleep = hand_over(Box::pin(sleep(Duration::from_millis(300)))).await;
        handle.spawn(count_second.count(sleep));
    }));
    mini_tokio.run();
    println!("   polls of the first task: {first}, of the second: {second}");
    println!("   The second, because a timer keeps the waker of its latest poll.");
}

/// Prints how many awaits of a task that never has to wait pass before its neighbour is polled.
fn neighbours() {
    println!(
        "4. A task receives 1000 messages that are there already. Its neighbour's first poll comes after"
    );
    let receive = |awaits| receive_all(full_channel(1_000), awaits);
    let shares = |awaits| receive_fairly(full_channel(1_000), 100, awaits);
    let ready = |awaits| await_ready(1_000, awaits);
    on_mini_tokio_beside(
        "mini-tokio, because a ready await does not leave the poll",
        receive,
    );
    on_mini_tokio_beside("mini-tokio, if the task yields after every 100", shares);
    on_tokio_beside(
        "tokio, whose channel is Pending once the task's budget of 128 is spent",
        receive,
    );
    on_tokio_beside(
        "tokio, if what's awaited is std's `ready`, which knows no budget",
        ready,
    );
}

fn on_mini_tokio_beside<F>(what: &'static str, task: impl FnOnce(Awaits) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let awaits = Awaits::default();
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(task(awaits.clone()));
    mini_tokio.spawn(async move { println!("   {:4} awaits on {what}", awaits.get()) });
    mini_tokio.run();
}

#[tokio::main(flavor = "current_thread")]
async fn on_tokio_beside<F>(what: &'static str, task: impl FnOnce(Awaits) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let awaits = Awaits::default();
    let task = tokio::spawn(task(awaits.clone()));
    let neighbour = tokio::spawn(async move { println!("   {:4} awaits on {what}", awaits.get()) });
    // `Err` if the task panicked; the panic message has already been printed.
    let _ = (task.await, neighbour.await);
}
