//! How many tasks may block before a tokio runtime stands still: as many as it has workers, less one.

use std::{
    io,
    sync::mpsc::{self, Receiver, SyncSender},
};

use tokio::{
    runtime::{Builder, Runtime},
    task::{JoinHandle, spawn_blocking},
};

// ANCHOR: runtimes
/// For a tool, a client, a test: the thread that calls `block_on` polls every task.
fn one_thread() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// For a server: this many threads poll tasks. Without `worker_threads`, there is one for each
/// core that the process may use, as with `#[tokio::main]`.
fn several(workers: usize) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(workers).enable_all().build()
}
// ANCHOR_END: runtimes

// ANCHOR: report
/// Adds up what arrives. This `Receiver` is the standard library's, so `iter` blocks the worker
/// until the sender is dropped.
async fn report(parts: Receiver<u32>) -> u32 {
    parts.iter().sum()
}

/// The same, on a thread that no task needs.
async fn report_aside(parts: Receiver<u32>) -> u32 {
    let sum = spawn_blocking(move || parts.iter().sum());
    sum.await.expect("the parts are small numbers")
}
// ANCHOR_END: report

async fn ping() -> &'static str {
    "pong"
}

/// Starts a report on one of the workers, and returns once it blocks there.
fn blocked(runtime: &Runtime) -> (SyncSender<u32>, JoinHandle<u32>) {
    let (sender, parts) = mpsc::sync_channel(0);
    let report = runtime.spawn(report(parts));
    // The channel holds no message, so `send` returns when the report has taken it.
    sender.send(1).expect("the report has begun");
    (sender, report)
}

fn main() -> io::Result<()> {
    let server = several(2)?;
    println!("1. Two workers, of which a report blocks one");
    let (first, _report) = blocked(&server);
    let answer = server.block_on(server.spawn(ping()))?;
    println!("   ping: {answer}");

    println!("2. A second report blocks the other");
    let (_second, _report) = blocked(&server);
    let answer = server.spawn(ping());
    println!("   ping is answered: {}", answer.is_finished());
    drop(first);
    println!(
        "   once the first is complete, ping: {}",
        server.block_on(answer)?
    );

    println!("3. One thread, and a hundred reports that block threads of their own");
    let (answer, unfinished) = one_thread()?.block_on(beside_reports())?;
    println!("   ping: {answer}, reports that still block: {unfinished}");
    Ok(())
}

/// Pings beside a hundred reports, and returns the answer and how many reports were not complete by then.
async fn beside_reports() -> io::Result<(&'static str, usize)> {
    let (_senders, reports): (Vec<_>, Vec<_>) = (0..100)
        .map(|_| {
            let (sender, parts) = mpsc::sync_channel(0);
            (sender, tokio::spawn(report_aside(parts)))
        })
        .unzip();
    let answer = tokio::spawn(ping()).await?;
    let unfinished = reports.iter().filter(|report| !report.is_finished());
    Ok((answer, unfinished.count()))
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use probe::within;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn a_worker_that_blocks_stops_nothing_as_long_as_another_is_free() {
        within(LIMIT, || {
            let server = several(3).unwrap();
            let _blocked = [blocked(&server), blocked(&server)];
            let answer = server.block_on(server.spawn(ping()));
            assert_eq!(answer.unwrap(), "pong");
        });
    }

    #[test]
    fn once_every_worker_blocks_a_task_waits_for_the_first_that_is_free_again() {
        within(LIMIT, || {
            let server = several(2).unwrap();
            let (sender, parts) = mpsc::sync_channel(0);
            let first = server.spawn(async {
                report(parts).await;
                thread::current().id()
            });
            sender.send(1).unwrap();
            let _second = blocked(&server);
            let pinged = server.spawn(async {
                ping().await;
                thread::current().id()
            });
            // Time enough for a worker that was idle, if there were one.
            (0..1_000).for_each(|part| sender.send(part).unwrap());
            drop(sender);
            let (first, pinged) = (server.block_on(first), server.block_on(pinged));
            assert_eq!(first.unwrap(), pinged.unwrap());
        });
    }

    #[test]
    fn with_spawn_blocking_one_thread_is_enough() {
        within(LIMIT, || {
            let beside = one_thread().unwrap().block_on(beside_reports());
            assert_eq!(beside.unwrap(), ("pong", 100));
        });
    }
}
