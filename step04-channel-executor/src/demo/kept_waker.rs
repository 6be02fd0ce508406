//! What versions 3 and 4 do about a waker that outlives its task, and about a task that outlives its wakers.

use std::{
    future::{pending, poll_fn},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    task::{Poll, Waker},
    thread::{self, ThreadId},
    time::Duration,
};

use step04_channel_executor::{executor, v3_polls_when_woken};

/// How long a waker is kept if `run` does not return before.
const KEPT: Duration = Duration::from_millis(300);

type Run = fn(Sender<Waker>, Option<SaysWhere>);

const VERSION_3: Run = |give, stays| {
    let (executor, spawner) = v3_polls_when_woken::executor();
    spawner.spawn(gives_its_waker(give, stays));
    drop(spawner);
    executor.run();
};

const VERSION_4: Run = |give, stays| {
    let (executor, spawner) = executor();
    spawner.spawn(gives_its_waker(give, stays));
    drop(spawner);
    executor.run();
};

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
    println!("4. Another thread has a task's last waker");
    println!("   it keeps the waker when the task is finished, and run of");
    for (version, run) in [("3", VERSION_3), ("4", VERSION_4)] {
        let waits = if outlives(run) {
            "returns at once"
        } else {
            "waits for that thread"
        };
        println!("      version {version} {waits}");
    }
    println!("   it drops the waker of a task that is pending, and the future is dropped by");
    for (version, run) in [("3", VERSION_3), ("4", VERSION_4)] {
        let who = if dropped_here(run) {
            "the executor"
        } else {
            "that thread"
        };
        println!("      {who} in version {version}");
    }
}

/// Whether `run` returns while a waker of the finished task is kept.
fn outlives(run: Run) -> bool {
    let (give, given) = mpsc::channel();
    let (says, returned) = mpsc::channel::<()>();
    let keeps = thread::spawn(move || {
        let _waker = given.recv();
        // The other end is dropped when `run` has returned.
        returned.recv_timeout(KEPT) == Err(RecvTimeoutError::Disconnected)
    });
    run(give, None);
    drop(says);
    keeps.join().unwrap_or(false)
}

/// Whether the pending future is dropped on the thread of the executor, which is this one.
fn dropped_here(run: Run) -> bool {
    let (give, given) = mpsc::channel();
    let (says, dropped) = mpsc::channel();
    let drops = thread::spawn(move || drop(given.recv()));
    run(give, Some(SaysWhere(says)));
    let _ = drops.join();
    dropped.recv() == Ok(thread::current().id())
}
