//! The map from a mutant timer to its waker: what the future and the driver share.

use std::{
    collections::HashMap,
    mem,
    panic::AssertUnwindSafe,
    sync::Mutex,
    task::{Poll, Waker},
};

use super::{leaf_defect::LeafDefect, lock};
use crate::caught;

pub(super) type Id = u64;

pub(super) struct Timers {
    defect: LeafDefect,
    map: Mutex<Map>,
}

#[derive(Default)]
struct Map {
    states: HashMap<Id, State>,
    next: Id,
    closed: bool,
}

/// A timer that has been polled, and has not been told that it is over.
#[derive(Default)]
pub(super) struct State {
    over: bool,
    /// One at most, but for the mutant that keeps all.
    wakers: Vec<Waker>,
    /// For the mutant that compares with it.
    first: Option<Waker>,
}

static ONE_PLACE: Mutex<Option<Waker>> = Mutex::new(None);

impl Timers {
    pub(super) fn new(defect: LeafDefect) -> Timers {
        let map = Mutex::default();
        Timers { defect, map }
    }

    /// `None` if the driver was closed.
    pub(super) fn enter(&self) -> Option<Id> {
        let mut map = lock(&self.map);
        if map.closed && self.defect != LeafDefect::WaitsForNoDriver {
            return None;
        }
        let id = map.next;
        map.next += 1;
        map.states.insert(id, State::default());
        Some(id)
    }

    pub(super) fn poll(&self, id: Id, waker: &Waker) -> Poll<()> {
        let defect = self.defect;
        let held = (defect == LeafDefect::ClonesUnderItsLock).then(|| lock(&self.map));
        let waker = waker.clone();
        drop(held);
        // Declared after the waker, so wherever this returns, the lock is free before the waker is dropped.
        let mut map = lock(&self.map);
        let Some(state) = map.states.get_mut(&id) else {
            return match defect {
                LeafDefect::WaitsForNoDriver => Poll::Pending,
                _ => Poll::Ready(()),
            };
        };
        if state.over {
            return Poll::Ready(());
        }
        if defect == LeafDefect::ComparesWithTheFirst {
            let first = state.first.get_or_insert_with(|| waker.clone());
            if first.will_wake(&waker) && !state.wakers.is_empty() {
                return Poll::Pending;
            }
        }
        let earlier = match defect {
            LeafDefect::KeepsNoWaker => Some(waker),
            LeafDefect::KeepsTheFirstWaker if !state.wakers.is_empty() => Some(waker),
            LeafDefect::SharesOnePlace => lock(&ONE_PLACE).replace(waker),
            _ => {
                let earlier = match defect {
                    LeafDefect::KeepsEveryWaker => None,
                    _ => state.wakers.pop(),
                };
                state.wakers.push(waker);
                earlier
            }
        };
        if defect == LeafDefect::ReplacesUnderItsLock {
            drop(earlier);
            return Poll::Pending;
        }
        drop(map);
        drop(earlier);
        Poll::Pending
    }

    /// Takes a timer out. What it returns is to be dropped when no lock is held.
    pub(super) fn remove(&self, id: Id) -> Option<State> {
        let mut map = lock(&self.map);
        let removed = map.states.remove(&id);
        if self.defect == LeafDefect::RemovesUnderItsLock {
            drop(removed);
            return None;
        }
        removed
    }

    pub(super) fn fire(&self, id: Id) {
        let mut map = lock(&self.map);
        let Some(state) = map.states.get_mut(&id) else {
            return;
        };
        state.over = true;
        let mut wakers = mem::take(&mut state.wakers);
        match self.defect {
            LeafDefect::WakesUnderItsLock => return self.wake(wakers),
            LeafDefect::LeaksWhenOver => state.wakers.clone_from(&wakers),
            LeafDefect::SharesOnePlace => wakers.extend(lock(&ONE_PLACE).take()),
            _ => {}
        }
        drop(map);
        self.wake(wakers);
    }

    fn wake(&self, wakers: Vec<Waker>) {
        for waker in wakers {
            if self.defect == LeafDefect::DiesOfAPanic {
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
        let states = mem::take(&mut map.states);
        let held = (self.defect == LeafDefect::WakesUnderItsLock).then_some(map);
        for state in states.into_values() {
            if self.defect == LeafDefect::KeepsWakersAsItEnds {
                state.wakers.iter().cloned().for_each(mem::forget);
            }
            self.wake(state.wakers);
        }
        drop(held);
    }
}
