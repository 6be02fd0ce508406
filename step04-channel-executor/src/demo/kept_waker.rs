//! What versions 3 and 4 do about a waker that outlives its task, and about a task that outlives its wakers.

use std::{
    future::{pending, poll_fn},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    task::{Poll, Waker},
    thread::{self, ThreadId},
    time::Duration,
};

use step04_channel_executor::{executor, v3_polls_when_woken};

/// Runs a task that gives its waker away. Once a second task has dropped the last argument, the executor has no reference to
/// the first one any more.
type Run = fn(Sender<Waker>, Option<SaysWhere>, Sender<()>);

macro_rules! run_on {
    ($executor:path) => {
        |give, stays, polled| {
            let (executor, spawner) = $executor();
            spawner.spawn(gives_its_waker(give, stays));
            spawner.spawn(async move { drop(polled) });
            drop(spawner);
            executor.run();
        }
    };
}

const VERSION_3: Run = run_on!(v3_polls_when_woken::executor);
const VERSION_4: Run = run_on!(executor);

/// Gives its waker away in its first poll. If it has been given something to keep, it never finishes.
async fn gives_its_waker(give: Sender<Waker>, stays: Option<SaysWhere>) {
    poll_fn(|cx| {
        let _ = give.send(cx.waker().clone()); // if it fails, the other thread has panicked
        Poll::Ready(())
    })
    .await;
    if stays.is_some() {
        pending().await
    }
}

/// Sends the thread on which it is dropped.
struct SaysWhere(Sender<ThreadId>);

impl Drop for SaysWhere {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().id());
    }
}

pub fn show() {
    println!("2. What version 4 adds. Another thread holds the only waker of a task");
    println!("   The task is finished, and the thread keeps the waker. When does run return?");
    // Version 3 waits for as long as the waker is kept. Version 4 does not, however slow the machine is.
    let kept = [100, 10_000].map(Duration::from_millis);
    for ((version, run), kept) in [("3", VERSION_3), ("4", VERSION_4)].into_iter().zip(kept) {
        let when = if outlives(run, kept) {
            "at once"
        } else {
            "when that thread drops the waker"
        };
        println!("      version {version}: {when}");
    }
    println!("   The task is pending, and the thread drops the waker. Who drops the future?");
    for (version, run) in [("3", VERSION_3), ("4", VERSION_4)] {
        let who = if dropped_here(run) {
            "the thread of the executor"
        } else {
            "that thread"
        };
        println!("      version {version}: {who}");
    }
}

/// Whether `run` returns while a waker of the finished task is `kept`.
fn outlives(run: Run, kept: Duration) -> bool {
    let (give, given) = mpsc::channel();
    let (says, returned) = mpsc::channel::<()>();
    let keeps = thread::spawn(move || {
        let _waker = given.recv();
        // The other end is dropped when `run` has returned.
        returned.recv_timeout(kept) == Err(RecvTimeoutError::Disconnected)
    });
    run(give, None, mpsc::channel().0);
    drop(says);
    keeps.join().unwrap_or(false)
}

/// Whether the pending future is dropped on the thread of the executor, which is this one.
fn dropped_here(run: Run) -> bool {
    let (give, given) = mpsc::channel();
    let (says, dropped) = mpsc::channel();
    let (polled, has_been_polled) = mpsc::channel();
    let drops = thread::spawn(move || {
        let _last = given.recv();
        let _ = has_been_polled.recv();
    });
    run(give, Some(SaysWhere(says)), polled);
    let _ = drops.join();
    dropped.recv() == Ok(thread::current().id())
}
