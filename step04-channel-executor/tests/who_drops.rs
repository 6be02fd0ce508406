//! A pending task without wakers is dropped by its executor, on the executor's thread. The thread that drops the last
//! waker runs no destructor of the task.

use std::{
    future::{Future, pending, poll_fn},
    pin::Pin,
    sync::{Arc, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use futures::lock::{Mutex, OwnedMutexLockFuture};
use probe::{Counted, OnDrop, within};
use step04_channel_executor::executor;

const LIMIT: Duration = Duration::from_secs(20);

/// Miri takes a thousand times as long for everything, and needs fewer of them to see what is wrong.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 1_000 } else { count }
}

/// Gives this task's only waker away, and stays pending. When it is dropped, it drops `kept`.
async fn gives_its_waker(to: mpsc::Sender<Waker>, kept: impl Send) {
    poll_fn(|cx| {
        to.send(cx.waker().clone()).unwrap();
        Poll::Ready(())
    })
    .await;
    drop(to);
    pending::<()>().await;
    drop(kept);
}

#[test]
fn the_last_waker_may_be_dropped_under_a_lock() {
    within(LIMIT, || {
        let (executor, spawner) = executor();
        let mutex = Arc::new(Mutex::new(()));
        let (hand_over, handed_over) = mpsc::channel::<OwnedMutexLockFuture<()>>();
        // Locks the mutex, polls a second lock future for the other task, and stays pending.
        let first = Counted::new(async move {
            let guard = Arc::clone(&mutex).lock_owned().await;
            let mut lock = mutex.lock_owned();
            // From now on, the mutex holds this task's only waker.
            let polled = poll_fn(|cx| Poll::Ready(Pin::new(&mut lock).poll(cx))).await;
            assert!(polled.is_pending());
            hand_over.send(lock).unwrap();
            pending::<()>().await;
            drop(guard);
        });
        // Its poll replaces the first task's waker while the mutex's list of wakers is locked. Dropping the guard locks
        // that list too.
        let second = Counted::new(async move {
            let lock = handed_over.recv().unwrap();
            drop(lock.await);
        });
        let counts = [first.counts(), second.counts()];
        spawner.spawn(first);
        spawner.spawn(second);
        drop(spawner);
        executor.run();
        assert_eq!(
            counts.map(|counts| (counts.polls(), counts.drops())),
            [(1, 1), (2, 1)]
        );
    });
}

#[test]
fn the_last_waker_may_be_dropped_on_another_thread() {
    within(LIMIT, || {
        let (executor, spawner) = executor();
        let (give, given) = mpsc::channel();
        let (says_where, dropped_on) = mpsc::channel();
        let says_where = OnDrop(move || says_where.send(thread::current().id()).unwrap());
        spawner.spawn(gives_its_waker(give, says_where));
        drop(spawner);
        let elsewhere = thread::spawn(move || drop(given.recv().unwrap()));
        executor.run();
        elsewhere.join().unwrap();
        assert_eq!(dropped_on.recv(), Ok(thread::current().id()));
    });
}

#[test]
fn a_panicking_destructor_harms_no_thread() {
    within(LIMIT, || {
        let (executor, spawner) = executor();
        let (give, given) = mpsc::channel();
        spawner.spawn(gives_its_waker(
            give,
            OnDrop(|| panic!("this panic belongs to the test")),
        ));
        let (give, given_later) = mpsc::channel();
        let later = Counted::new(gives_its_waker(give, ()));
        let counts = later.counts();
        spawner.spawn(later);
        drop(spawner);
        let elsewhere = thread::spawn(move || {
            drop(given.recv().unwrap());
            drop(given_later.recv().unwrap());
        });
        executor.run();
        elsewhere.join().unwrap();
        assert_eq!(counts.drops(), 1);
    });
}

#[test]
fn ten_thousand_tasks_in_a_chain_of_wakers_are_dropped_in_turn() {
    const TASKS: usize = few_under_miri(10_000);
    let on_a_small_stack = thread::Builder::new().stack_size(256 * 1024);
    let run = || {
        within(LIMIT, || {
            let (executor, spawner) = executor();
            let (give, first) = mpsc::channel();
            let mut give = give;
            let counts: Vec<_> = (0..TASKS)
                .map(|_| {
                    let (give_next, next) = mpsc::channel();
                    let task = Counted::new(gives_its_waker(
                        std::mem::replace(&mut give, give_next),
                        next,
                    ));
                    let counts = task.counts();
                    spawner.spawn(task);
                    counts
                })
                .collect();
            drop(give);
            // All others have been polled when this one is.
            spawner.spawn(async move { drop(first) });
            drop(spawner);
            executor.run();
            assert!(counts.iter().all(|counts| counts.drops() == 1));
        });
    };
    on_a_small_stack.spawn(run).unwrap().join().unwrap();
}
