//! A child of a pair: first its future, then its output, and in the end nothing.

use std::{fmt, mem};

use crate::{Poll, SimpleFuture};

// ANCHOR: states
pub(crate) enum Child<F: SimpleFuture> {
    /// The future is not finished.
    Running(F),
    /// The future is dropped. Its output waits for the other child to finish.
    Finished(F::Output),
    /// The output has been returned, so the pair is finished.
    Taken,
}
// ANCHOR_END: states

impl<F: SimpleFuture> Child<F> {
    /// Polls the future unless it is finished already. Returns whether it is finished now.
    // ANCHOR: poll
    pub(crate) fn poll(&mut self, wake: fn()) -> bool {
        match self {
            Child::Running(future) => match future.poll(wake) {
                Poll::Pending => false,
                Poll::Ready(output) => {
                    *self = Child::Finished(output);
                    true
                }
            },
            Child::Finished(_) => true,
            Child::Taken => panic!("polled after it was ready"),
        }
    }
    // ANCHOR_END: poll

    /// Takes the output of a finished child.
    pub(crate) fn take(&mut self) -> F::Output {
        match mem::replace(self, Child::Taken) {
            Child::Finished(output) => output,
            Child::Running(_) | Child::Taken => unreachable!("taken only when finished"),
        }
    }
}

impl<F: SimpleFuture> fmt::Debug for Child<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Child::Running(_) => "Running",
            Child::Finished(_) => "Finished",
            Child::Taken => "Taken",
        })
    }
}
