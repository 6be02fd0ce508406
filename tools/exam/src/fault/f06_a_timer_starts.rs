//! A timer that tells the reactor's thread of itself before it has left its waker.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    task::Waker,
};

use probe::{CountingWaker, Mutex};

// ANCHOR: program
/// What the timers and the reactor's thread share.
#[derive(Default)]
struct Reactor {
    next: Mutex<u64>,
    wakers: Mutex<BTreeMap<u64, Waker>>,
    events: Mutex<VecDeque<u64>>,
}

impl Reactor {
    /// Called by the first poll of a timer. Later polls replace the waker, if it has not fired.
    fn start(&self, waker: &Waker) -> u64 {
        let mut next = self.next.lock().unwrap();
        let id = *next;
        *next += 1;
        drop(next);
        self.events.lock().unwrap().push_back(id);
        self.wakers.lock().unwrap().insert(id, waker.clone());
        id
    }

    /// Called by the reactor's thread for an event, as soon as its deadline has come.
    fn fire(&self, id: u64) {
        let waker = self.wakers.lock().unwrap().remove(&id);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
// ANCHOR_END: program

impl Reactor {
    fn start_repaired(&self, waker: &Waker) -> u64 {
        let mut next = self.next.lock().unwrap();
        let id = *next;
        *next += 1;
        drop(next);
        // ANCHOR: repair
        self.wakers.lock().unwrap().insert(id, waker.clone());
        self.events.lock().unwrap().push_back(id);
        // ANCHOR_END: repair
        id
    }
}

#[test]
fn if_the_deadline_has_come_at_once_no_waker_is_called() {
    /// How often the task is woken if the reactor's thread handles its events in this gap, and once more later.
    fn wakes(gap: usize, start: fn(&Reactor, &Waker) -> u64) -> usize {
        let (reactor, task) = (Arc::<Reactor>::default(), CountingWaker::new());
        let other = Arc::clone(&reactor);
        let handle_events = move || {
            while let Some(id) = { other.events.lock().unwrap().pop_front() } {
                other.fire(id);
            }
        };
        let act = || start(&reactor, &task.waker());
        let (_, gaps) = probe::in_gap(gap, handle_events.clone(), act);
        assert_eq!(gaps, 3);
        handle_events();
        task.wakes()
    }
    // In gap 0 there is no event yet. Between the two calls, in gap 1, the broken one loses its wake.
    assert_eq!([0, 1, 2].map(|gap| wakes(gap, Reactor::start)), [1, 0, 1]);
    assert_eq!(
        [0, 1, 2].map(|gap| wakes(gap, Reactor::start_repaired)),
        [1, 1, 1]
    );
}
