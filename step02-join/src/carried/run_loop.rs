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

/// Runs futures side by side on one thread, and counts the polls that this takes.
// ANCHOR: struct
#[derive(Debug)]
pub struct RunLoop<F> {
    /// The unfinished ones.
    futures: Vec<F>,
    /// The value of `WAKES` right before the last round of polls.
    seen: u64,
    polls: usize,
}
// ANCHOR_END: struct

impl<F: SimpleFuture> RunLoop<F> {
    /// A loop with these futures, none of which it has polled yet.
    pub fn new(futures: impl IntoIterator<Item = F>) -> Self {
        RunLoop {
            futures: futures.into_iter().collect(),
            seen: 0,
            polls: 0,
        }
    }

    /// Polls every unfinished future once. Returns the outputs of the futures that finish in this round.
    ///
    /// It polls all of them because a [`wake`] does not say which future it is for.
    // ANCHOR: poll_all
    pub fn poll_all(&mut self) -> Vec<F::Output> {
        // Read the count before the polls, so that `sleep` notices a wake that comes during
        // them.
        self.seen = *WAKES.lock().expect(UNPOISONED);
        self.polls += self.futures.len();
        let mut outputs = Vec::new();
        self.futures.retain_mut(|future| match future.poll(wake) {
            Poll::Pending => true,
            Poll::Ready(output) => {
                outputs.push(output);
                false // drops the future, so that it is never polled again
            }
        });
        outputs
    }
    // ANCHOR_END: poll_all

    /// Blocks the thread until [`wake`] has been called at least once since the last round began.
    // ANCHOR: sleep
    pub fn sleep(&self) {
        let wakes = WAKES.lock().expect(UNPOISONED);
        let unchanged = |wakes: &mut u64| *wakes == self.seen;
        drop(WOKEN.wait_while(wakes, unchanged).expect(UNPOISONED));
    }
    // ANCHOR_END: sleep

    /// Polls and sleeps in turn until every future is finished. Returns the outputs in the order in which the futures
    /// finished, without those that an earlier [`poll_all`](Self::poll_all) has returned.
    // ANCHOR: run
    pub fn run(&mut self) -> Vec<F::Output> {
        let mut outputs = self.poll_all();
        while !self.futures.is_empty() {
            self.sleep();
            outputs.extend(self.poll_all());
        }
        outputs
    }
    // ANCHOR_END: run

    /// How many polls there have been, over all futures.
    pub fn polls(&self) -> usize {
        self.polls
    }
}
