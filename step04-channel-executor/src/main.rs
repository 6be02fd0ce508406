//! One task on four executors, its polls counted; what a task does to its neighbour; a waker that is kept; two tasks that
//! wait at the same time; and tasks that share an `Rc`.

mod demo {
    pub mod kept_waker;
    pub mod neighbours;
    pub mod two_tasks;
}

use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, Instant},
};

use step04_channel_executor::{
    Polls, TimerFuture, executor, local, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken,
};

const WAIT: Duration = Duration::from_millis(300);

fn main() {
    println!("1. A task prints howdy!, waits for a timer of 300 ms, and prints done!");
    version("version 1, which checks every 10 ms", |polls| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    version("version 2, which sends every pending task again", |polls| {
        let (executor, spawner) = v2_sends_again::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    version("version 3, which polls when woken", |polls| {
        let (executor, spawner) = v3_polls_when_woken::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    version("version 4, which also cleans up", |polls| {
        let (executor, spawner) = executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        executor.run();
    });
    demo::neighbours::show();
    demo::kept_waker::show();
    demo::two_tasks::show();

    println!("6. A local executor, whose tasks need not be Send: two of them add to one Rc");
    let (polls, total) = (Polls::default(), Rc::new(Cell::new(0)));
    let (executor, spawner) = local::executor();
    for number in [1, 2] {
        let total = Rc::clone(&total);
        spawner.spawn(polls.count(async move {
            TimerFuture::new(Duration::from_millis(10)).await;
            total.set(total.get() + number);
        }));
    }
    executor.run();
    println!("   polls: {polls}, total: {}", total.get());
}

/// Runs one version, and prints what it cost.
fn version(title: &str, run: impl FnOnce(&Polls)) {
    let polls = Polls::default();
    let start = Instant::now();
    run(&polls);
    let elapsed = start.elapsed().as_millis();
    // What depends on the machine is a high count, and then it is not printed exactly.
    let polls = match polls.get() {
        polls @ ..=1000 => polls.to_string(),
        _ => "more than 1000".to_owned(),
    };
    println!("   {title}: {polls} polls, time: {elapsed} ms");
}

async fn howdy() {
    println!("      howdy!");
    TimerFuture::new(WAIT).await;
    println!("      done!");
}
