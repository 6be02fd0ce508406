use super::*;
use contract::{BoxFuture, Runtime as _, Spawn, Subject, suite};
use given::Mine;
use probe::within;
use std::{
    sync::{self, mpsc},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(1);

// Some clauses count the allocations that are left.
contract::count_allocations!();

/// Each clause runs in a process of its own, so that one that hangs cannot stop the others.
#[test]
fn it_keeps_the_contract() {
    let mine = Subject::runtime("mine", &Mine);
    let clauses = [
        "finishes",
        "nothing_to_do",
        "woken_in_poll",
        "woken_asleep",
        "woken_twice",
        "an_earlier_waker",
        "only_when_woken",
        "takes_turns",
        "dropped_when_ready",
        "wake_after_ready",
        "a_panic_is_contained",
        "woken_and_then_panics",
        "a_panicking_destructor",
        "sleeps",
        "output_reaches",
        "panic_reaches",
        "two_at_once",
        "spawned_inside",
        "spawned_from_outside",
        "spawned_and_waited_for",
        "spawned_under_load",
        "woken_under_load",
    ];
    let kept = suite::check("tests::it_keeps_the_contract", mine, &clauses);
    kept.unwrap_or_else(|broken| {
        panic!("{broken}\nStart with the first. Several may have the same cause, so fix one and run again.")
    });
}

/// The clause `spawned_and_waited_for` again and again, so that the other worker surely sleeps.
#[test]
fn a_sleeper_is_woken_for_what_another_worker_has_spawned() {
    const ROUNDS: usize = 10;
    within(LIMIT, || {
        let (tell, told) = mpsc::channel();
        let first = move |spawn: Spawn| -> BoxFuture {
            Box::pin(async move {
                for round in 0..ROUNDS {
                    // Long enough for the other worker to find nothing, and to sleep.
                    thread::sleep(Duration::from_millis(3));
                    let (runs, has_run) = mpsc::channel();
                    let _ = spawn(Box::pin(async move {
                        let _ = runs.send(());
                    }));
                    if has_run.recv_timeout(LONG).is_err() {
                        let _ = tell.send(round);
                        return;
                    }
                }
                let _ = tell.send(ROUNDS);
            })
        };
        let answer = Mine.run_spawning(Box::new(first));
        assert_eq!(answer, Ok(()));
        let rounds = told.recv().expect("the first task has run");
        assert!(
            rounds == ROUNDS,
            "A task spawned another task, and then it blocked its worker until that task would have run. The other \
             worker slept, and did not run it. That was in round {} of {ROUNDS}.\n\
             Look at: what wakes a sleeper, and what does it look for before it sleeps again?",
            rounds + 1
        );
    });
}

/// A worker has looked for tasks and found none, and before it sleeps, the other one spawns a task.
#[test]
fn one_that_falls_asleep_is_woken_too() {
    locks::watch();
    within(LIMIT, || {
        let (tell, told) = mpsc::channel();
        let runtime = Runtime::new();
        let handle = runtime.handle.clone();
        drop(runtime.handle.spawn(async move {
            let spawner = thread::current().id();
            let (runs, has_run) = mpsc::channel();
            let (tell_asleep, is_asleep) = mpsc::channel();
            let has_spawned = Arc::new(AtomicBool::new(false));
            let spawned = Arc::clone(&has_spawned);
            // It runs on the other worker, because this one blocks.
            drop(handle.spawn(async move {
                let _ = runs.send(());
                locks::before_the_next_sleep(move || {
                    let _ = tell_asleep.send(());
                    while !spawned.load(SeqCst) && !locks::does_wait(spawner) {
                        thread::yield_now();
                    }
                });
            }));
            if has_run.recv_timeout(LONG).is_err() {
                has_spawned.store(true, SeqCst);
                let _ = tell.send(false);
                return;
            }
            // If the runtime sleeps in another way, no moment is better than another.
            let _ = is_asleep.recv_timeout(LONG);
            let (runs, has_run) = mpsc::channel();
            drop(handle.spawn(async move {
                let _ = runs.send(());
            }));
            has_spawned.store(true, SeqCst);
            let _ = tell.send(has_run.recv_timeout(LONG).is_ok());
        }));
        assert!(
            told.recv().expect("the first task has run"),
            "A worker had found nothing and was about to sleep. At this moment a task on the other worker spawned another \
             task, and then it blocked its thread until that task would have run. The worker slept.\n\
             Look at: what does `ring` have to wait for, and which lock tells it?"
        );
    });
}

/// Spawns four tasks. The first of them to run calls `then`.
fn spawn_four(handle: &Handle, then: impl FnOnce() + Send + 'static) {
    let then = Arc::new(sync::Mutex::new(Some(then)));
    for _ in 0..4 {
        let then = Arc::clone(&then);
        drop(handle.spawn(async move {
            let then = then.lock().unwrap().take();
            if let Some(then) = then {
                then();
            }
        }));
    }
}

/// Each of the two workers steals two of four tasks while the other one blocks its thread.
#[test]
fn two_that_steal_from_each_other_do_not_wait_for_each_other() {
    locks::watch();
    within(LIMIT, || {
        let (tell, told) = mpsc::channel();
        let runtime = Runtime::new();
        let handle = runtime.handle.clone();
        drop(runtime.handle.spawn(async move {
            let (runs, has_run) = mpsc::channel();
            let (go_on, may_go_on) = mpsc::channel::<()>();
            drop(handle.spawn(async move {
                let _ = runs.send(());
                let _ = may_go_on.recv_timeout(LONG);
            }));
            // Now the other worker waits, and steals when all four tasks are there.
            if has_run.recv_timeout(LONG).is_err() {
                let _ = tell.send(false);
                return;
            }
            let (release, released) = mpsc::channel();
            let other = handle.clone();
            spawn_four(&handle, move || {
                let (runs, has_run) = mpsc::channel();
                spawn_four(&other, move || {
                    let _ = runs.send(());
                });
                let _ = release.send(());
                let _ = tell.send(has_run.recv_timeout(LONG).is_ok());
            });
            let _ = go_on.send(());
            let _ = released.recv_timeout(LONG);
        }));
        let have_stolen = told.recv_timeout(2 * LONG);
        if locks::were_taken_in_both_orders() {
            // Its workers may wait for each other already.
            std::mem::forget(runtime);
            panic!(
                "Two locks were taken in both orders: a worker that held the first took the second, and a worker that held \
                 the second took the first. If both do it at the same moment, each waits for the other one forever.\n\
                 Look at: which lock does a thief still hold when it takes the next?"
            );
        }
        assert!(
            have_stolen == Ok(true),
            "Each of the two workers blocked its thread while it had tasks in its queue, and the other one had nothing to \
             do. The other one did not run these tasks."
        );
    });
}

/// The locks of std, which act at the moments that matter.
pub(crate) mod locks {
    use std::{
        cell::{Cell, RefCell},
        collections::BTreeSet,
        ops::{Deref, DerefMut},
        sync::{
            self, LockResult, PoisonError, TryLockError,
            atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        },
        thread::{self, ThreadId},
    };

    static IS_WATCHED: AtomicBool = AtomicBool::new(false);
    static WAITING: sync::Mutex<Vec<ThreadId>> = sync::Mutex::new(Vec::new());
    /// The numbers of two locks: one that was held, and one that was taken then.
    static ORDERS: sync::Mutex<BTreeSet<(usize, usize)>> = sync::Mutex::new(BTreeSet::new());

    thread_local! {
        static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
        static BEFORE_SLEEP: Cell<Option<Box<dyn FnOnce()>>> = const { Cell::new(None) };
    }

    /// From now on, what the locks see is kept. The processes in which the clauses run don't need it.
    pub(super) fn watch() {
        IS_WATCHED.store(true, SeqCst);
    }

    /// Calls `act` on this thread when it next waits for a condition variable, while it still holds the lock.
    pub(super) fn before_the_next_sleep(act: impl FnOnce() + 'static) {
        BEFORE_SLEEP.set(Some(Box::new(act)));
    }

    /// Whether this thread waits for a lock.
    pub(super) fn does_wait(thread: ThreadId) -> bool {
        WAITING.lock().unwrap().contains(&thread)
    }

    pub(super) fn were_taken_in_both_orders() -> bool {
        let orders = ORDERS.lock().unwrap();
        orders.iter().any(|(a, b)| orders.contains(&(*b, *a)))
    }

    pub(crate) struct Mutex<T> {
        number: usize,
        inner: sync::Mutex<T>,
    }

    pub(crate) struct Guard<'a, T> {
        inner: sync::MutexGuard<'a, T>,
        held: Held,
    }

    struct Held(usize);

    impl Drop for Held {
        fn drop(&mut self) {
            HELD.with_borrow_mut(|held| held.retain(|it| *it != self.0));
        }
    }

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            Mutex {
                number: NEXT.fetch_add(1, SeqCst),
                inner: sync::Mutex::new(value),
            }
        }

        pub(crate) fn lock(&self) -> LockResult<Guard<'_, T>> {
            let is_watched = IS_WATCHED.load(SeqCst);
            if is_watched {
                let orders = HELD.with_borrow(|held| {
                    held.iter().map(|it| (*it, self.number)).collect::<Vec<_>>()
                });
                ORDERS.lock().unwrap().extend(orders);
            }
            let result = match self.inner.try_lock() {
                Ok(guard) => Ok(guard),
                Err(TryLockError::Poisoned(error)) => Err(error),
                Err(TryLockError::WouldBlock) => {
                    let thread = thread::current().id();
                    WAITING.lock().unwrap().push(thread);
                    let result = self.inner.lock();
                    WAITING.lock().unwrap().retain(|it| *it != thread);
                    result
                }
            };
            if is_watched {
                HELD.with_borrow_mut(|held| held.push(self.number));
            }
            with(result, Held(self.number))
        }
    }

    fn with<T>(
        result: LockResult<sync::MutexGuard<'_, T>>,
        held: Held,
    ) -> LockResult<Guard<'_, T>> {
        match result {
            Ok(inner) => Ok(Guard { inner, held }),
            Err(error) => {
                let inner = error.into_inner();
                Err(PoisonError::new(Guard { inner, held }))
            }
        }
    }

    impl<T: Default> Default for Mutex<T> {
        fn default() -> Self {
            Mutex::new(T::default())
        }
    }

    impl<T> Deref for Guard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.inner
        }
    }

    impl<T> DerefMut for Guard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.inner
        }
    }

    #[derive(Default)]
    pub(crate) struct Condvar(sync::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Condvar {
            Condvar::default()
        }

        pub(crate) fn wait<'a, T>(&self, guard: Guard<'a, T>) -> LockResult<Guard<'a, T>> {
            if let Some(act) = BEFORE_SLEEP.take() {
                act();
            }
            let Guard { inner, held } = guard;
            with(self.0.wait(inner), held)
        }

        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }

        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}
