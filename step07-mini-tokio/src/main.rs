//! A task that never has to wait, laziness, two kinds of delay, a future by hand, one program on three runtimes, and a
//! future that changes its task.

use std::{
    future::{Future, poll_fn},
    io, mem,
    net::TcpListener,
    pin::Pin,
    process::ExitCode,
    time::{Duration, Instant},
};

use futures::future::join_all;
use step07_mini_tokio::{
    Delay, MainFuture, MiniTokio, Polls, TimerFuture,
    delay::{self, v2_thread_per_poll},
    fairness::{Awaits, await_ready, full_channel, receive_all, receive_fairly},
    hand_over,
    mini_tokio::v1_queue,
    my_async_fn,
};

fn main() -> ExitCode {
    neighbours();
    if let Err(error) = laziness() {
        eprintln!("step07-mini-tokio: the loopback connection failed: {error}");
        return ExitCode::FAILURE;
    }
    delays();
    runtimes();
    handed_over();
    ExitCode::SUCCESS
}

// The attribute turns it into an ordinary function, which runs this body on tokio.
#[tokio::main(flavor = "current_thread")]
async fn laziness() -> io::Result<()> {
    println!("2. Calling an async fn only creates a future");
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let what_is_this = my_async_fn(listener.local_addr()?);
    println!("      called, but not awaited yet");
    what_is_this.await
}

fn delays() {
    println!("3. Six delays of 20 to 120 ms joined in one task, and the threads that they start");
    // How often a task with several timers is polled depends on how close together their wakes come.
    let until_then = |wait| v2_thread_per_poll::Delay::until(Instant::now() + wait);
    println!("   a thread for each poll, and each delay prints in the end:");
    let (_, cost) = measure(|| six(until_then));
    println!("   {cost}");
    // This timer is what `Delay` has inside, and it prints nothing.
    let (_, cost) = measure(|| six(TimerFuture::new));
    println!("   the latest waker, and one thread for each delay: {cost}");
    println!("4. An async block by hand");
    let (polls, cost) = measure(|| MainFuture::State0);
    println!("   MainFuture: polls: {polls}, {cost}");
}

/// Six delays, joined. Each begins in its first poll, so that none is over by then.
fn six<D: Future<Output: Send>>(delay: fn(Duration) -> D) -> impl Future<Output: Send> {
    let mut joined = join_all(
        (1..=6).map(|number| async move { delay(number * Duration::from_millis(20)).await }),
    );
    let mut polled = false;
    poll_fn(move |cx| {
        if !mem::replace(&mut polled, true) {
            cx.waker().wake_by_ref(); // so that a second poll finds them pending, however busy the machine is later
        }
        Pin::new(&mut joined).poll(cx)
    })
}

fn runtimes() {
    println!("5. One program, three runtimes");
    let polls = Polls::default();
    let mut mini_tokio = v1_queue::MiniTokio::new();
    mini_tokio.spawn(polls.count(program()));
    mini_tokio.run();
    println!(
        "   mini-tokio on a queue: polls: {}",
        up_to(1000, polls.get())
    );

    let polls = Polls::default();
    // ANCHOR: mini
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(polls.count(program()));
    mini_tokio.run();
    // ANCHOR_END: mini
    println!("   mini-tokio on a channel: polls: {polls}");

    let polls = Polls::default();
    on_tokio(polls.count(program()));
    println!("   tokio: polls: {polls}");
}

// ANCHOR: program
async fn program() {
    let when = Instant::now() + Duration::from_millis(100);
    let out = Delay::until(when).await;
    println!("      {out:?}");
}
// ANCHOR_END: program

// ANCHOR: on_tokio
#[tokio::main(flavor = "current_thread")]
async fn on_tokio(future: impl Future<Output = ()> + Send + 'static) {
    // It is an error if the task panicked, and then the message has been printed.
    let _ = tokio::spawn(future).await;
}
// ANCHOR_END: on_tokio

fn handed_over() {
    println!("6. One task polls a delay, and another awaits it");
    let (first, second) = (Polls::default(), Polls::default());
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    let count_second = second.clone();
    mini_tokio.spawn(first.count(async move {
        let when = Instant::now() + Duration::from_millis(300);
        let delay = hand_over(Delay::until(when)).await;
        handle.spawn(count_second.count(async {
            println!("      {:?}", delay.await);
        }));
    }));
    mini_tokio.run();
    println!("   polls of the first task: {first}, of the second: {second}");
}

/// Prints how many awaits of a task that never has to wait pass before its neighbour is polled.
fn neighbours() {
    println!(
        "1. A task makes 1,000 awaits, none of which has to wait. Its neighbour's first poll comes after"
    );
    let receive = |awaits| receive_all(full_channel(1_000), awaits);
    let shares = |awaits| receive_fairly(full_channel(1_000), 100, awaits);
    let ready = |awaits| await_ready(1_000, awaits);
    on_mini_tokio_beside("tokio's channel", receive);
    on_mini_tokio_beside(
        "tokio's channel, if the task yields after every 100",
        shares,
    );
    on_tokio_beside("tokio's channel, which has a budget", receive);
    on_tokio_beside("std's `ready`", ready);
}

fn on_mini_tokio_beside<F>(name: &str, task: impl FnOnce(Awaits) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let awaits = Awaits::default();
    let name = format!("of {name}, on mini-tokio");
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(task(awaits.clone()));
    mini_tokio.spawn(async move { println!("   {:4} awaits {name}", awaits.get()) });
    mini_tokio.run();
}

#[tokio::main(flavor = "current_thread")]
async fn on_tokio_beside<F>(name: &str, task: impl FnOnce(Awaits) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let awaits = Awaits::default();
    let name = format!("of {name}, on tokio");
    let task = tokio::spawn(task(awaits.clone()));
    let neighbour = tokio::spawn(async move { println!("   {:4} awaits {name}", awaits.get()) });
    // Each is an error if the task panicked, and then the message has been printed.
    let _ = (task.await, neighbour.await);
}

/// Runs a future as the only task of a mini-tokio. Returns how often it was polled, and what else it cost.
fn measure<F>(future: impl FnOnce() -> F) -> (usize, String)
where
    F: Future<Output: Send> + Send + 'static,
{
    let (polls, threads) = (Polls::default(), delay::threads_started());
    let start = Instant::now();
    let counted = polls.count(future());
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(async {
        counted.await;
    });
    mini_tokio.run();
    let elapsed = start.elapsed().as_millis();
    let threads = up_to(6, delay::threads_started() - threads);
    (
        polls.get(),
        format!("threads: {threads}, time: {elapsed} ms"),
    )
}

/// A count that depends on the machine is high, and then it is not printed exactly.
fn up_to(most: usize, count: usize) -> String {
    if count > most {
        return format!("more than {most}");
    }
    count.to_string()
}
