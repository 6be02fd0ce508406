//! s02b · repair · 12 minutes · chapter 02, "Two futures at once"
//!
//! A future that was ready must not be polled again. An `async` block, for example, panics then. *Executor-2* polls a
//! finished future when it is woken twice (D12), and this join makes the same mistake with its children. Repair `poll`.
//!
//! Run: `cargo test --bin s02b_finished_is_finished`
//! Red: which child was finished, and was polled again.

use step02_join::{Poll, SimpleFuture};

/// Two futures side by side. An output is `None` until its future is finished.
struct Both<A: SimpleFuture, B: SimpleFuture> {
    a: A,
    b: B,
    a_output: Option<A::Output>,
    b_output: Option<B::Output>,
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Both<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // TODO: do not poll a child that is finished.
        if let Poll::Ready(output) = self.a.poll(wake) {
            self.a_output = Some(output);
        }
        if let Poll::Ready(output) = self.b.poll(wake) {
            self.b_output = Some(output);
        }
        match (self.a_output.take(), self.b_output.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (self.a_output, self.b_output) = (a, b);
                Poll::Pending
            }
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Ready at its poll with this number.
    struct ReadyAt {
        name: &'static str,
        poll: u32,
        polls: u32,
    }

    impl SimpleFuture for ReadyAt {
        type Output = &'static str;

        fn poll(&mut self, _: fn()) -> Poll<&'static str> {
            self.polls += 1;
            assert!(
                self.polls <= self.poll,
                "Child {:?} was ready at its poll {}, and was polled again.\n\
                 A finished child must not be polled, even while the other one still is.\n\
                 Look at: which field tells `poll` that this child is finished?",
                self.name,
                self.poll
            );
            if self.polls == self.poll {
                Poll::Ready(self.name)
            } else {
                Poll::Pending
            }
        }
    }

    #[test]
    fn a_finished_child_is_not_polled_again() {
        probe::within(Duration::from_secs(2), || {
            check(1, 3);
            check(3, 1);
        });
    }

    fn check(a: u32, b: u32) {
        let child = |name, poll| ReadyAt {
            name,
            poll,
            polls: 0,
        };
        let mut both = Both {
            a: child("a", a),
            b: child("b", b),
            a_output: None,
            b_output: None,
        };
        for poll in 1..3 {
            let answer = both.poll(|| {});
            assert!(
                answer == Poll::Pending,
                "Poll {poll}: the children are not both finished, so it should return Pending. It returned {answer:?}."
            );
        }
        let answer = both.poll(|| {});
        let polls = (both.a.polls, both.b.polls);
        assert!(
            polls == (a, b),
            "a is ready at its poll {a}, b at its poll {b}. After three polls of the join, a has had {} and b {}.\n\
             An unfinished child should be polled in each poll of the join.",
            polls.0,
            polls.1
        );
        assert!(
            answer == Poll::Ready(("a", "b")),
            "Poll 3: both children are finished, so it should return Ready((\"a\", \"b\")). It returned {answer:?}."
        );
    }
}
