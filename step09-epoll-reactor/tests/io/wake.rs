//! A wake from another thread: it ends the wait of the executor once, and leaves nothing behind that would end the next.

use std::{sync::mpsc, thread, time::Duration};

use futures::channel::oneshot;

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
                while counts_there.waits() <= round {
                    thread::yield_now();
                }
                thread::sleep(Duration::from_millis(10));
                // It is the wait of this round, still: nothing else has ended it.
                assert_eq!(counts_there.waits(), round + 1);
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
        assert_eq!((counts.waits(), counts.notifies()), (ROUNDS, ROUNDS));
    });
}

#[test]
fn from_its_own_thread_it_asks_nothing_of_the_kernel() {
    on_both(|runtime, counts| {
        let handle = runtime.handle();
        runtime.block_on(async {
            let (sender, receiver) = oneshot::channel();
            let task = handle.spawn(async { sender.send(7) });
            assert_eq!(receiver.await, Ok(7));
            task.await.unwrap().unwrap();
        });
        assert_eq!((counts.waits(), counts.notifies()), (0, 0));
    });
}
