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
    let child = |name, at, output| Child::Running(Traced::new(name, ReadyAt(at, output), &trace));
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
