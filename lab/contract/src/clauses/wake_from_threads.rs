//! A wake may come from anywhere: from many threads at once, under a lock, from a thread that is about to end.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    sync::{
        Arc, Barrier, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
    thread,
};

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime, Unsupported,
    fault::Fault,
    fixtures::{A_MOMENT, LatestWaker, Number, comes_true, compute, counted, run_all, run_one},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "four_at_once",
        edition: Edition::E1,
        rule: "When four threads wake at once, no wake is lost, and the poll sees what each thread did before its wake.",
        why: "A wake that gives up because another thread is using the queue may have been the last one.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(four_at_once, &[(Fault::GivesUpTheLock, "it hangs")]),
    },
    Clause {
        name: "woken_under_a_lock",
        edition: Edition::E1,
        rule: "wake returns without polling the task.",
        why: "The code that wakes may hold a lock that the task takes in its poll, and that would be a deadlock.",
        level: Level::Ecosystem,
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
        edition: Edition::E1,
        rule: "A wake from the destructor of a thread-local works.",
        why: "The thread-local may hold the waker, and the executor's own thread-locals may be gone by then.",
        level: Level::ANY_THREAD,
        choice: None,
        check: Check::Runtime(
            woken_by_a_dying_thread,
            &[
                (Fault::WakesByThreadLocal, "the process ended"),
                (Fault::WakesIdleTasksByThreadLocal, "the process ended"),
            ],
        ),
    },
    Clause {
        name: "two_at_once",
        edition: Edition::E1,
        rule: "Two workers poll two tasks at the same time, out of many.",
        why: "A lock that is held during the poll turns two workers into one.",
        level: Level::Quality,
        choice: Some(
            "A runtime may place all tasks of one caller on one worker. std demands nothing of workers.",
        ),
        check: Check::Runtime(
            two_at_once,
            &[(
                Fault::PollsOneAtATime,
                "no two tasks were polled at the same time",
            )],
        ),
    },
];

/// In each of 20 rounds four threads are started, each adds one and then wakes. The task goes on when all have.
pub fn four_at_once(runtime: &'static dyn Runtime) -> Answer {
    const ROUNDS: usize = 20;
    let (added, latest) = (Arc::new(Number::default()), LatestWaker::default());
    let mut round = 0;
    run_one(
        runtime,
        poll_fn(move |cx| {
            latest.leave(cx);
            if added.get() < round * 4 {
                return Poll::Pending;
            }
            if round == ROUNDS {
                return Poll::Ready(());
            }
            round += 1;
            let start = Arc::new(Barrier::new(4));
            for _ in 0..4 {
                let (latest, added, start) = (latest.clone(), added.clone(), start.clone());
                thread::spawn(move || {
                    start.wait();
                    added.add_one();
                    latest.wake();
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

struct LastWords(LatestWaker, Arc<AtomicBool>);

impl Drop for LastWords {
    fn drop(&mut self) {
        self.1.store(true, SeqCst);
        self.0.wake();
    }
}

thread_local! {
    static LAST_WORDS: RefCell<Option<LastWords>> = const { RefCell::new(None) };
}

/// A thread wakes once as it lives and, when the task has been polled, once more as its thread-locals are dropped. The
/// task waits for that. Before each wake the thread computes for 10 ms, so that the poll has returned and the task is idle:
/// some executors do little for a wake that comes earlier.
pub fn woken_by_a_dying_thread(runtime: &'static dyn Runtime) -> Answer {
    let (dying, latest) = (Arc::new(AtomicBool::new(false)), LatestWaker::default());
    let mut may_die: Option<mpsc::Sender<()>> = None;
    run_one(
        runtime,
        poll_fn(move |cx| {
            latest.leave(cx);
            if dying.load(SeqCst) {
                return Poll::Ready(());
            }
            if let Some(may_die) = &may_die {
                let _ = may_die.send(());
                return Poll::Pending;
            }
            let (sender, told) = mpsc::channel();
            may_die = Some(sender);
            let (latest, last_words) = (latest.clone(), LastWords(latest.clone(), dying.clone()));
            thread::spawn(move || {
                // Made before any thread-local of the executor's own, and so dropped after it.
                LAST_WORDS.set(Some(last_words));
                compute(A_MOMENT);
                latest.wake();
                let _ = told.recv();
                compute(A_MOMENT);
            });
            Poll::Pending
        }),
    )?;
    Ok(())
}

/// Of 32 tasks, each waits inside its poll until two are in one at the same time. Which two is up to the runtime, because
/// it may have placed any of them on one worker.
pub fn two_at_once(runtime: &'static dyn Runtime) -> Answer {
    if runtime.workers() < 2 {
        return Err(Unsupported);
    }
    let (inside, met) = (
        Arc::new(Number::default()),
        Arc::new(AtomicBool::new(false)),
    );
    let given_up = Arc::new(AtomicBool::new(false));
    let tasks = (0..32).map(|_| {
        let (inside, met, given_up) = (inside.clone(), met.clone(), given_up.clone());
        counted(async move {
            inside.add_one();
            let two = || met.load(SeqCst) || inside.get() > 1;
            if given_up.load(SeqCst) || !comes_true(two) {
                given_up.store(true, SeqCst);
            } else {
                met.store(true, SeqCst);
            }
            inside.take_one();
        })
    });
    run_all(runtime, tasks.collect())?;
    assert!(
        met.load(SeqCst),
        "no two tasks were polled at the same time"
    );
    Ok(())
}
