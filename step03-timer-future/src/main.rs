//! One function written in three ways, which take the same polls. Then an `async fn` and a state machine that only look
//! alike, and two tasks on one signal.

use std::{
    future::{Future, poll_fn},
    rc::Rc,
    time::{Duration, Instant},
};

use futures::{
    executor::{LocalPool, block_on},
    task::LocalSpawnExt,
};
use step03_timer_future::{MyFuture, Nap, Polls, Signal, my_future, nap, nap_expanded};

const NAP: Duration = Duration::from_millis(300);

fn main() {
    println!(
        "One function in three forms. Each takes two polls: up to its timer of 300 ms, and on to its end"
    );
    println!("1. As an async fn");
    run(nap(NAP));
    println!(
        "2. With its .await written out: a loop that polls, and leaves the function if pending"
    );
    run(nap_expanded(NAP));
    println!("3. As a state machine by hand, with one state for the .await");
    run(Nap::Start(NAP));

    println!("4. A state machine by hand that yields twice: it wakes itself and returns Pending");
    run(MyFuture::Start);
    println!("5. An async fn that prints the same three words, with no .await");
    run(my_future());
    println!(
        "   An async fn can be suspended only at an .await. This one has none, so one poll runs it to its end."
    );

    println!("6. Two tasks poll a signal, which keeps the latest poll's waker. Then it is fired");
    two_tasks_on_one_signal();
}

/// Runs a future, and prints what that cost.
fn run(future: impl Future<Output = &'static str>) {
    let (polls, start) = (Polls::default(), Instant::now());
    let output = block_on(polls.count(future));
    let elapsed = start.elapsed().as_millis();
    println!("   output: {output:?}, polls: {polls}, time: {elapsed} ms");
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
    println!("   The second task's waker replaced the first's, so the first would wait forever.");
}
// ANCHOR_END: two
