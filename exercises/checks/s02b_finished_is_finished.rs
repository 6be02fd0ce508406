use super::*;
use std::{cell::Cell, time::Duration};

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

thread_local!(static WAKES: Cell<u32> = const { Cell::new(0) });

fn wake() {
    WAKES.set(WAKES.get() + 1);
}

/// The children keep their `wake` and do not call it, so any call is the join's own.
fn assert_no_wake(poll: u32) {
    let wakes = WAKES.take();
    assert!(
        wakes == 0,
        "Poll {poll} of the join: it called `wake` itself. The run loop then polls again at once, finds nothing, is woken \
         again, and never sleeps.\nEach unfinished child has the `wake`, and calls it when it can get further."
    );
}

#[test]
fn a_finished_child_is_not_polled_again() {
    probe::within(Duration::from_secs(2), || {
        check(1, 3);
        check(3, 1);
        check(2, 3);
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
        let answer = both.poll(wake);
        assert_no_wake(poll);
        assert!(
            answer == Poll::Pending,
            "Poll {poll}: the children are not both finished, so it should return Pending. It returned {answer:?}."
        );
    }
    let answer = both.poll(wake);
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
