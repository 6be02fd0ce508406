//! Two timers one after the other, then joined, then a thousand of them on each version of the reactor.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use futures::{executor::block_on, future::try_join_all, try_join};
use step06_reactor::{Polls, Reactor, Timer, TimerError};

fn main() -> ExitCode {
    match demo() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("step06-reactor: {error}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> Result<(), TimerError> {
    println!("1. Version 2, two timers one after the other");
    measure(Reactor::new, async |reactor| {
        let start = Instant::now();
        got(1, reactor, start).await?;
        got(2, reactor, start).await
    })?;

    // ANCHOR: joined
    println!("2. Version 2, the same two joined");
    measure(Reactor::new, async |reactor| {
        let start = Instant::now();
        try_join!(got(1, reactor, start), got(2, reactor, start))?;
        Ok(())
    })?;
    // ANCHOR_END: joined

    println!("3. Version 1, 1000 timers of 100 ms (wakes that come together share a poll)");
    measure(Reactor::with_thread_per_timer, thousand)?;

    println!("4. Version 2, 1000 timers of 100 ms");
    measure(Reactor::new, thousand)
}

async fn got(number: u64, reactor: &Reactor, start: Instant) -> Result<(), TimerError> {
    Timer::new(reactor, Duration::from_secs(number)).await?;
    println!(
        "Got {number} at time: {:.2}.",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

async fn thousand(reactor: &Reactor) -> Result<(), TimerError> {
    let timer = |_| Timer::new(reactor, Duration::from_millis(100));
    try_join_all((0..1_000).map(timer)).await?;
    Ok(())
}

fn measure(
    new_reactor: fn() -> std::sync::Arc<Reactor>,
    run: impl AsyncFnOnce(&Reactor) -> Result<(), TimerError>,
) -> Result<(), TimerError> {
    let (polls, threads) = (Polls::default(), Reactor::threads_started());
    let start = Instant::now();
    let reactor = new_reactor();
    block_on(polls.count(run(&reactor)))?;
    let elapsed = start.elapsed().as_millis();
    let threads = Reactor::threads_started() - threads;
    println!("   polls: {polls}, threads: {threads}, time: {elapsed} ms");
    Ok(())
}
