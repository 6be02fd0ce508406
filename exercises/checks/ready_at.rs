//! A child whose answers are known, and which calls each `wake` that it gets, so that the calls can be counted.

use std::cell::Cell;
use step02_join::{Poll, SimpleFuture};

/// Ready at its poll with this number. Until then, each poll calls its `wake` once.
pub struct ReadyAt(pub u32, pub char);

impl SimpleFuture for ReadyAt {
    type Output = char;

    fn poll(&mut self, wake: fn()) -> Poll<char> {
        assert!(self.0 > 0, "a finished child was polled again");
        self.0 -= 1;
        if self.0 == 0 {
            Poll::Ready(self.1)
        } else {
            wake();
            Poll::Pending
        }
    }
}

thread_local!(pub static WAKES: Cell<u32> = const { Cell::new(0) });

pub fn wake() {
    WAKES.set(WAKES.get() + 1);
}

/// In a poll that has reached these children, and nothing else has called its `wake`.
pub fn assert_wakes(poll: &str, seen: &[String]) {
    let pending = seen.iter().filter(|it| it.ends_with("pending")).count();
    let wakes = WAKES.take() as usize;
    assert!(
        wakes <= pending,
        "{poll}: it called `wake` itself. The run loop then polls again at once, finds nothing, is woken again, and never \
         sleeps.\nEach unfinished child has the `wake`, and calls it when it can get further."
    );
    assert!(
        wakes == pending,
        "{poll}: a child that is pending did not get the `wake` of this poll, so it cannot say when it can get further.\n\
         Wanted: the `wake` is passed on to each child."
    );
}
