//! The socket of s09e, whose kernel follows a script, and the lock.

// The mutex of std, except that the watchdog knows who holds it.
use probe::{Mutex, MutexGuard};
use std::{
    cell::RefCell,
    collections::VecDeque,
    sync::{
        LockResult,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

/// The kernel's end of the socket. The tests let bytes arrive during a read.
#[derive(Default)]
pub(crate) struct Socket {
    pub(crate) bytes: Mutex<VecDeque<u8>>,
    /// What happens in each read, before it takes a byte and after it.
    pub(crate) script: Mutex<VecDeque<[Step; 2]>>,
    /// How many reads would have blocked.
    pub(crate) misses: AtomicUsize,
}

pub(crate) type Step = Box<dyn FnOnce() + Send>;

thread_local! {
    /// What happens before each of the next locks on this thread.
    pub(crate) static BEFORE_LOCKS: RefCell<VecDeque<Step>> = RefCell::default();
}

/// A `Mutex`. The tests let a byte arrive just before it is locked, when another thread may have it.
#[derive(Default)]
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let step = BEFORE_LOCKS.with_borrow_mut(VecDeque::pop_front);
        step.into_iter().for_each(|step| step());
        self.0.lock()
    }
}

impl Socket {
    /// Takes a byte. `None`: it would block.
    pub(crate) fn read(&self) -> Option<u8> {
        let step = self.script.lock().unwrap().pop_front();
        let [before, after] = step.unwrap_or_else(|| [Box::new(|| ()), Box::new(|| ())]);
        before();
        let byte = self.bytes.lock().unwrap().pop_front();
        let misses = self.misses.load(SeqCst) + usize::from(byte.is_none());
        self.misses.store(misses, SeqCst);
        assert!(
            misses <= 1_000,
            "the socket was read a thousand times and nothing had arrived, because the source says that it is ready. What \
             should `clear` have done?"
        );
        after();
        byte
    }
}
