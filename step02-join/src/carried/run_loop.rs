//! Who polls: a loop that asks all its futures, then sleeps until somebody calls [`wake`].

use std::sync::{Condvar, Mutex};

use crate::{Poll, SimpleFuture};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// How often [`wake`] was called since the process began.
///
/// A plain `fn()` carries no data, so there is one counter for all run loops of the process. It is a count
/// and not a flag because a flag that one loop takes back would be missing for the others.
// ANCHOR: wake
static WAKES: Mutex<u64> = Mutex::new(0);
static WOKEN: Condvar = Condvar::new();

/// Tells every run loop of this process that something has changed. It cannot say what.
pub fn wake() {
    *WAKES.lock().expect(UNPOISONED) += 1;
    WOKEN.notify_all();
}
// ANCHOR_END: wake

/// Runs futures side by side on one thread, and counts what that takes.
#[derive(Debug)]
pub struct RunLoop<F> {
    /// `None`: finished, and dropped.
    futures: Vec<Option<F>>,
    /// The value of `WAKES` just before the last round of polls.
    seen: u64,
    polls: usize,
    sleeps: usize,
}

impl<F: SimpleFuture> RunLoop<F> {
    /// Takes the futures, and does not poll them yet.
    pub fn new(futures: impl IntoIterator<Item = F>) -> Self {
        RunLoop {
            futures: futures.into_iter().map(Some).collect(),
            seen: 0,
            polls: 0,
            sleeps: 0,
        }
    }

    /// One round: polls every future that is not finished. Returns those that finish by it, as their place
    /// and their output.
    ///
    /// It polls all of them, because nobody knows which one the last wake was for.
    // ANCHOR: poll_all
    pub fn poll_all(&mut self) -> Vec<(usize, F::Output)> {
        // Read before polling: a wake that comes during the polls must not be slept
        // through.
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

    /// Blocks the thread until [`wake`] has been called since the last round began.
    // ANCHOR: sleep
    pub fn sleep(&mut self) {
        self.sleeps += 1;
        let wakes = WAKES.lock().expect(UNPOISONED);
        let unchanged = |wakes: &mut u64| *wakes == self.seen;
        drop(WOKEN.wait_while(wakes, unchanged).expect(UNPOISONED));
    }
    // ANCHOR_END: sleep

    /// Polls and sleeps in turn until every future is finished. Returns the outputs in the order of the futures,
    /// except those that an earlier [`poll_all`](Self::poll_all) has returned.
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

    /// How many futures are not finished.
    pub fn running(&self) -> usize {
        self.futures.iter().flatten().count()
    }

    /// How many polls there were, over all futures.
    pub fn polls(&self) -> usize {
        self.polls
    }

    /// How often the loop had nothing to do and slept.
    pub fn sleeps(&self) -> usize {
        self.sleeps
    }
}
