//! Timers on a reactor: two one after the other, two joined, and a thousand on each version. Then a timeout that
//! cancels a reader.

use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{
    channel::mpsc::{UnboundedSender, unbounded},
    executor::block_on,
    future::try_join_all,
    try_join,
};
use step06_reactor::{Polls, Reactor, Timer, TimerError, read_line, read_line_into, timeout};

const LIMIT: Duration = Duration::from_millis(10);

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
    println!(
        "1. One thread for all timers (version 2). Two timers, of 100 and 200 ms, one after the other"
    );
    measure(None, async |reactor| {
        let start = Instant::now();
        got(1, reactor, start).await?;
        got(2, reactor, start).await
    })?;

    println!("2. The same two, joined");
    measure(Some(3), async |reactor| {
        let start = Instant::now();
        try_join!(got(1, reactor, start), got(2, reactor, start))?;
        Ok(())
    })?;

    println!("3. A thread per timer, and one that starts them (version 1). 1000 timers of 100 ms");
    thousand(Reactor::with_thread_per_timer)?;

    println!("4. One thread for all timers (version 2). 1000 timers of 100 ms");
    thousand(Reactor::new)?;

    println!(
        "5. A read gets \"hel\" and waits. A timeout drops it. Then \"lo\\n\" arrives. What does a new read return?"
    );
    let reactor = Reactor::new();
    received(
        "read_line keeps \"hel\" in itself",
        &block_on(forgetful(&reactor))?,
    );
    received(
        "read_line_into keeps it in its caller's line",
        &block_on(careful(&reactor))?,
    );
    Ok(())
}

async fn got(number: u64, reactor: &Reactor, start: Instant) -> Result<(), TimerError> {
    Timer::new(reactor, Duration::from_millis(number * 100)).await?;
    let elapsed = start.elapsed().as_millis();
    println!("      got {number} at time: {elapsed} ms");
    Ok(())
}

fn measure(
    most: Option<usize>,
    run: impl AsyncFnOnce(&Reactor) -> Result<(), TimerError>,
) -> Result<(), TimerError> {
    let (polls, threads) = (Polls::default(), Reactor::threads_started());
    let start = Instant::now();
    let reactor = Reactor::new();
    block_on(polls.count(run(&reactor)))?;
    let elapsed = start.elapsed().as_millis();
    let threads = Reactor::threads_started() - threads;
    let polls = match most {
        Some(most) if polls.get() <= most => format!("at most {most} (one poll may be for both)"),
        _ => polls.to_string(),
    };
    println!("   polls of the task: {polls}, threads: {threads}, time: {elapsed} ms");
    Ok(())
}

fn thousand(new_reactor: fn() -> Arc<Reactor>) -> Result<(), TimerError> {
    let (polls, threads) = (Polls::default(), Reactor::threads_started());
    let reactor = new_reactor();
    let timer = |_| polls.count(Timer::new(&reactor, Duration::from_millis(100)));
    block_on(try_join_all((0..1_000).map(timer)))?;
    let threads = Reactor::threads_started() - threads;
    println!("   polls of all timers: {polls} (two each), threads: {threads}");
    Ok(())
}

/// A peer has sent half a line, and sends the rest after the timeout. This function plays the peer too.
// ANCHOR: forgetful
async fn forgetful(reactor: &Reactor) -> Result<Vec<u8>, TimerError> {
    let (peer, mut bytes) = unbounded();
    send(&peer, "hel");
    loop {
        match timeout(reactor, LIMIT, read_line(&mut bytes)).await? {
            Some(line) => return Ok(line),
            None => send(&peer, "lo\n"),
        }
    }
}
// ANCHOR_END: forgetful

// ANCHOR: careful
async fn careful(reactor: &Reactor) -> Result<Vec<u8>, TimerError> {
    let (peer, mut bytes) = unbounded();
    send(&peer, "hel");
    let mut line = Vec::new();
    loop {
        match timeout(reactor, LIMIT, read_line_into(&mut bytes, &mut line)).await? {
            Some(_) => return Ok(line),
            None => send(&peer, "lo\n"),
        }
    }
}
// ANCHOR_END: careful

fn send(peer: &UnboundedSender<u8>, text: &str) {
    for byte in text.bytes() {
        peer.unbounded_send(byte).expect("the receiver is alive");
    }
}

fn received(reader: &str, line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    println!("   {reader}: {text:?}, {} of 6 bytes", line.len());
}
