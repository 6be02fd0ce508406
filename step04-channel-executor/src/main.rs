//! The same task on three executors, polls counted; then two tasks that sleep at the same time.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    time::{Duration, Instant},
};

use step04_channel_executor::{Polls, TimerFuture, executor, v1_looks_every_10_ms, v2_sends_again};

const WAIT: Duration = Duration::from_millis(300);

fn main() {
    version("1. It looks every 10 ms", |polls| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        let looks = executor.run();
        println!("   looks: {looks}");
    });
    version("2. It sends every pending task again", |polls| {
        let (executor, spawner) = v2_sends_again::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    version("3. It polls when woken", |polls| {
        let (executor, spawner) = executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    version("4. Two tasks on the last one, of 100 and 400 ms", |polls| {
        let (executor, spawner) = executor();
        spawner.spawn(polls.count(async {
            println!("{}", sleep(Duration::from_millis(100)).await);
            println!("task 1 completed");
        }));
        spawner.spawn(polls.count(async {
            println!("start");
            println!("{}", sleep(Duration::from_millis(400)).await);
            println!("end");
            println!("task 2 completed");
        }));
        drop(spawner);
        executor.run();
    });
}

/// Runs one part of the demo, and prints what it cost.
fn version(title: &str, run: impl FnOnce(&Polls)) {
    println!("{title}");
    let (polls, threads) = (Polls::default(), TimerFuture::threads_started());
    let start = Instant::now();
    run(&polls);
    let elapsed = start.elapsed().as_millis();
    let threads = TimerFuture::threads_started() - threads;
    println!("   polls: {polls}, timer threads: {threads}, time: {elapsed} ms");
}

async fn howdy() {
    println!("howdy!");
    TimerFuture::new(WAIT).await;
    println!("done!");
}

/// A timer that says when it is asked in vain.
async fn sleep(duration: Duration) -> &'static str {
    let mut timer = TimerFuture::new(duration);
    poll_fn(|cx| {
        let answer = Pin::new(&mut timer).poll(cx);
        if answer.is_pending() {
            println!("...zzz");
        }
        answer
    })
    .await;
    "wake from sleep!"
}
