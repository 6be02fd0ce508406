//! An `async fn` and a state machine, twice: a pair that looks alike, and a pair that does the same. Then two tasks on one
//! signal.

use std::{
    future::{Future, poll_fn},
    time::{Duration, Instant},
};

use futures::{
    executor::{LocalPool, block_on},
    task::LocalSpawnExt,
};
use std::rc::Rc;
use step03_timer_future::{
    MyFuture, Nap, Polls, Signal, TimerFuture, my_future, nap, nap_expanded,
};

const NAP: Duration = Duration::from_millis(300);

fn main() {
    println!("1. A state machine by hand, with three states");
    run(MyFuture::Start);
    println!("2. An async fn that prints the same three lines, with no .await");
    run(my_future());

    println!("3. An async fn that awaits a timer of 300 ms");
    run(nap(NAP));
    println!("4. The same with its .await written out");
    run(nap_expanded(NAP));
    println!("5. The same as a state machine by hand");
    run(Nap::Start(NAP));

    println!("6. Two tasks wait for one signal");
    two_tasks_on_one_signal();
}

fn run(future: impl Future<Output = &'static str>) {
    let (polls, threads) = (Polls::default(), TimerFuture::threads_started());
    let start = Instant::now();
    let output = block_on(polls.count(future));
    let elapsed = start.elapsed().as_millis();
    let threads = TimerFuture::threads_started() - threads;
    println!("   {output:?}: polls: {polls}, timer threads: {threads}, time: {elapsed} ms");
}

// ANCHOR: two
fn two_tasks_on_one_signal() {
    let (mut pool, signal) = (LocalPool::new(), Rc::new(Signal::default()));
    let polls = [Polls::default(), Polls::default()];
    for polls in &polls {
        let signal = Rc::clone(&signal);
        let wait = polls.count(poll_fn(move |cx| signal.poll_fired(cx)));
        pool.spawner().spawn_local(wait).expect("the pool is there");
    }
    // Polls each task that has been woken, until no task is left to poll.
    pool.run_until_stalled();
    signal.fire();
    pool.run_until_stalled();
    println!(
        "   polls of the first: {}, of the second: {}",
        polls[0], polls[1]
    );
}
// ANCHOR_END: two
