//! The run loop polls its futures, then sleeps until [`wake`] is called.

use std::sync::{Condvar, Mutex};

use crate::{Poll, SimpleFuture};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// How many times [`wake`] has been called since the process began.
///
/// A plain `fn()` carries no data, so all run loops of the process share this counter. It is a count rather than a
/// flag because a flag that one loop clears would be lost to the others.
// ANCHOR: wake
static WAKES: Mutex<u64> = Mutex::new(0);
static WOKEN: Condvar = Condvar::new();

/// Wakes every run loop of this process. It cannot say which future is worth polling.
pub fn wake() {
    *WAKES.lock().expect(UNPOISONED) += 1;
    WOKEN.notify_all();
}
// ANCHOR_END: wake

/// Runs futures side by side on one thread, and counts the polls and sleeps that this takes.
// ANCHOR: struct
#[derive(Debug)]
pub struct RunLoop<F> {
    /// `None` once the future is finished and dropped.
    futures: Vec<Option<F>>,
    /// The value of `WAKES` right before the last round of polls.
    seen: u64,
    polls: usize,
    sleeps: usize,
}
// ANCHOR_END: struct

impl<F: SimpleFuture> RunLoop<F> {
    /// A loop with these futures, none of which it has polled yet.
    pub fn new(futures: impl IntoIterator<Item = F>) -> Self {
        RunLoop {
            futures: futures.into_iter().map(Some).collect(),
            seen: 0,
            polls: 0,
            sleeps: 0,
        }
    }

    /// Polls every unfinished future once. Returns the place and the output of each future that finishes in this round.
    ///
    /// It polls all of them because a [`wake`] does not say which future it is for.
    // ANCHOR: poll_all
    pub fn poll_all(&mut self) -> Vec<(usize, F::Output)> {
        // Read the count before the polls, so that `sleep` notices a wake that comes during
        // them.
        self.seen = *WAKES.lock().expect(UNPOISONED);
        let mut finished = Vec::new();
        for (place, slot) in self.futures.iter_mut().enumerate() {
            let Some(future) = slot else { continue };
            self.polls += 1;
            if let Poll::Ready(output) = future.poll(wake) {
                *slot = None;
                finished.push((place, output));
            }
        }
        finished
    }
    // ANCHOR_END: poll_all

    /// Blocks the thread until [`wake`] has been called at least once since the last round began.
    // ANCHOR: sleep
    pub fn sleep(&mut self) {
        self.sleeps += 1;
        let wakes = WAKES.lock().expect(UNPOISONED);
        let unchanged = |wakes: &mut u64| *wakes == self.seen;
        drop(WOKEN.wait_while(wakes, unchanged).expect(UNPOISONED));
    }
    // ANCHOR_END: sleep

    /// Polls and sleeps in turn until every future is finished. Returns the outputs in the order of the futures, without
    /// those that an earlier [`poll_all`](Self::poll_all) has returned.
    // ANCHOR: run
    pub fn run(&mut self) -> Vec<F::Output> {
        let mut finished = self.poll_all();
        while self.running() > 0 {
            self.sleep();
            finished.extend(self.poll_all());
        }
        finished.sort_by_key(|(place, _)| *place);
        finished.into_iter().map(|(_, output)| output).collect()
    }
    // ANCHOR_END: run

    /// How many futures are unfinished.
    pub fn running(&self) -> usize {
        self.futures.iter().flatten().count()
    }

    /// How many polls there have been, over all futures.
    pub fn polls(&self) -> usize {
        self.polls
    }

    /// How many times the loop has slept because it had nothing to poll.
    pub fn sleeps(&self) -> usize {
        self.sleeps
    }
}
