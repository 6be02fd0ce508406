//! Runs the same two timers side by side, one after the other, and as a race, and prints every poll.

mod demo {
    pub mod after_a;
}

use std::time::Duration;

use demo::after_a::AfterA;
use step02_join::{AndThen, Join, Race, RunLoop, SimpleFuture, Timer, Trace, Traced};

fn main() {
    println!("Two timers, each with a thread: a takes 100 ms, b takes 200 ms.");

    println!("1. Side by side (Join): a wake polls each that is not ready yet");
    let trace = Trace::start();
    let (a, b) = timers(&trace);
    run(Join::new(a, b), &trace);

    println!("2. One after the other (AndThen)");
    let trace = Trace::start();
    let (a, b) = timers(&trace);
    run(AndThen::new(a, b), &trace);

    println!("3. The first one wins (Race)");
    let trace = Trace::start();
    let (a, b) = timers(&trace);
    run(Race::new(a, b), &trace);
}

fn timers(trace: &Trace) -> (Traced<'_, Timer>, Traced<'_, AfterA<'_>>) {
    let [a, b] = [100, 200].map(|ms| Timer::new(Duration::from_millis(ms)));
    let b = AfterA::new(b, trace);
    (Traced::new("a", a, trace), Traced::new("b", b, trace))
}

fn run(pair: impl SimpleFuture, trace: &Trace) {
    let threads = Timer::threads_started();
    RunLoop::new([pair]).run();
    let elapsed = trace.elapsed().as_millis();
    let threads = Timer::threads_started() - threads;
    let dropped = trace.dropped();
    let polls = trace.order().len() - dropped;
    print!("{trace}");
    println!(
        "   polls: {polls}, dropped before ready: {dropped}, timer threads: {threads}, time: {elapsed} ms"
    );
}
