//! A wake from another thread: it ends the wait of the executor once, and leaves nothing behind that would end the next.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use futures::channel::oneshot;
use step09_epoll_reactor::sleep;

use super::on_both;

#[test]
fn it_ends_one_wait_and_then_the_executor_sleeps_again() {
    const ROUNDS: usize = 5;
    on_both(|runtime, counts| {
        let (rounds, received) = mpsc::channel::<oneshot::Sender<()>>();
        let counts_there = counts.clone();
        let other = thread::spawn(move || {
            for (round, sender) in received.into_iter().enumerate() {
                // The executor has begun to wait.
                probe::wait_until(|| counts_there.so_far().waits > round);
                thread::sleep(Duration::from_millis(10));
                // It is the wait of this round, still: nothing else has ended it.
                assert_eq!(counts_there.so_far().waits, round + 1);
                sender.send(()).unwrap();
            }
        });
        runtime.block_on(async {
            for _ in 0..ROUNDS {
                let (sender, receiver) = oneshot::channel();
                rounds.send(sender).unwrap();
                receiver.await.unwrap();
            }
        });
        drop(rounds);
        other.join().unwrap();
        assert_eq!(
            (counts.so_far().waits, counts.so_far().notifies),
            (ROUNDS, ROUNDS)
        );
    });
}

/// What is left of it after the whole milliseconds is waited for, too, and not spent on looking again and again.
#[test]
fn a_sleep_of_a_millisecond_and_a_half_is_one_wait() {
    on_both(|runtime, counts| {
        let (time, start) = (Duration::from_micros(1_500), Instant::now());
        runtime.block_on(async { sleep(time).await });
        assert!(start.elapsed() >= time);
        // On a busy machine it may be over before the executor has fallen asleep.
        assert!(counts.so_far().waits <= 1, "it spins");
    });
}

/// Longer than the kernel counts milliseconds in 31 bits.
#[test]
fn a_deadline_in_a_month_is_slept_for_like_any_other() {
    on_both(|runtime, counts| {
        let handle = runtime.handle();
        let (sender, receiver) = oneshot::channel();
        let counts_there = counts.clone();
        let other = thread::spawn(move || {
            probe::wait_until(|| counts_there.so_far().waits > 0);
            thread::sleep(Duration::from_millis(10));
            sender.send(counts_there.so_far().waits).unwrap();
        });
        runtime.block_on(async {
            for days in [25, 50, 1_000_000] {
                handle.spawn(sleep(Duration::from_secs(days * 86_400)));
            }
            assert_eq!(receiver.await, Ok(1));
        });
        other.join().unwrap();
    });
}
