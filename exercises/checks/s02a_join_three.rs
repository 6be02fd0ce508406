use super::*;
use std::time::Duration;
use step02_join::{Trace, Traced};

mod ready_at;
use ready_at::{ReadyAt, WAKES, assert_wakes, wake};

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
        assert_wakes(&format!("Poll {poll} of the join"), &seen);
        let words = if seen.is_empty() {
            "it polled no child".to_owned()
        } else {
            format!("it polled its children like this: {seen:?}")
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
        let asked = if poll == last {
            Poll::Ready(('A', 'B', 'C'))
        } else {
            Poll::Pending
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
