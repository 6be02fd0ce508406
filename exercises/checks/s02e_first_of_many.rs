use super::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};
use step02_join::{Trace, Traced};

mod ready_at;
use ready_at::{ReadyAt, WAKES, assert_wakes, wake};

fn race<'a>(trace: &'a Trace, at: [u32; 3]) -> FirstOf<Traced<'a, ReadyAt>> {
    let runner = |(name, at): (&'static str, u32)| {
        let output = name.to_uppercase().remove(0);
        Traced::new(name, ReadyAt(at, output), trace)
    };
    FirstOf {
        racing: ["a", "b", "c"].into_iter().zip(at).map(runner).collect(),
    }
}

/// A thousand, of which the last one wins, at its poll with this number.
fn many(at: u32) -> FirstOf<ReadyAt> {
    let runners = (1..=1_000).map(|n| {
        if n < 1_000 {
            ReadyAt(9, 'Y')
        } else {
            ReadyAt(at, 'Z')
        }
    });
    FirstOf {
        racing: runners.collect(),
    }
}

#[test]
fn the_first_one_wins_and_the_losers_are_dropped() {
    probe::within(Duration::from_secs(2), || {
        let test = async { two_polls() };
        futures::executor::block_on(probe::watch("FirstOf", test));
    });
}

#[test]
fn if_two_could_be_ready_the_second_is_not_polled() {
    probe::within(Duration::from_secs(2), || {
        let test = async { a_tie() };
        futures::executor::block_on(probe::watch("FirstOf", test));
    });
}

#[test]
fn without_runners_it_panics_instead_of_waiting_forever() {
    probe::within(Duration::from_secs(2), || {
        let test = async { nobody_left() };
        futures::executor::block_on(probe::watch("FirstOf", test));
    });
}

fn two_polls() {
    let trace = Trace::start();
    let (mut race, mut other) = (race(&trace, [3, 2, 9]), many(3));
    assert!(other.poll(wake) == Poll::Pending, "nobody is ready");
    WAKES.take();
    let mut before = 0;
    for (poll, asked, output) in [
        (
            1,
            vec!["a pending", "b pending", "c pending"],
            Poll::Pending,
        ),
        (2, vec!["a pending", "b ready"], Poll::Ready('B')),
    ] {
        let returned = race.poll(wake);
        let mut seen = trace.order().split_off(before);
        before += seen.len();
        seen.retain(|event| !event.ends_with("dropped"));
        assert_wakes(&format!("Poll {poll} of the race"), &seen);
        let words = if seen.is_empty() {
            "it polled no runner".to_owned()
        } else {
            format!("it polled its runners like this: {seen:?}")
        };
        assert!(
            seen == asked,
            "Poll {poll} of the race: {words}.\nIt should be: {asked:?}. (a is ready at its poll 3, b at 2, c at 9.)\n\
             Every runner is polled, in order, until one of them is ready."
        );
        assert!(
            returned == output,
            "Poll {poll} of the race: it returned {returned:?}. It should return {output:?}."
        );
    }
    let kept = 2 - trace.dropped();
    assert!(
        kept == 0,
        "The race was ready, and {kept} of its losers were not dropped.\n\
         A loser keeps what it owns, such as a connection or a thread, until the race itself is dropped.\n\
         Look at: what is in `racing` when the race returns Ready?"
    );
    let answers = [other.poll(wake), other.poll(wake)];
    assert!(
        answers == [Poll::Pending, Poll::Ready('Z')],
        "Another race has a thousand runners, and was polled once before. The last one is ready at its third poll. Two more \
         polls returned {answers:?}."
    );
}

fn nobody_left() {
    let trace = Trace::start();
    let mut over = race(&trace, [1, 9, 9]);
    assert!(
        over.poll(|| {}) == Poll::Ready('A'),
        "a is ready at its first poll"
    );
    let mut empty = race(&trace, [9, 9, 9]);
    empty.racing.clear();
    for (what, mut race) in [("was over", over), ("has no runners", empty)] {
        let polled = catch_unwind(AssertUnwindSafe(|| race.poll(|| {})));
        assert!(
            polled.is_err(),
            "A race that {what} was polled, and it returned {:?}. No runner is left that could call `wake`, so its \
             task would never be polled again. It should panic instead.",
            polled.unwrap()
        );
    }
}

fn a_tie() {
    let trace = Trace::start();
    let mut race = race(&trace, [9, 1, 1]);
    let returned = race.poll(|| {});
    let seen = trace.order();
    assert!(
        !seen.iter().any(|event| event == "c ready"),
        "b was ready, and then c was polled and was ready too. The output of the second one is lost.\n\
         Look at: when does `poll` know that the race is over?"
    );
    assert!(
        returned == Poll::Ready('B'),
        "b is ready at its first poll, so the race should return Ready('B'). It returned {returned:?}."
    );
}
