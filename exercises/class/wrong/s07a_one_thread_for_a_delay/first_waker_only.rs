//! s07a · repair · 15 minutes · chapter 07, "A small tokio"
//!
//! The second `Delay` of *Async in depth* (004) starts a thread in *every* poll (D43). Alone in its task it is polled
//! twice, and nobody notices. With fifty of them joined in one task, 3,479 threads were started.
//!
//! Mend `Delay`: one thread, started at the first poll. It may be polled often, and each time with another waker: the
//! latest is the one to wake.
//!
//! Run: `cargo test --bin s07a_one_thread_for_a_delay`, or save this file while `rustlings` runs.
//! Red: a test says how many threads there were, or the watchdog says which waker was woken.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};

struct Delay {
    when: Instant,
    threads: Threads,
    started: bool,
}

impl Delay {
    fn until(when: Instant, threads: &Threads) -> Delay {
        Delay {
            when,
            threads: threads.clone(),
            started: false,
        }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.when {
            return Poll::Ready(());
        }
        // ANCHOR: slip
        if !self.started {
            self.started = true;
            let waker = cx.waker().clone();
            self.threads.sleep_until(self.when, move || waker.wake());
        }
        // ANCHOR_END: slip
        Poll::Pending
    }
}

/// Starts threads that sleep, and counts them.
#[derive(Clone, Default)]
struct Threads(Arc<AtomicUsize>);

impl Threads {
    /// Sleeps until `when` on a thread of its own, and then acts.
    fn sleep_until(&self, when: Instant, act: impl FnOnce() + Send + 'static) {
        self.0.fetch_add(1, SeqCst);
        thread::spawn(move || {
            // A clock may be coarser than a sleep.
            while Instant::now() < when {
                thread::sleep((when - Instant::now()).max(Duration::from_micros(50)));
            }
            act();
        });
    }

    fn started(&self) -> usize {
        self.0.load(SeqCst)
    }
}

fn main() {}
