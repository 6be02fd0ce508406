//! The same task on three executors, its polls counted; two tasks that wait at the same time; what a task does to its
//! neighbour; and tasks that share an `Rc`.

mod demo {
    pub mod neighbours;
}

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    mem,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::ready,
    time::{Duration, Instant},
};

use step04_channel_executor::{
    Polls, Signal, TimerFuture, executor, local, v1_looks_every_10_ms, v2_sends_again,
};

const WAIT: Duration = Duration::from_millis(300);

fn main() {
    version("1. It checks every 10 ms", |polls| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(polls.count(howdy()));
        drop(spawner);
        let start = Instant::now();
        let pauses = executor.run() - 1;
        // How many there are depends on the machine.
        let pause = start.elapsed().as_secs_f64() * 1000.0 / pauses as f64;
        println!("   from one check to the next, time: {pause:.1} ms");
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
    version("4. Two tasks on version 3, of 100 and 400 ms", |polls| {
        let (executor, spawner) = executor();
        // ANCHOR: two_tasks
        let task_1 = polls.count(async {
            println!("{}", sleep(Duration::from_millis(100)).await);
            println!("task 1 completed");
        });
        let task_2 = polls.count(async {
            println!("start");
            println!("{}", sleep(Duration::from_millis(400)).await);
            println!("end");
            println!("task 2 completed");
        });
        // ANCHOR_END: two_tasks
        let (task_1, task_2) = in_order(task_1, task_2);
        spawner.spawn(task_1);
        spawner.spawn(task_2);
        drop(spawner);
        executor.run();
    });
    demo::neighbours::show();
    version("7. A local executor: two tasks share an Rc", |polls| {
        let (executor, spawner) = local::executor();
        let total = Rc::new(Cell::new(0));
        for number in [1, 2] {
            let total = Rc::clone(&total);
            spawner.spawn(polls.count(async move {
                TimerFuture::new(Duration::from_millis(10)).await;
                total.set(total.get() + number);
            }));
        }
        executor.run();
        println!("   total: {}", total.get());
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
    let polls = up_to(1000, polls.get());
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

/// A count that depends on the machine is high, and then it is not printed exactly.
fn up_to(most: usize, count: usize) -> String {
    if count > most {
        return format!("more than {most}");
    }
    count.to_string()
}

async fn howdy() {
    println!("howdy!");
    TimerFuture::new(WAIT).await;
    println!("done!");
}

/// A timer that prints a line for each poll that is pending.
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
