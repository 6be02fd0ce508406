//! Timers on a reactor: two one after the other, two joined, and a thousand on each version. Then two timeouts: one cancels a
//! reader, and one cancels a future that holds a lock.

use std::{
    pin::pin,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{
    channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
    executor::block_on,
    future::try_join_all,
    lock::Mutex,
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

    println!(
        "6. Futurelock. In a timeout, a future takes a lock, and waits for a byte until its time is up"
    );
    block_on(locked(&reactor))?;
    println!("   Until that poll, all who want the lock wait for a future that nobody polls.");
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

async fn locked(reactor: &Reactor) -> Result<(), TimerError> {
    let lock = Mutex::new(());
    let (peer, mut bytes) = unbounded();
    // Holds the lock until a byte arrives.
    let work = async |bytes: &mut UnboundedReceiver<u8>| {
        let _guard = lock.lock().await;
        let _ = bytes.recv().await;
    };

    timeout(reactor, LIMIT, work(&mut bytes)).await?;
    is_free("timeout owned the future, so it was dropped", &lock);

    let mut work = pin!(work(&mut bytes));
    timeout(reactor, LIMIT, work.as_mut()).await?;
    is_free("timeout only borrowed it, so it lives", &lock);
    send(&peer, "!");
    Timer::new(reactor, 4 * LIMIT).await?;
    is_free(
        "later, when its byte has arrived, but nobody polls it",
        &lock,
    );
    work.await;
    is_free("at last, when it is polled to its end", &lock);
    Ok(())
}

fn is_free(when: &str, lock: &Mutex<()>) {
    let free = lock.try_lock().is_some();
    let state = if free { "free" } else { "taken" };
    println!("   {when}: the lock is {state}");
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::{
        future::{Future, poll_fn},
        thread,
    };

    use super::*;

    #[test]
    fn part_6_does_not_depend_on_who_is_faster() {
        let reactor = Reactor::new();
        let mut part_6 = pin!(locked(&reactor));
        // Each poll comes so late that all deadlines of the part have passed.
        let late = poll_fn(|cx| {
            thread::sleep(5 * LIMIT);
            part_6.as_mut().poll(cx)
        });
        probe::within(Duration::from_secs(20), || {
            assert_eq!(block_on(late), Ok(()))
        });
    }
}
