//! The gaps between two critical sections, in which another thread may do anything. A test that waits for one to come at such a
//! moment passes nearly always, whatever the code does; one that acts at that very moment fails each time.

use std::{
    cell::{Cell, RefCell},
    sync::OnceLock,
    thread,
};

use crate::see::holders::wait_of;

type Act = Box<dyn FnMut()>;

/// What each thread does in each of its gaps.
static IN_EACH: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

thread_local! {
    /// What another thread does just before this one sleeps.
    static BEFORE: RefCell<Option<Box<dyn FnOnce() + Send>>> = const { RefCell::new(None) };
    /// What this thread does instead of sleeping.
    static INSTEAD: RefCell<Option<Act>> = const { RefCell::new(None) };
    /// How many locks this thread holds.
    static HELD: Cell<usize> = const { Cell::new(0) };
    static WANTED: RefCell<Option<Wanted>> = const { RefCell::new(None) };
}

struct Wanted {
    gap: usize,
    passed: usize,
    other: Option<Box<dyn FnOnce()>>,
}

/// Calls `act`, and in its gap with this number, from 0, what another thread might do there. Returns the result of `act`,
/// and how many gaps there were.
///
/// A gap is a moment at which this thread has released a [`Mutex`](crate::Mutex), has notified a
/// [`Condvar`](crate::Condvar) or has unparked a [`Thread`](crate::thread::Thread), and holds no other lock of this kind.
///
/// ```
/// let count = std::sync::Arc::new(why_pending::Mutex::new(0));
/// let other = count.clone();
/// let (lost, gaps) = why_pending::in_gap(0, move || *other.lock().unwrap() += 1, || {
///     let read = *count.lock().unwrap();
///     *count.lock().unwrap() = read + 1;
///     *count.lock().unwrap() == 1
/// });
/// assert_eq!((lost, gaps), (true, 3));
/// ```
pub fn in_gap<R>(
    gap: usize,
    other: impl FnOnce() + 'static,
    act: impl FnOnce() -> R,
) -> (R, usize) {
    let other: Option<Box<dyn FnOnce()>> = Some(Box::new(other));
    let passed = 0;
    let outer = WANTED.replace(Some(Wanted { gap, passed, other }));
    let result = act();
    let passed = WANTED.replace(outer).map_or(0, |wanted| wanted.passed);
    (result, passed)
}

/// From now on, each thread of this process calls `act` in each of its gaps, which are those of [`in_gap`] and, for words of
/// [`sync::atomic`](crate::sync::atomic), the moment after each use. Of several calls, the first one holds.
///
/// For a test program that lets threads wait there, until others have done all they can.
pub fn in_each_gap(act: impl Fn() + Send + Sync + 'static) {
    let _ = IN_EACH.set(Box::new(act));
}

/// Calls `act`. Where this thread would sleep at a [`Condvar`](crate::Condvar), it calls `other` instead, without the lock.
pub fn instead_of_sleep<R>(other: impl FnMut() + 'static, act: impl FnOnce() -> R) -> R {
    let outer = INSTEAD.replace(Some(Box::new(other)));
    let result = act();
    INSTEAD.set(outer);
    result
}

/// Calls `act`. Before this thread sleeps at a [`Condvar`](crate::Condvar), still with the lock, another thread calls `other`.
pub fn before_sleep<R>(other: impl FnOnce() + Send + 'static, act: impl FnOnce() -> R) -> R {
    let outer = BEFORE.replace(Some(Box::new(other)));
    let result = act();
    BEFORE.set(outer);
    result
}

/// This thread is about to sleep, and still holds the lock.
pub(crate) fn falls_asleep() {
    if let Some(other) = BEFORE.take() {
        let other = thread::spawn(other);
        while !other.is_finished() && wait_of(other.thread().id()).is_none() {
            thread::yield_now();
        }
    }
}

/// What this thread does instead of sleeping, if it is not to sleep.
pub(crate) fn instead() -> Option<impl FnOnce()> {
    let mut other = INSTEAD.take()?;
    Some(move || {
        other();
        INSTEAD.set(Some(other));
    })
}

/// This thread may be in a gap: it has notified, or released a lock.
pub(crate) fn pass() {
    if HELD.get() > 0 {
        return;
    }
    pass_each();
    // Not there any more while the thread ends, when a destructor may release a lock too.
    let other = WANTED.try_with(|wanted| {
        let mut wanted = wanted.borrow_mut();
        let wanted = wanted.as_mut()?;
        let is_it = wanted.passed == wanted.gap;
        wanted.passed += 1;
        wanted.other.take_if(|_| is_it)
    });
    if let Ok(Some(other)) = other {
        apart(other);
    }
}

/// This thread may be in a gap of its own, in which only what was asked for each happens.
pub(crate) fn pass_each() {
    if let (0, Some(act)) = (HELD.get(), IN_EACH.get()) {
        act();
    }
}

/// Calls `f`. The locks that it takes and releases are no gaps of this thread.
pub(crate) fn apart(f: impl FnOnce()) {
    let here = WANTED.take();
    f();
    WANTED.set(here);
}

/// One lock that this thread holds. To be dropped once the lock is free.
pub(crate) struct Held(());

impl Held {
    pub(crate) fn new() -> Held {
        HELD.set(HELD.get() + 1);
        Held(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        if !std::thread::panicking() {
            pass();
        }
    }
}
