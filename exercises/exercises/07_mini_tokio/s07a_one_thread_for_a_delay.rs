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

/// Ready once `when` has come.
struct Delay {
    when: Instant,
    threads: Threads,
}

impl Delay {
    fn until(when: Instant, threads: &Threads) -> Delay {
        Delay {
            when,
            threads: threads.clone(),
        }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.when {
            return Poll::Ready(());
        }
        // TODO: and at the next poll, another one.
        let waker = cx.waker().clone();
        self.threads.sleep_until(self.when, move || waker.wake());
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use probe::{CountingWaker, watch, within};
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);
    const SHORT: Duration = Duration::from_millis(60);

    /// Polls a delay of an hour a hundred times, and returns how many threads it has started.
    fn threads_of_a_hundred_polls(mut waker: impl FnMut() -> std::task::Waker) -> usize {
        let threads = Threads::default();
        let hour = Instant::now() + Duration::from_secs(3_600);
        let mut delay = Box::pin(Delay::until(hour, &threads));
        for _ in 0..100 {
            let answer = delay.as_mut().poll(&mut Context::from_waker(&waker()));
            assert!(answer.is_pending(), "the delay was ready before its time");
        }
        threads.started()
    }

    #[test]
    fn a_hundred_polls_start_one_thread() {
        let waker = CountingWaker::new();
        let threads = threads_of_a_hundred_polls(|| waker.waker());
        assert!(
            threads == 1,
            "a hundred polls started {threads} threads. The first poll has to start one; what do the others need?"
        );
    }

    #[test]
    fn a_hundred_polls_from_a_hundred_tasks_start_one_thread() {
        let threads = threads_of_a_hundred_polls(|| CountingWaker::new().waker());
        assert!(
            threads == 1,
            "a hundred polls, each with another waker, started {threads} threads. One thread can wake whoever polled \
             last, if it looks up who that was."
        );
    }

    #[test]
    fn the_latest_waker_is_woken() {
        within(LIMIT, || {
            let threads = Threads::default();
            let when = Instant::now() + SHORT;
            let mut delay = Box::pin(watch(
                "a delay that changed its task",
                Delay::until(when, &threads),
            ));
            let first = CountingWaker::new();
            let answer = delay
                .as_mut()
                .poll(&mut Context::from_waker(&first.waker()));
            if answer.is_pending() {
                block_on(delay);
            }
            assert!(
                Instant::now() >= when,
                "the delay was ready before its time"
            );
        });
    }

    #[test]
    fn fifty_joined_start_fifty() {
        let threads = Threads::default();
        let start = Instant::now();
        let last = start + 50 * Duration::from_millis(1);
        let delays = (1..=50).map(|i| Delay::until(start + i * Duration::from_millis(1), &threads));
        let fifty = join_all(delays);
        within(LIMIT, || block_on(watch("fifty delays", fifty)));
        assert!(
            Instant::now() >= last,
            "the delay was ready before its time"
        );
        let started = threads.started();
        assert!(
            started == 50,
            "fifty delays joined in one task started {started} threads. The task is polled for each of them."
        );
    }
}
