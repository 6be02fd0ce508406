//! Two tasks that wait at the same time, on one thread.

use std::{
    future::{Future, poll_fn},
    mem,
    pin::Pin,
    sync::Arc,
    task::ready,
    time::{Duration, Instant},
};

use step04_channel_executor::{Polls, Signal, TimerFuture, executor};

pub fn show() {
    println!("5. Two tasks sleep for 100 and 400 ms on one thread. Each Pending prints ...zzz");
    let (polls, threads) = (Polls::default(), TimerFuture::threads_started());
    let start = Instant::now();
    let (executor, spawner) = executor();
    // ANCHOR: two_tasks
    let task_1 = polls.count(async {
        println!("      {}", sleep(Duration::from_millis(100)).await);
        println!("      task 1 completed");
    });
    let task_2 = polls.count(async {
        println!("      start");
        println!("      {}", sleep(Duration::from_millis(400)).await);
        println!("      end");
        println!("      task 2 completed");
    });
    // ANCHOR_END: two_tasks
    let (task_1, task_2) = in_order(task_1, task_2);
    spawner.spawn(task_1);
    spawner.spawn(task_2);
    drop(spawner);
    executor.run();
    let threads = TimerFuture::threads_started() - threads;
    let elapsed = start.elapsed().as_millis();
    println!("   polls: {polls}, timer threads: {threads}, time: {elapsed} ms");
}

/// The same tasks, but after its first poll, the second one continues only once the first one is finished.
///
/// The timers see to that, except on a machine that stands still for 300 ms.
fn in_order(
    first: impl Future<Output = ()>,
    second: impl Future<Output = ()> + Unpin,
) -> (impl Future<Output = ()>, impl Future<Output = ()>) {
    let finished = Arc::<Signal>::default();
    let fire = Arc::clone(&finished);
    let first = async move {
        first.await;
        fire.fire();
    };
    let (mut second, mut polled) = (second, false);
    let second = poll_fn(move |cx| {
        if mem::replace(&mut polled, true) {
            ready!(finished.poll_fired(cx));
        }
        Pin::new(&mut second).poll(cx)
    });
    (first, second)
}

/// A timer that prints a line for each poll that is pending.
async fn sleep(duration: Duration) -> &'static str {
    let mut timer = TimerFuture::new(duration);
    poll_fn(|cx| {
        let answer = Pin::new(&mut timer).poll(cx);
        if answer.is_pending() {
            println!("      ...zzz");
        }
        answer
    })
    .await;
    "wake from sleep!"
}
