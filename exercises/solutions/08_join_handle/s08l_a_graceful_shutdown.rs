//! s08l · repair · 25 minutes · chapter 08, "Deeper: a runtime around the task"
//!
//! This runs on tokio itself. `serve` gets connections, and answers the requests of each, one after the other, in a task of its
//! own. When it's to stop, its process ends in the middle of answers. `stop` is a `CancellationToken`: clones share it, `cancel`
//! is called once, and `cancelled().await` is ready from then on, for whoever asks.
//!
//! Repair `serve`, so that it shuts down gracefully. From the moment at which `stop` is cancelled, it keeps four rules:
//!
//! 1. A connection that waits for a request is dropped at once. So are those that nobody has accepted yet.
//! 2. A request whose answer has begun is answered to its end, and then its connection is dropped. No other request is begun.
//! 3. `serve` returns as soon as all its connections are dropped, and not before.
//! 4. After `GRACE`, what is still being answered is dropped, and `serve` returns.
//!
//! Without `stop`, it goes on as before: until no more connections come and those that it has are over. Connections don't
//! wait for each other. A request that panics ends its connection, and no other. As long as nothing happens, `serve` isn't polled.
//!
//! Run: `cargo test --bin s08l_a_graceful_shutdown`, or save this file while `rustlings` runs.
//! Red: a test says what was under way when `stop` was cancelled, and what became of it. Its clock is paused, so nobody waits.

use std::{pin::Pin, time::Duration};
use tokio::{
    select, spawn,
    sync::mpsc::UnboundedReceiver,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Awaiting it answers it.
type Request = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The requests of a client. When it hangs up, `recv` returns `None`.
type Connection = UnboundedReceiver<Request>;

/// So long an answer may take after `stop`.
const GRACE: Duration = Duration::from_secs(10);

/// Accepts connections and answers their requests.
async fn serve(mut connections: UnboundedReceiver<Connection>, stop: CancellationToken) {
    let mut tasks = JoinSet::new();
    loop {
        select! {
            // In this order, so that nothing begins after `stop`.
            biased;
            () = stop.cancelled() => break,
            accepted = connections.recv() => match accepted {
                Some(connection) => drop(tasks.spawn(answer_all(connection, stop.clone()))),
                None => break,
            },
            // What is over is forgotten, whether it panicked or not.
            Some(_) = tasks.join_next() => {}
        }
    }
    // Those that are waiting to be accepted.
    drop(connections);
    select! {
        () = async { while tasks.join_next().await.is_some() {} } => {}
        () = async { stop.cancelled().await; sleep(GRACE).await } => {}
    }
    // Aborts those that are left, and waits until they are dropped.
    tasks.shutdown().await;
}

/// Answers requests until the client hangs up, or until `stop` is cancelled.
async fn answer_all(mut connection: Connection, stop: CancellationToken) {
    loop {
        let request = select! {
            biased;
            () = stop.cancelled() => return,
            request = connection.recv() => request,
        };
        // Outside of `select!`, so that nothing cancels it.
        match request {
            Some(request) => request.await,
            None => return,
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08l_a_graceful_shutdown.rs"]
mod tests;
