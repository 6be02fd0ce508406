//! A wake may come from anywhere: from many threads at once, under a lock, from a thread that is about to end.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    sync::{
        Arc, Barrier, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::{Poll, Waker},
    thread,
};

use crate::{
    Answer, Check, Clause, NotItsJob, Runtime,
    faulty::Fault,
    fixtures::{A_MOMENT, Number, counted, run_all, run_one},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "four_at_once",
        rule: "When four threads wake at once, no wake is lost, and the poll sees what each thread did before its wake.",
        why: "A wake that gives up because another thread is using the queue may have been the last one.",
        from: &[12],
        choice: None,
        check: Check::Runtime(four_at_once, &[(Fault::GivesUpTheLock, "it hangs")]),
    },
    Clause {
        name: "woken_under_a_lock",
        rule: "wake returns without polling the task.",
        why: "The code that wakes may hold a lock that the task takes in its poll, and that would be a deadlock.",
        from: &[9, 37],
        choice: None,
        check: Check::Runtime(
            woken_under_a_lock,
            &[(
                Fault::PollsInWake,
                "the task was polled inside wake, by the thread that holds its lock",
            )],
        ),
    },
    Clause {
        name: "woken_by_a_dying_thread",
        rule: "A wake from the destructor of a thread-local works.",
        why: "The thread-local may hold the waker, and the executor's own thread-locals may be gone by then.",
        from: &[9],
        choice: None,
        check: Check::Runtime(
            woken_by_a_dying_thread,
            &[(Fault::WakesByThreadLocal, "the process ended")],
        ),
    },
    Clause {
        name: "two_at_once",
        rule: "Two workers poll two tasks at the same time.",
        why: "A lock that is held during the poll turns two workers into one.",
        from: &[10],
        choice: None,
        check: Check::Runtime(two_at_once, &[(Fault::PollsOneAtATime, "it hangs")]),
    },
];

/// In each of 20 rounds four threads are started, each adds one and then wakes. The task goes on when all have.
pub fn four_at_once(runtime: &'static dyn Runtime) -> Answer {
    const ROUNDS: usize = 20;
    let added = Arc::new(Number::default());
    let mut round = 0;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if added.get() < round * 4 {
                return Poll::Pending;
            }
            if round == ROUNDS {
                return Poll::Ready(());
            }
            round += 1;
            let start = Arc::new(Barrier::new(4));
            for _ in 0..4 {
                let (waker, added, start) = (cx.waker().clone(), added.clone(), start.clone());
                thread::spawn(move || {
                    start.wait();
                    added.add_one();
                    waker.wake();
                });
            }
            Poll::Pending
        }),
    )?;
    Ok(())
}

thread_local! {
    static HOLDS_THE_LOCK: Cell<bool> = const { Cell::new(false) };
}

/// A thread takes the lock that the task takes in `poll`, and wakes while it holds it.
pub fn woken_under_a_lock(runtime: &'static dyn Runtime) -> Answer {
    let polled_in_wake = Arc::new(AtomicBool::new(false));
    let seen = polled_in_wake.clone();
    let lock = Arc::new(Mutex::new(()));
    let mut first = true;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if HOLDS_THE_LOCK.get() {
                // To take the lock here would be the deadlock.
                seen.store(true, SeqCst);
                return Poll::Ready(());
            }
            let _locked = lock.lock().unwrap_or_else(PoisonError::into_inner);
            if !std::mem::take(&mut first) {
                return Poll::Ready(());
            }
            let (waker, lock) = (cx.waker().clone(), lock.clone());
            thread::spawn(move || {
                thread::sleep(A_MOMENT);
                let _locked = lock.lock().unwrap_or_else(PoisonError::into_inner);
                HOLDS_THE_LOCK.set(true);
                waker.wake_by_ref();
                HOLDS_THE_LOCK.set(false);
            });
            Poll::Pending
        }),
    )?;
    assert!(
        !polled_in_wake.load(SeqCst),
        "the task was polled inside wake, by the thread that holds its lock"
    );
    Ok(())
}

struct LastWords(Waker, Arc<AtomicBool>);

impl Drop for LastWords {
    fn drop(&mut self) {
        self.1.store(true, SeqCst);
        self.0.wake_by_ref();
    }
}

thread_local! {
    static LAST_WORDS: RefCell<Option<LastWords>> = const { RefCell::new(None) };
}

/// A thread wakes once as it lives and, when the task has been polled, once more as its thread-locals are dropped. The
/// task waits for that.
pub fn woken_by_a_dying_thread(runtime: &'static dyn Runtime) -> Answer {
    let dying = Arc::new(AtomicBool::new(false));
    let mut may_die: Option<mpsc::Sender<()>> = None;
    run_one(
        runtime,
        poll_fn(move |cx| {
            if dying.load(SeqCst) {
                return Poll::Ready(());
            }
            if let Some(may_die) = &may_die {
                let _ = may_die.send(());
                return Poll::Pending;
            }
            let (sender, told) = mpsc::channel();
            may_die = Some(sender);
            let last_words = LastWords(cx.waker().clone(), dying.clone());
            thread::spawn(move || {
                let waker = last_words.0.clone();
                // Made before any thread-local of the executor's own, and so dropped after it.
                LAST_WORDS.set(Some(last_words));
                waker.wake();
                let _ = told.recv();
            });
            Poll::Pending
        }),
    )?;
    Ok(())
}

/// Two tasks wait for each other inside their polls.
pub fn two_at_once(runtime: &'static dyn Runtime) -> Answer {
    if runtime.workers() < 2 {
        return Err(NotItsJob);
    }
    let both = Arc::new(Barrier::new(2));
    let tasks = (0..2).map(|_| {
        let both = both.clone();
        counted(async move {
            both.wait();
        })
    });
    run_all(runtime, tasks.collect())?;
    Ok(())
}
