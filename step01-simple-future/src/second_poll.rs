//! The smallest future that has to be polled twice. Read this first, with `simple_future.rs` beside it.

use crate::{Poll, SimpleFuture};

/// Ready at its second poll.
///
/// ```
/// use step01_simple_future::{RunLoop, SecondPoll};
///
/// let mut run_loop = RunLoop::new([SecondPoll::default()]);
/// assert_eq!(run_loop.run(), ["done"]);
/// assert_eq!(run_loop.polls(), 2);
/// ```
// ANCHOR: second_poll
#[derive(Debug, Default)]
pub struct SecondPoll {
    polled: bool,
}

impl SimpleFuture for SecondPoll {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        if self.polled {
            return Poll::Ready("done");
        }
        self.polled = true;
        // Another poll can make progress right away, so the promise is kept here and now.
        wake();
        Poll::Pending
    }
}
// ANCHOR_END: second_poll
