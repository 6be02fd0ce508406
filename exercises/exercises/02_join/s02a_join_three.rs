//! s02a · complete · 12 minutes · chapter 02, "Two futures at once"
//!
//! `Join` of stage 02 runs two futures side by side. Write the `poll` of a join of three. It is ready once all three
//! children are finished, with all three outputs.
//!
//! `Child`, below, is a short form of the type in `step02-join/src/child.rs`. Its `poll` returns whether the child is
//! finished *now*, and does not poll a finished child again. Its `take` returns the output of a finished child.
//!
//! Run: `cargo test --bin s02a_join_three`
//! Red: which children each poll of the join should reach, and which it did reach.

use step02_join::{Poll, SimpleFuture};

struct Join3<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> {
    a: Child<A>,
    b: Child<B>,
    c: Child<C>,
}

impl<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> SimpleFuture for Join3<A, B, C> {
    type Output = (A::Output, B::Output, C::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // TODO: poll the children, and return the three outputs once all children are finished.
        Poll::Pending
    }
}

enum Child<F: SimpleFuture> {
    Running(F),
    Finished(F::Output),
    Taken,
}

impl<F: SimpleFuture> Child<F> {
    /// Polls the future unless it is finished already. Returns whether it is finished now.
    fn poll(&mut self, wake: fn()) -> bool {
        if let Child::Running(future) = self {
            if let Poll::Ready(output) = future.poll(wake) {
                *self = Child::Finished(output);
            }
        }
        matches!(self, Child::Finished(_))
    }

    /// The output of a finished child.
    fn take(&mut self) -> F::Output {
        match std::mem::replace(self, Child::Taken) {
            Child::Finished(output) => output,
            _ => {
                panic!("`take` was called on a child that is not finished, so it has no output yet")
            }
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use step02_join::{Trace, Traced};

    /// Ready at its poll with this number.
    struct ReadyAt(u32, char);

    impl SimpleFuture for ReadyAt {
        type Output = char;

        fn poll(&mut self, _: fn()) -> Poll<char> {
            assert!(self.0 > 0, "a finished child was polled again");
            self.0 -= 1;
            if self.0 == 0 {
                Poll::Ready(self.1)
            } else {
                Poll::Pending
            }
        }
    }

    #[test]
    fn every_poll_reaches_every_child_that_is_not_finished() {
        probe::within(Duration::from_secs(2), || {
            let test = async { three_polls() };
            futures::executor::block_on(probe::watch("Join3", test));
        });
    }

    fn three_polls() {
        let trace = Trace::start();
        let child =
            |name, at, output| Child::Running(Traced::new(name, ReadyAt(at, output), &trace));
        let mut join = Join3 {
            a: child("a", 2, 'A'),
            b: child("b", 3, 'B'),
            c: child("c", 1, 'C'),
        };
        let mut before = 0;
        for (poll, asked) in [
            (1, vec!["a pending", "b pending", "c ready"]),
            (2, vec!["a ready", "b pending"]),
            (3, vec!["b ready"]),
        ] {
            let answer = join.poll(|| {});
            let seen = trace.order().split_off(before);
            before += seen.len();
            let words = match seen.is_empty() {
                true => "it polled no child".to_owned(),
                false => format!("it polled its children like this: {seen:?}"),
            };
            assert!(
                seen == asked,
                "Poll {poll} of the join: {words}.\nIt should be: {asked:?}. (a is ready at its poll 2, b at 3, c at 1.)\n\
                 A child that is not polled does not start, and has no `wake` that it could call."
            );
            let asked = match poll {
                3 => Poll::Ready(('A', 'B', 'C')),
                _ => Poll::Pending,
            };
            assert!(
                answer == asked,
                "Poll {poll} of the join: it returned {answer:?}. It should return {asked:?}, because {}.",
                if poll == 3 {
                    "all three are finished now"
                } else {
                    "not all three are finished"
                }
            );
        }
    }
}
