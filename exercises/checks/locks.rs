//! The locks of std, which act at the moments that matter.

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

type Act = Box<dyn FnOnce(bool)>;

thread_local! {
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    static IN_GAP: Cell<Option<(usize, Act)>> = const { Cell::new(None) };
}

/// From now on, what the locks see is kept. The processes in which the clauses run don't need it.
pub fn watch() {
    IS_WATCHED.store(true, SeqCst);
}

/// Calls `act` on this thread when it has released a lock for the time with this number, from 0, or when it is about to
/// wait for a condition variable, if that comes first. Tells it whether that came first.
pub fn act_in_gap(gap: usize, act: impl FnOnce(bool) + 'static) {
    IN_GAP.set(Some((gap, Box::new(act))));
}

fn pass(is_asleep: bool) {
    match IN_GAP.take() {
        Some((gap, act)) if gap == 0 || is_asleep => act(is_asleep),
        Some((gap, act)) => IN_GAP.set(Some((gap - 1, act))),
        None => {}
    }
}

/// Whether this thread waits for a lock.
pub fn does_wait(thread: ThreadId) -> bool {
    WAITING.lock().unwrap().contains(&thread)
}

pub fn were_taken_in_both_orders() -> bool {
    let orders = ORDERS.lock().unwrap();
    orders.iter().any(|(a, b)| orders.contains(&(*b, *a)))
}

pub struct Mutex<T> {
    number: usize,
    inner: sync::Mutex<T>,
}

pub struct Guard<'a, T> {
    inner: sync::MutexGuard<'a, T>,
    held: Held,
}

struct Held(usize);

impl Drop for Held {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| held.retain(|it| *it != self.0));
        pass(false);
    }
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Mutex {
            number: NEXT.fetch_add(1, SeqCst),
            inner: sync::Mutex::new(value),
        }
    }

    pub fn lock(&self) -> LockResult<Guard<'_, T>> {
        let is_watched = IS_WATCHED.load(SeqCst);
        if is_watched {
            let orders = HELD
                .with_borrow(|held| held.iter().map(|it| (*it, self.number)).collect::<Vec<_>>());
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

fn with<T>(result: LockResult<sync::MutexGuard<'_, T>>, held: Held) -> LockResult<Guard<'_, T>> {
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
pub struct Condvar(sync::Condvar);

impl Condvar {
    pub fn new() -> Condvar {
        Condvar::default()
    }

    pub fn wait<'a, T>(&self, guard: Guard<'a, T>) -> LockResult<Guard<'a, T>> {
        pass(true);
        let Guard { inner, held } = guard;
        with(self.0.wait(inner), held)
    }

    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
