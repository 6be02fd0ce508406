use super::*;
use std::{cell::Cell, time::Duration};
use step02_join::{Trace, Traced};

/// Ready at its poll with this number.
struct ReadyAt(u32, char);

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

thread_local!(static WAKES: Cell<u32> = const { Cell::new(0) });

fn wake() {
    WAKES.set(WAKES.get() + 1);
}

/// Each pending child calls the `wake` that it gets, once, so that the calls can be counted.
fn assert_wakes(poll: u32, pending: usize) {
    let wakes = WAKES.take() as usize;
    assert!(
        wakes <= pending,
        "Poll {poll} of the join: it called `wake` itself. The run loop then polls again at once, finds nothing, is woken \
         again, and never sleeps.\nEach unfinished child has the `wake`, and calls it when it can get further."
    );
    assert!(
        wakes == pending,
        "Poll {poll} of the join: a child that is pending did not get the `wake` of this poll, so it cannot say when it can get \
         further.\nWanted: the join passes its `wake` on to each child."
    );
}

#[test]
fn every_poll_reaches_every_child_that_is_not_finished() {
    probe::within(Duration::from_secs(2), || {
        let test = async { [[2, 3, 1], [1, 1, 1], [1, 2, 3], [4, 1, 1]].map(join_three) };
        futures::executor::block_on(probe::watch("Join3", test));
    });
}

/// The children are ready at their polls with these numbers.
fn join_three(at: [u32; 3]) {
    let trace = Trace::start();
    let children = || ["a", "b", "c"].into_iter().zip(at);
    let mut running = children().map(|(name, at)| {
        let output = name.to_uppercase().remove(0);
        Child::Running(Traced::new(name, ReadyAt(at, output), &trace))
    });
    let mut child = || running.next().unwrap();
    let mut join = Join3 {
        a: child(),
        b: child(),
        c: child(),
    };
    let child = |at, output| Child::Running(ReadyAt(at, output));
    let mut other = Join3 {
        a: child(2, 'X'),
        b: child(1, 'Y'),
        c: child(2, 'Z'),
    };
    assert!(
        other.poll(wake) == Poll::Pending,
        "two of three are pending"
    );
    WAKES.take();
    let [a, b, c] = at;
    let last = a.max(b).max(c);
    let mut before = 0;
    for poll in 1..=last {
        let asked: Vec<String> = children()
            .filter(|(_, at)| poll <= *at)
            .map(|(name, at)| format!("{name} {}", if poll == at { "ready" } else { "pending" }))
            .collect();
        let answer = join.poll(wake);
        let mut seen = trace.order().split_off(before);
        before += seen.len();
        // In which order is up to the join.
        seen.sort();
        assert_wakes(
            poll,
            seen.iter().filter(|it| it.ends_with("pending")).count(),
        );
        let words = match seen.is_empty() {
            true => "it polled no child".to_owned(),
            false => format!("it polled its children like this: {seen:?}"),
        };
        let why = if seen.len() > asked.len() {
            "A child is polled once in a poll of the join. If it gets further later, it calls its `wake`."
        } else {
            "A child that is not polled does not start, and has no `wake` that it could call."
        };
        assert!(
            seen == asked,
            "Poll {poll} of the join: {words}.\nIt should be: {asked:?}. (a is ready at its poll {a}, b at {b}, c at {c}.)\n\
             {why}"
        );
        let asked = match poll == last {
            true => Poll::Ready(('A', 'B', 'C')),
            false => Poll::Pending,
        };
        assert!(
            answer == asked,
            "Poll {poll} of the join: it returned {answer:?}. It should return {asked:?}, because {}.",
            if poll == last {
                "all three are finished now"
            } else {
                "not all three are finished"
            }
        );
    }
    let answer = other.poll(wake);
    assert!(
        answer == Poll::Ready(('X', 'Y', 'Z')),
        "Another join had been polled once before, and now its children are ready. It returned {answer:?}. What does a join \
         share with another one?"
    );
}
