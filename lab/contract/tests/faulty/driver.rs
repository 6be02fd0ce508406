//! The driver of the faulty timers: a map of what waits, and a thread that wakes each when its time has come.

use std::{
    collections::BTreeMap,
    mem::{self, ManuallyDrop},
    panic::AssertUnwindSafe,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    task::{Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use crate::{THIRTY_YEARS, lock};
use runtime_contract::{LeafFault, caught};

pub(super) type Id = u64;

const LATE: Duration = Duration::from_millis(1);

pub(super) struct Driver {
    fault: LeafFault,
    timers: Mutex<Timers>,
    changed: Condvar,
}

#[derive(Default)]
struct Timers {
    entries: BTreeMap<Id, Entry>,
    next: Id,
    closed: bool,
    /// For one fault alone.
    is_busy: bool,
    /// For another: the timer that it waited for was dropped.
    has_no_alarm: bool,
    /// For another: the waker of a timer that was dropped early.
    abandoned: Option<Waker>,
    /// For the faults that start threads, each of which ends when its sender is dropped.
    to_start: Vec<Receiver<()>>,
}

/// A timer that has been polled, and has not learned that it is over.
#[derive(Default)]
struct Entry {
    deadline: Option<Instant>,
    over: bool,
    /// One at most, but for the fault that keeps all.
    wakers: Vec<Waker>,
    /// For the fault that compares with it.
    first: Option<Waker>,
    /// For the faults where each timer has a thread.
    thread: Option<Sender<()>>,
}

static ONE_PLACE: Mutex<Option<Waker>> = Mutex::new(None);

impl Driver {
    pub(super) fn start(fault: LeafFault) -> Arc<Driver> {
        let driver = Arc::new(Driver {
            fault,
            timers: Mutex::default(),
            changed: Condvar::new(),
        });
        let drives = driver.clone();
        thread::spawn(move || drives.drive());
        driver
    }

    fn drive(&self) {
        let mut timers = lock(&self.timers);
        while !timers.closed {
            while let Some(sent_away) = timers.to_start.pop() {
                drop(timers);
                thread::sleep(LATE);
                start_a_thread(sent_away);
                timers = lock(&self.timers);
            }
            let waits = timers.entries.iter().filter(|(_, entry)| !entry.over);
            let mut waits = waits.filter_map(|(id, entry)| Some((entry.deadline?, *id)));
            let is_busy = timers.is_busy && waits.clone().nth(1).is_some();
            let next = match self.fault {
                LeafFault::LooksWhenAllIsQuiet if is_busy => None,
                LeafFault::DropsTheAlarm if timers.has_no_alarm => None,
                LeafFault::SleepsInOrder => waits.next(),
                _ => waits.min(),
            };
            timers.is_busy = is_busy;
            let left = next.map_or(THIRTY_YEARS, |(at, _)| {
                at.saturating_duration_since(Instant::now())
            });
            timers = match next {
                Some((_, id)) if left.is_zero() => {
                    self.fire(timers, id);
                    let timers = lock(&self.timers);
                    if self.fault == LeafFault::SetsNoSecondAlarm {
                        self.changed
                            .wait(timers)
                            .unwrap_or_else(PoisonError::into_inner)
                    } else {
                        timers
                    }
                }
                _ => {
                    let waited = self.changed.wait_timeout(timers, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// `None` if the driver was closed.
    pub(super) fn enter(&self, deadline: Option<Instant>) -> Option<Id> {
        let mut timers = lock(&self.timers);
        if timers.closed && self.fault != LeafFault::WaitsForNoDriver {
            return None;
        }
        let mut entry = Entry {
            deadline,
            ..Entry::default()
        };
        if matches!(
            self.fault,
            LeafFault::ThreadStaysWhenDropped | LeafFault::PanicsBeforeItForgets
        ) {
            let (thread, sent_away) = mpsc::channel();
            entry.thread = Some(thread);
            start_a_thread(sent_away);
        }
        let id = timers.next;
        timers.next += 1;
        timers.has_no_alarm = false;
        timers.entries.insert(id, entry);
        self.changed.notify_one();
        Some(id)
    }

    pub(super) fn reset(&self, id: Id, deadline: Option<Instant>) {
        let mut timers = lock(&self.timers);
        if let Some(entry) = timers.entries.get_mut(&id) {
            match self.fault {
                LeafFault::KeepsItsFirstTime => {}
                LeafFault::ForgetsAtAReset => {
                    entry.deadline = deadline;
                    entry.wakers.clear();
                }
                _ => entry.deadline = deadline,
            }
        }
        if self.fault != LeafFault::IgnoresAReset {
            self.changed.notify_one();
        }
    }

    pub(super) fn start_a_thread(&self) -> Sender<()> {
        let (thread, sent_away) = mpsc::channel();
        lock(&self.timers).to_start.push(sent_away);
        self.changed.notify_one();
        thread
    }

    pub(super) fn poll(&self, id: Id, waker: &Waker) -> Poll<()> {
        let fault = self.fault;
        let held = (fault == LeafFault::ClonesUnderItsLock).then(|| lock(&self.timers));
        let waker = waker.clone();
        drop(held);
        // Declared after the waker, so wherever this returns, the lock is free before the waker is dropped.
        let mut timers = lock(&self.timers);
        if timers
            .abandoned
            .as_ref()
            .is_some_and(|kept| kept.will_wake(&waker))
        {
            return Poll::Pending;
        }
        let Some(entry) = timers.entries.get_mut(&id) else {
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
        drop(timers);
        drop(earlier);
        Poll::Pending
    }

    /// Takes a timer out, and drops what was kept of it when no lock is held.
    pub(super) fn remove(&self, id: Id) {
        let mut timers = lock(&self.timers);
        let Some(mut entry) = timers.entries.remove(&id) else {
            return;
        };
        timers.is_busy |= !entry.over;
        let earlier = |other: &Entry| !other.over && other.deadline < entry.deadline;
        timers.has_no_alarm |= !entry.over && !timers.entries.values().any(earlier);
        if self.fault == LeafFault::RemovesItsNeighbour && !entry.over {
            timers.entries.remove(&(id + 1));
        }
        if self.fault == LeafFault::TakesOneWakerForOneTimer && !entry.over {
            timers.abandoned = entry.wakers.pop();
        }
        self.changed.notify_one();
        let _held = (self.fault == LeafFault::RemovesUnderItsLock).then_some(timers);
        let thread = entry.thread.take();
        match self.fault {
            LeafFault::ThreadStaysWhenDropped if !entry.over => mem::forget(thread),
            LeafFault::RemovesUnderItsLock => drop(entry),
            LeafFault::PanicsBeforeItForgets => {
                let thread = ManuallyDrop::new(thread);
                drop(entry);
                drop(ManuallyDrop::into_inner(thread));
            }
            _ => {}
        }
    }

    fn fire(&self, mut timers: MutexGuard<'_, Timers>, id: Id) {
        let Some(entry) = timers.entries.get_mut(&id) else {
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
        drop(timers);
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
        let mut timers = lock(&self.timers);
        timers.closed = true;
        self.changed.notify_one();
        if self.fault == LeafFault::EndsSilently {
            return;
        }
        let entries = mem::take(&mut timers.entries);
        let held = (self.fault == LeafFault::WakesUnderItsLock).then_some(timers);
        for entry in entries.into_values() {
            if self.fault == LeafFault::KeepsWakersAsItEnds {
                entry.wakers.iter().cloned().for_each(mem::forget);
            }
            self.wake(entry.wakers);
        }
        drop(held);
    }
}

fn start_a_thread(sent_away: Receiver<()>) {
    // Nothing is ever sent. The thread sees that its sender is gone.
    thread::spawn(move || sent_away.recv());
}
