//! A reactor that calls wakers while its map is locked.
//!
//! The wake ends a task, the task owns the timer, and a timer that is dropped removes its entry from the map.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use probe::Mutex;

use crate::{Breaks, Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "wake-under-reactor-lock",
    title: "a reactor that wakes while it holds the lock of its map",
    was_in: "document 003, `Reactor::wake` (D39)",
    breaks: Breaks::Clause("dropped_in_its_wake"),
    chapter: 6,
    fails: Fails::Hangs("waits outside any poll for a lock that it already holds"),
    why: "a wake may run any code, such as a drop of the timer, and that drop needs the lock that is held \
          during the wake. The twin takes the waker out of the map, releases the lock, and wakes after that.",
    passes: "the timer was dropped in its wake; left in the map: 0",
    broken: || show(wake_broken),
    repaired: || show(wake_repaired),
};

type Map = Mutex<BTreeMap<u64, Waker>>;

struct Timer {
    id: u64,
    map: Arc<Map>,
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut map = self.map.lock().unwrap();
        map.insert(self.id, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.map.lock().unwrap().remove(&self.id);
    }
}

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

fn show(wake: fn(&Map, u64)) {
    let map = Arc::new(Map::default());
    let timer = Timer {
        id: 7,
        map: Arc::clone(&map),
    };
    // As `select` does when the other one was first.
    let drops_its_future = |task: Arc<Task>| drop(task.future.lock().unwrap().take());
    let task = Task::new(timer, drops_its_future);
    assert!(!task.poll());
    wake(&map, 7);
    let left = map.lock().unwrap().len();
    println!("the timer was dropped in its wake; left in the map: {left}");
}
