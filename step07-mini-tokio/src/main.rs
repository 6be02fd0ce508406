//! One program on three runtimes, laziness, two kinds of delay, a future that changes its task, and a task
//! that never has to wait.

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
    Delay, MiniTokio, Polls,
    delay::{self, v2_thread_per_poll},
    fairness::{Awaits, await_ready, full_channel, receive_all, receive_fairly},
    hand_over,
    mini_tokio::v1_queue,
    my_async_fn,
};

fn main() -> ExitCode {
    runtimes();
    if let Err(error) = laziness() {
        eprintln!("step07-mini-tokio: the loopback connection failed: {error}");
        return ExitCode::FAILURE;
    }
    delays();
    handed_over();
    neighbours();
    ExitCode::SUCCESS
}

fn runtimes() {
    println!(
        "1. A task awaits a delay, which prints Hello world after 100 ms. How often is the task polled?"
    );
    println!("   mini-tokio on a queue (version 1) polls its tasks in turn, without a pause");
    let polls = Polls::default();
    let so_far = polls.clone();
    let mut mini_tokio = v1_queue::MiniTokio::new();
    mini_tokio.spawn(polls.count(async move {
        program().await;
        // A machine that stands still for 100 ms polls the program less often.
        while so_far.get() <= 1_000 {
            futures::pending!();
        }
    }));
    mini_tokio.run();
    println!("   polls: {}", up_to(1000, polls.get()));

    println!("   mini-tokio on a channel (version 2) polls a task when it has been woken");
    let polls = Polls::default();
    // ANCHOR: mini
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(polls.count(program()));
    mini_tokio.run();
    // ANCHOR_END: mini
    println!("   polls: {polls}");

    println!("   tokio");
    let polls = Polls::default();
    on_tokio(polls.count(program()));
    println!("   polls: {polls}");
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

// The attribute turns it into an ordinary function, which runs this body on tokio.
#[tokio::main(flavor = "current_thread")]
async fn laziness() -> io::Result<()> {
    println!("2. An async fn connects by TCP. A call only makes a future, which the await runs");
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let what_is_this = my_async_fn(listener.local_addr()?);
    println!("      called, but not awaited yet");
    what_is_this.await
}

fn delays() {
    println!("3. Delays of 50 and 100 ms, joined: each wake polls all that are not ready yet");
    // How often a task with several timers is polled depends on how close together their wakes come.
    let until_then = |wait| v2_thread_per_poll::Delay::until(Instant::now() + wait);
    println!("   if a delay starts a thread in each poll, with the waker of that poll");
    println!("   {}", measure(two(until_then)));
    let until_then = |wait| Delay::until(Instant::now() + wait);
    println!("   if it starts one thread, and stores the waker of its latest poll for it");
    println!("   {}", measure(two(until_then)));
}

/// Two delays, joined. Each begins in its first poll, so that none is over by then.
fn two<D: Future<Output: Send>>(delay: fn(Duration) -> D) -> impl Future<Output: Send> {
    let mut joined = join_all(
        (1..=2).map(|number| async move { delay(number * Duration::from_millis(50)).await }),
    );
    let mut polled = false;
    poll_fn(move |cx| {
        if !mem::replace(&mut polled, true) {
            cx.waker().wake_by_ref(); // so that a second poll finds them pending, however busy the machine is later
        }
        Pin::new(&mut joined).poll(cx)
    })
}

fn handed_over() {
    println!("4. One task polls a delay once, and another task awaits it. Which of them is woken?");
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
    println!("   The second, because a delay stores the waker of its latest poll.");
}

/// Prints how many awaits of a task that never has to wait pass before its neighbour is polled.
fn neighbours() {
    println!(
        "5. A task receives 1000 messages that are there already. Its neighbour's first poll comes after"
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
        "tokio, if they are of std's `ready`, which knows no budget",
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
    // Each is an error if the task panicked, and then the message has been printed.
    let _ = (task.await, neighbour.await);
}

/// Runs a future as the only task of a mini-tokio, and returns what that cost.
fn measure(future: impl Future<Output: Send> + Send + 'static) -> String {
    let (start, threads) = (Instant::now(), delay::threads_started());
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(async {
        future.await;
    });
    mini_tokio.run();
    let elapsed = start.elapsed().as_millis();
    let threads = up_to(2, delay::threads_started() - threads);
    format!("threads started: {threads}, time: {elapsed} ms")
}

/// A count that depends on the machine is high, and then it is not printed exactly.
fn up_to(most: usize, count: usize) -> String {
    if count > most {
        return format!("more than {most}");
    }
    count.to_string()
}
