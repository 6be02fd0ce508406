//! A reactor that calls wakers while its map is locked, and one of these wakers panics.
//!
//! The panic concerns one waker only. But a lock under which a thread panicked is poisoned, and all timers share the
//! map.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    task::{Wake, Waker},
    thread,
};

use probe::CountingWaker;

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "poisoned-reactor",
    title: "one waker panics, and no timer works any more",
    was_in: "document 003, `Reactor::wake` (D38)",
    breaks: Breaks::Rule("a panic in one waker harms no other timer"),
    chapter: 6,
    fails: Fails::Panics("PoisonError"),
    why: "`lock().unwrap()` passes the panic on to all code that locks the map later, so a future that has \
          done nothing wrong panics in its poll. The twin wakes after it has released the lock, so the lock \
          cannot be poisoned.",
    passes: "the second timer was woken once",
    broken: || show(wake_broken),
    repaired: || show(wake_repaired),
};

type Map = Mutex<BTreeMap<u64, Waker>>;

// ANCHOR: broken
fn wake_broken(map: &Map, id: u64) {
    let mut map = map.lock().unwrap();
    if let Some(waker) = map.remove(&id) {
        waker.wake();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn wake_repaired(map: &Map, id: u64) {
    let waker = {
        let mut map = map.lock().unwrap();
        map.remove(&id)
    };
    if let Some(waker) = waker {
        waker.wake();
    }
}
// ANCHOR_END: repaired

struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        panic!("this waker panics");
    }
}

fn show(wake: fn(&Map, u64)) {
    let second = CountingWaker::new();
    let map = Arc::new(Map::default());
    map.lock().unwrap().insert(1, Waker::from(Arc::new(Panics)));
    map.lock().unwrap().insert(2, second.waker());
    for id in [1, 2] {
        let map = Arc::clone(&map);
        let timer = thread::Builder::new().name(format!("timer {id}"));
        let timer = timer.spawn(move || wake(&map, id)).unwrap();
        // The first one panics, in both versions.
        let _ = timer.join();
    }
    // What the second timer's future does at its next poll.
    drop(map.lock().unwrap());
    assert_eq!(second.wakes(), 1);
    println!("the second timer was woken once");
}
