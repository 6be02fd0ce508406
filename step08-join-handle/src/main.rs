//! Results and a panic through handles, the same work on one worker and on two, a task that is woken while it is polled,
//! what an abort and a shutdown do, what becomes of a task whose handle is dropped, and a line of tasks.

mod demo {
    pub mod aborts;
    pub mod counts;
    pub mod dropped_handles;
    pub mod permits;
    pub mod shutdown;
    pub mod woken;
}

use std::{
    panic, thread,
    time::{Duration, Instant},
};

use futures::future::join_all;
use step08_join_handle::Runtime;

fn main() {
    results();
    workers();
    demo::woken::show();
    demo::aborts::show();
    demo::shutdown::show();
    demo::dropped_handles::show();
    demo::permits::show();
}

fn results() {
    println!("1. Four tasks divide, on four workers, and one of them panics. Their handles return");
    // The message of a task's panic comes through its handle, so the hook need not print it.
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() == Some("main") {
            report(info);
        }
    }));
    let runtime = Runtime::new(4);
    let divisors = [1, 2, 0, 3];
    let handles = divisors.map(|divisor| runtime.spawn(async move { 12 / divisor }));
    for (divisor, handle) in divisors.into_iter().zip(handles) {
        match runtime.block_on(handle) {
            Ok(quotient) => println!("   12 / {divisor} is {quotient}"),
            Err(error) => println!("   12 / {divisor}: {error}"),
        }
    }
}

fn workers() {
    println!("2. Eight tasks compute. On two free cores, two workers need half the time of one");
    for (number, workers) in [("on one worker", 1), ("on two workers", 2)] {
        let elapsed = time_of_eight_tasks(&Runtime::new(workers)).as_millis();
        println!("   {number}: time: {elapsed} ms");
    }
}

fn time_of_eight_tasks(runtime: &Runtime) -> Duration {
    let start = Instant::now();
    let task = || runtime.spawn(async { primes_below(20_000) });
    runtime.block_on(join_all([(); 8].map(|()| task())));
    start.elapsed()
}

fn primes_below(limit: u32) -> usize {
    let has_divisor = |n: u32| (2..).take_while(|d| d * d <= n).any(|d| n % d == 0);
    (2..limit).filter(|n| !has_divisor(*n)).count()
}
