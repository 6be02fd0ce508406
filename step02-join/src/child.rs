//! One child of a join: a future until it is finished, its output from then on.

use std::{fmt, mem};

use crate::{Poll, SimpleFuture};

// ANCHOR: states
pub(crate) enum Child<F: SimpleFuture> {
    Running(F),
    /// The future is dropped already; its output waits for the other child.
    Finished(F::Output),
    /// The output has been handed out: the join is over.
    Taken,
}
// ANCHOR_END: states

impl<F: SimpleFuture> Child<F> {
    /// Polls the future unless it is finished. Returns whether it is finished now.
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
