//! The eventfd that wakes the executor, and a reactor that watches it too, with a callback that is empty.
//!
//! An eventfd is readable until it is read, and only the executor reads it, between its polls. While it is inside a poll,
//! each wait of the reactor returns at once.

use std::{os::fd::OwnedFd, thread};

use futures::executor::block_on;
use rustix::{
    event::{
        EventfdFlags,
        epoll::{self, EventData, EventFlags},
        eventfd,
    },
    io::{read, write},
};

use crate::{
    Breaks, Exhibit, Fails,
    props::kernel::{self, AT_ONCE},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "eventfd-never-read",
    title: "the reactor spins on the eventfd while the executor is inside a poll",
    was_in: "document 002, `main` (D30)",
    breaks: Breaks::Rule("a wake ends one wait of the reactor, and not each that follows"),
    chapter: 9,
    fails: Fails::Prints("during one poll, waits that returned at once: 10,000 of 10,000"),
    why: "the poll has woken another task, so the eventfd holds a 1 until the executor reads it, and the empty \
          callback does not. The twin registers the eventfd edge-triggered: each write is reported once, read or \
          not.",
    passes: "during one poll, waits that returned at once: 1 of 10,000",
    broken: || show(watch_broken),
    repaired: || show(watch_repaired),
};

// ANCHOR: broken
fn watch_broken(epoll: &OwnedFd, eventfd: &OwnedFd) {
    let flags = EventFlags::IN;
    epoll::add(epoll, eventfd, EventData::new_u64(1), flags).unwrap();
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn watch_repaired(epoll: &OwnedFd, eventfd: &OwnedFd) {
    let flags = EventFlags::IN | EventFlags::ET;
    epoll::add(epoll, eventfd, EventData::new_u64(1), flags).unwrap();
}
// ANCHOR_END: repaired

fn show(watch: fn(&OwnedFd, &OwnedFd)) {
    let epoll = kernel::new_epoll();
    let eventfd = eventfd(0, EventfdFlags::CLOEXEC).unwrap();
    watch(&epoll, &eventfd);
    // The callback for each of these events is empty.
    let one_wait = || kernel::wait(&epoll, AT_ONCE).unwrap().len();
    let reactor = || kernel::in_10_000(one_wait);
    let wake = || write(&eventfd, &1u64.to_ne_bytes()).unwrap();
    let task = async {
        // This wakes another task, and the poll goes on while the reactor makes its waits.
        wake();
        thread::scope(|scope| scope.spawn(reactor).join()).unwrap()
    };
    // A turn of the executor: sleep until the eventfd is written to, then poll.
    wake();
    read(&eventfd, &mut [0; 8]).unwrap();
    let returned = block_on(task);
    println!("during one poll, waits that returned at once: {returned} of 10,000");
}
