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
    println!("5. Two tasks sleep for 100 and 400 ms on one thread. A pending sleep prints ...zzz");
    let (polls, start) = (Polls::default(), Instant::now());
    let (executor, spawner) = executor();
    // ANCHOR: two_tasks
    let task_1 = polls.count(async {
        println!("      task 1: start");
        println!("      task 1: {}", sleep("task 1", 100).await);
        println!("      task 1: end");
    });
    let task_2 = polls.count(async {
        println!("      task 2: start");
        println!("      task 2: {}", sleep("task 2", 400).await);
        println!("      task 2: end");
    });
    // ANCHOR_END: two_tasks
    let (task_1, task_2) = in_order(task_1, task_2);
    spawner.spawn(task_1);
    spawner.spawn(task_2);
    drop(spawner);
    executor.run();
    let elapsed = start.elapsed().as_millis();
    println!("   polls: {polls} (two of each task), time: {elapsed} ms (that of the longer sleep)");
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
async fn sleep(task: &str, millis: u64) -> &'static str {
    let mut timer = TimerFuture::new(Duration::from_millis(millis));
    poll_fn(|cx| {
        let answer = Pin::new(&mut timer).poll(cx);
        if answer.is_pending() {
            println!("      {task}: ...zzz");
        }
        answer
    })
    .await;
    "wake from sleep!"
}
