//! A reactor that puts timers into its map and never takes one out.
//!
//! Each entry is small, but a server that sets a timer for each request keeps all of them, from its first day on.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
};

use futures::executor::block_on;

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "never-removed",
    title: "a finished timer stays in the reactor's map",
    was_in: "document 003, `Reactor` (D40)",
    breaks: Breaks::Clause("dropped_late"),
    chapter: 6,
    fails: Fails::Prints("1,000 timers in a row: 1,000 entries are left"),
    why: "`poll` returned Ready, but the map was not told. Each entry keeps its waker, and with it the task. \
          In the twin the timer removes its entry when it is dropped, finished or not.",
    passes: "1,000 timers in a row: 0 entries are left",
    broken: || show(|id, map| Timer { id, map }),
    repaired: || show(|id, map| RemovedTimer(Timer { id, map })),
};

enum State {
    Waiting(Waker),
    Over,
}

type Map = Mutex<BTreeMap<u64, State>>;

// ANCHOR: broken
struct Timer {
    id: u64,
    map: Arc<Map>,
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut map = self.map.lock().unwrap();
        if let Some(State::Over) = map.get(&self.id) {
            return Poll::Ready(());
        }
        map.insert(self.id, State::Waiting(cx.waker().clone()));
        Poll::Pending
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct RemovedTimer(Timer);

impl Drop for RemovedTimer {
    fn drop(&mut self) {
        let Timer { id, map } = &self.0;
        let removed = map.lock().unwrap().remove(id);
        // A waker may be in it, and is dropped when the lock is free again.
        drop(removed);
    }
}
// ANCHOR_END: repaired

impl Future for RemovedTimer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx)
    }
}

fn fire(map: &Map, id: u64) {
    let before = map.lock().unwrap().insert(id, State::Over);
    if let Some(State::Waiting(waker)) = before {
        waker.wake();
    }
}

fn show<T: Future<Output = ()>>(timer: fn(u64, Arc<Map>) -> T) {
    let map = Arc::new(Map::default());
    let next = AtomicU64::new(0);
    block_on(async {
        for _ in 0..1_000 {
            let id = next.fetch_add(1, Ordering::Relaxed);
            let timer = timer(id, Arc::clone(&map));
            futures::join!(timer, async { fire(&map, id) });
        }
    });
    let left = match map.lock().unwrap().len() {
        1_000 => "1,000".to_owned(),
        left => left.to_string(),
    };
    println!("1,000 timers in a row: {left} entries are left");
}
