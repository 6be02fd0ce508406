//! The map from a faulty timer to its waker: what the future and the driver share.

use std::{
    collections::HashMap,
    mem,
    panic::AssertUnwindSafe,
    sync::Mutex,
    task::{Poll, Waker},
};

use crate::{LeafFault, caught, lock::lock};

pub(super) type Id = u64;

pub(super) struct Timers {
    fault: LeafFault,
    map: Mutex<Map>,
}

#[derive(Default)]
struct Map {
    entries: HashMap<Id, Entry>,
    next: Id,
    closed: bool,
}

/// A timer that has been polled, and has not been told that it is over.
#[derive(Default)]
pub(super) struct Entry {
    over: bool,
    /// One at most, but for the fault that keeps all.
    wakers: Vec<Waker>,
    /// For the fault that compares with it.
    first: Option<Waker>,
}

static ONE_PLACE: Mutex<Option<Waker>> = Mutex::new(None);

impl Timers {
    pub(super) fn new(fault: LeafFault) -> Timers {
        let map = Mutex::default();
        Timers { fault, map }
    }

    /// `None` if the driver was closed.
    pub(super) fn enter(&self) -> Option<Id> {
        let mut map = lock(&self.map);
        if map.closed && self.fault != LeafFault::WaitsForNoDriver {
            return None;
        }
        let id = map.next;
        map.next += 1;
        map.entries.insert(id, Entry::default());
        Some(id)
    }

    pub(super) fn poll(&self, id: Id, waker: &Waker) -> Poll<()> {
        let fault = self.fault;
        let held = (fault == LeafFault::ClonesUnderItsLock).then(|| lock(&self.map));
        let waker = waker.clone();
        drop(held);
        // Declared after the waker, so wherever this returns, the lock is free before the waker is dropped.
        let mut map = lock(&self.map);
        let Some(entry) = map.entries.get_mut(&id) else {
            return match fault {
                LeafFault::WaitsForNoDriver => Poll::Pending,
                _ => Poll::Ready(()),
            };
        };
        if entry.over {
            return Poll::Ready(());
        }
        if fault == LeafFault::ComparesWithTheFirst {
            let first = entry.first.get_or_insert_with(|| waker.clone());
            if first.will_wake(&waker) && !entry.wakers.is_empty() {
                return Poll::Pending;
            }
        }
        let earlier = match fault {
            LeafFault::KeepsNoWaker => Some(waker),
            LeafFault::KeepsTheFirstWaker if !entry.wakers.is_empty() => Some(waker),
            LeafFault::SharesOnePlace => lock(&ONE_PLACE).replace(waker),
            _ => {
                let earlier = match fault {
                    LeafFault::KeepsEveryWaker => None,
                    _ => entry.wakers.pop(),
                };
                entry.wakers.push(waker);
                earlier
            }
        };
        if fault == LeafFault::ReplacesUnderItsLock {
            drop(earlier);
            return Poll::Pending;
        }
        drop(map);
        drop(earlier);
        Poll::Pending
    }

    /// Takes a timer out. What it returns is to be dropped when no lock is held.
    pub(super) fn remove(&self, id: Id) -> Option<Entry> {
        let mut map = lock(&self.map);
        let removed = map.entries.remove(&id);
        if self.fault == LeafFault::RemovesUnderItsLock {
            drop(removed);
            return None;
        }
        removed
    }

    pub(super) fn fire(&self, id: Id) {
        let mut map = lock(&self.map);
        let Some(entry) = map.entries.get_mut(&id) else {
            return;
        };
        entry.over = true;
        let mut wakers = mem::take(&mut entry.wakers);
        match self.fault {
            LeafFault::WakesUnderItsLock => return self.wake(wakers),
            LeafFault::LeaksWhenOver => entry.wakers.clone_from(&wakers),
            LeafFault::SharesOnePlace => wakers.extend(lock(&ONE_PLACE).take()),
            _ => {}
        }
        drop(map);
        self.wake(wakers);
    }

    fn wake(&self, wakers: Vec<Waker>) {
        for waker in wakers {
            if self.fault == LeafFault::DiesOfAPanic {
                waker.wake();
            } else {
                // What a waker panics with has been printed.
                let _ = caught(AssertUnwindSafe(|| waker.wake()));
            }
        }
    }

    /// Wakes all that wait, and lets none in any more.
    pub(super) fn close(&self) {
        let mut map = lock(&self.map);
        map.closed = true;
        let entries = mem::take(&mut map.entries);
        let held = (self.fault == LeafFault::WakesUnderItsLock).then_some(map);
        for entry in entries.into_values() {
            if self.fault == LeafFault::KeepsWakersAsItEnds {
                entry.wakers.iter().cloned().for_each(mem::forget);
            }
            self.wake(entry.wakers);
        }
        drop(held);
    }
}
