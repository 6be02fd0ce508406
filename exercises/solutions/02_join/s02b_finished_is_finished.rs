//! s02b, solved: an output that is there says that its child is finished.

use step02_join::{Poll, SimpleFuture};

/// Two futures side by side. `None`: that output is not there yet.
struct Both<A: SimpleFuture, B: SimpleFuture> {
    a: A,
    b: B,
    a_output: Option<A::Output>,
    b_output: Option<B::Output>,
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Both<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // No flag is needed. (Stage 02 goes further: its `Child` drops the finished future as well.)
        if self.a_output.is_none() {
            if let Poll::Ready(output) = self.a.poll(wake) {
                self.a_output = Some(output);
            }
        }
        if self.b_output.is_none() {
            if let Poll::Ready(output) = self.b.poll(wake) {
                self.b_output = Some(output);
            }
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

    /// Ready at the poll with this number.
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
                 Asked: a finished child is left alone, while the other one is still polled.\n\
                 Look at: by what could `poll` see that this child is finished?",
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
    fn a_finished_child_is_left_alone() {
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
                "Poll {poll}: one child is finished and the other is not. Asked: Pending. It answered {answer:?}."
            );
        }
        let answer = both.poll(|| {});
        let polls = (both.a.polls, both.b.polls);
        assert!(
            polls == (a, b),
            "a is ready at its poll {a}, b at its poll {b}. After three polls of the join, a has had {} and b {}.\n\
             Asked: the one that is not finished is polled each time.",
            polls.0,
            polls.1
        );
        assert!(
            answer == Poll::Ready(("a", "b")),
            "Poll 3: both children are finished. Asked: Ready((\"a\", \"b\")). It answered {answer:?}."
        );
    }
}
