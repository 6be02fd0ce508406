//! One slot for the waker, and a flag that is raised once and never lowered, shared by two tasks.
//!
//! `StdinFuture` can be cloned, and its clones share both fields. So each poll of one clone throws away the waker of the
//! other. And after the first event every later poll reads, whether there is a line or not, so it can block.

use std::{
    collections::VecDeque,
    future::poll_fn,
    mem,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
};

use futures::{StreamExt, executor::block_on, stream::FuturesUnordered};

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "one-waker-slot",
    title: "two tasks wait for one input, and the waker of the first is thrown away",
    was_in: "document 002, `StdinFuture` (D32)",
    breaks: Breaks::Rule("each task that waits for an input is woken when there is some"),
    chapter: 9,
    fails: Fails::Hangs("returned Pending, and its waker was dropped without a wake"),
    why: "the second task has put its waker into the slot, over that of the first. The first line wakes the second task, \
          which ends. The second line finds the slot empty. The twin keeps a waker for each task that waits and wakes \
          all of them, and a task that finds no line waits again instead of trusting the flag.",
    passes: "both tasks have a line: 39 and 40",
    broken: || show(OneSlot::default()),
    repaired: || show(OneForEach::default()),
};

trait Stdin {
    /// A line was written: the callback of the event.
    fn set_ready(&self, line: &'static str);
    fn poll(&self, cx: &mut Context<'_>) -> Poll<&'static str>;
}

/// What the kernel has of the input. To read would block if there is no line, so that is not done here.
type Lines = Mutex<VecDeque<&'static str>>;

// ANCHOR: broken
#[derive(Default)]
struct OneSlot {
    lines: Lines,
    is_ready: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Stdin for OneSlot {
    fn set_ready(&self, line: &'static str) {
        self.lines.lock().unwrap().push_back(line);
        self.is_ready.store(true, SeqCst);
        let waker = self.waker.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<&'static str> {
        if self.is_ready.load(SeqCst) {
            let line = self.lines.lock().unwrap().pop_front();
            return Poll::Ready(line.expect("a line, or this read would block"));
        }
        *self.waker.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct OneForEach {
    lines: Lines,
    wakers: Mutex<Vec<Waker>>,
}

impl Stdin for OneForEach {
    fn set_ready(&self, line: &'static str) {
        self.lines.lock().unwrap().push_back(line);
        let wakers = mem::take(&mut *self.wakers.lock().unwrap());
        wakers.into_iter().for_each(Waker::wake);
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<&'static str> {
        let mut wakers = self.wakers.lock().unwrap();
        // A real read would answer "would block" instead of None.
        if let Some(line) = self.lines.lock().unwrap().pop_front() {
            return Poll::Ready(line);
        }
        wakers.push(cx.waker().clone());
        Poll::Pending
    }
}
// ANCHOR_END: repaired

fn show(stdin: impl Stdin) {
    let task = |name| probe::watch(name, poll_fn(|cx| stdin.poll(cx)));
    // It gives each of them a waker of its own.
    let mut tasks: FuturesUnordered<_> = ["first", "second"].into_iter().map(task).collect();
    let lines = block_on(async {
        let mut read = Vec::new();
        for line in ["39", "40"] {
            assert!(futures::poll!(tasks.next()).is_pending());
            stdin.set_ready(line);
            read.extend(tasks.next().await);
        }
        read
    });
    println!("both tasks have a line: {}", lines.join(" and "));
}
