//! In which orders the two threads of an exhibit can take its locks, and how each order ends. The games of the book show the same code,
//! and a test of `tools/picture` compares their orders with these.

use std::{cell::RefCell, collections::BTreeMap, mem, sync::LockResult};

use loom::{
    sync::MutexGuard,
    thread::{self, ThreadId},
};

/// An order in which two threads take locks. Two are the same if each thread takes the same locks one after the other, and each lock is
/// taken by the same threads one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order {
    by_thread: [Vec<usize>; 2],
    by_lock: BTreeMap<usize, Vec<usize>>,
}

impl Order {
    /// A thread takes a lock next. Thread 0 is the one that has made the locks, and a lock's number is that of its making, from 0.
    pub fn take(&mut self, thread: usize, lock: usize) {
        self.by_thread[thread].push(lock);
        self.by_lock.entry(lock).or_default().push(thread);
    }
}

thread_local! {
    /// There is one while [`ends`] runs a program. Loom runs all threads of a model on one thread of the system.
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

#[derive(Default)]
struct Log {
    first: Option<ThreadId>,
    locks: usize,
    order: Order,
    ends: BTreeMap<Order, bool>,
}

/// All orders in which loom runs a program of an exhibit, and whether the wake arrives in each.
///
/// # Panics
///
/// If an order has two ends.
pub fn ends(program: fn()) -> BTreeMap<Order, bool> {
    LOG.set(Some(Log::default()));
    program();
    LOG.take().expect("it was put there").ends
}

/// A run begins.
pub(crate) fn begin() {
    with(|log| (log.first, log.locks) = (Some(thread::current().id()), 0));
}

/// A run has ended. Returns whether [`ends`] has asked for that. Otherwise the exhibit says it itself.
pub(crate) fn end(arrives: bool) -> bool {
    let note = |log: &mut Log| {
        let order = mem::take(&mut log.order);
        let before = log.ends.insert(order, arrives);
        assert!(before.is_none_or(|before| before == arrives), "two ends");
    };
    with(note).is_some()
}

fn with<T>(act: impl FnOnce(&mut Log) -> T) -> Option<T> {
    LOG.with_borrow_mut(|log| log.as_mut().map(act))
}

/// Loom's mutex, of which [`ends`] knows who takes it.
#[derive(Debug)]
pub(crate) struct Mutex<T> {
    number: usize,
    inner: loom::sync::Mutex<T>,
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        let number = with(|log| {
            log.locks += 1;
            log.locks - 1
        });
        Mutex {
            number: number.unwrap_or_default(),
            inner: loom::sync::Mutex::default(),
        }
    }
}

impl<T> Mutex<T> {
    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let guard = self.inner.lock();
        with(|log| {
            let is_other = log.first != Some(thread::current().id());
            log.order.take(usize::from(is_other), self.number);
        });
        guard
    }
}
