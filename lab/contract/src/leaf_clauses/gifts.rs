//! Several wait for one thing, and get it one after the other: a gift is a message, a permit, or the turn at a lock.

use std::sync::Arc;

use super::timers::poll_pending;
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Give, Leaf, Level, fault::LeafFault,
    fixtures::comes_true, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "two_gifts",
        edition: Edition::E5,
        rule: "Two gifts in a row make two waiters ready, also if no waiter was polled in between.",
        why: "The release of two permits often comes in one go. If the second one counts as the same news as the first, a permit lies there while a task waits for it (async-lock's issue 18).",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            two_gifts,
            &[(LeafFault::TakesTwoGiftsForOne, "of 3 waiters are ready")],
        ),
    },
    Clause {
        name: "leaves_the_queue",
        edition: Edition::E5,
        rule: "A waiter that is dropped leaves the queue: what is given later goes to the others.",
        why: "A timeout or a `select!` drops a waiter. If its place in the queue stays, a message is given to nobody (runng's issue 65).",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            leaves_the_queue,
            &[(LeafFault::StaysInTheQueue, "of 2 waiters are ready")],
        ),
    },
    Clause {
        name: "one_gift_wakes_one",
        edition: Edition::E5,
        rule: "One gift wakes one waiter.",
        why: "If it wakes all, all but one are polled for nothing, and a thousand waiters make a million polls.",
        level: Level::Quality,
        choice: Some(
            "Waking all is simple, and costs little where few wait. An event for all is not meant.",
        ),
        check: Check::Leaf(
            one_gift_wakes_one,
            &[(
                LeafFault::WakesAllForOne,
                "4 waiters were woken by one gift",
            )],
        ),
    },
    Clause {
        name: "first_come",
        edition: Edition::E5,
        rule: "Who has waited longest is woken first.",
        why: "Otherwise one waiter may be passed over again and again, and wait forever while the others are served.",
        level: Level::Quality,
        choice: Some(
            "A lock or a channel may be unfair, because that is faster, if its documentation says so.",
        ),
        check: Check::Leaf(
            first_come,
            &[(
                LeafFault::ServesTheLastFirst,
                "waiter 3 was woken before waiter 0",
            )],
        ),
    },
    Clause {
        name: "polled_while_it_queues",
        edition: Edition::E5,
        rule: "A waiter that is polled again while it waits keeps one place in the queue, and not one for each poll.",
        why: "A `join!` polls all its futures whenever one of them is woken. A place too many takes a gift that another waiter should get.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            polled_while_it_queues,
            &[(LeafFault::QueuesInEachPoll, "of 2 waiters are ready")],
        ),
    },
    Clause {
        name: "two_in_one_task",
        edition: Edition::E5,
        rule: "Two waiters that are polled by one task, with the same waker, are two waiters.",
        why: "`Waker::will_wake` says whether a waker wakes the same task, and not whether it was left by the same future. With a `join!` of two receivers, the one that was taken for the other waits forever.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            two_in_one_task,
            &[(
                LeafFault::KnowsWaitersByTheirWakers,
                "of 2 waiters are ready",
            )],
        ),
    },
    Clause {
        name: "ready_is_no_waiter",
        edition: Edition::E5,
        rule: "A waiter that was ready waits for nothing any more, even while it still exists.",
        why: "A future that is pinned in a variable, and awaited by `&mut`, lives on when it is done. If it is still in the queue, the next gift wakes it for nothing, and the waiter behind it sleeps on.",
        level: Level::Quality,
        choice: Some("An `.await` drops its future when that is ready, so few notice."),
        check: Check::Leaf(
            ready_is_no_waiter,
            &[(
                LeafFault::QueuesWhenReady,
                "a waiter behind one that was ready",
            )],
        ),
    },
    Clause {
        name: "given_before",
        edition: Edition::E5,
        rule: "What is given while none waits is there for the next to come.",
        why: "Whether the giver or the waiter comes first is decided by the scheduler. If the gift is lost when it comes first, the waiter waits forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            given_before,
            &[(LeafFault::ForgetsWhatNoneWaitsFor, "it hangs")],
        ),
    },
    Clause {
        name: "dropped_after_a_poll",
        edition: Edition::E5,
        rule: "What is given is not lost with a waiter that is dropped after a poll that returned Pending.",
        why: "A `select!` in a loop polls a new receiver each time and drops it when another branch wins. If a poll takes the message out of the channel and returns Pending all the same, the message is gone with the receiver.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            dropped_after_a_poll,
            &[(LeafFault::TakesItAndYields, "it hangs")],
        ),
    },
];

/// Waiters of one kind, each with the counter of its task. One that is ready is dropped, as an `.await` does it.
struct Queue {
    waiters: Vec<(Option<BoxFuture>, Arc<WakeCounter>, State)>,
    give: Give,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// And had been woken so often at its latest poll.
    Waits(usize),
}

impl Queue {
    /// So many, all of which wait.
    fn of(leaf: &'static dyn Leaf, count: usize) -> Answer<Queue> {
        Queue::polled(leaf, &vec![1; count])
    }

    /// One for each of these numbers, polled so often before the next one is.
    fn polled(leaf: &'static dyn Leaf, polls: &[usize]) -> Answer<Queue> {
        let (waiters, give) = leaf.waiters(polls.len())?;
        let waiters = waiters.into_iter().zip(polls).map(|(mut waiter, polls)| {
            let counter = WakeCounter::new();
            (0..*polls).for_each(|_| poll_pending(&counter, &mut waiter));
            let seen = counter.wakes();
            (Some(waiter), counter, State::Waits(seen))
        });
        let waiters = waiters.collect();
        Ok(Queue { waiters, give })
    }

    fn give(&mut self, times: usize) {
        (0..times).for_each(|_| (self.give)());
    }

    /// Which of those that wait have been woken since their latest polls.
    fn woken(&self) -> Vec<usize> {
        let numbered = self.waiters.iter().enumerate();
        let woken = numbered.filter(|(_, (_, counter, state))| match state {
            State::Ready => false,
            State::Waits(seen) => counter.wakes() > *seen,
        });
        woken.map(|(number, _)| number).collect()
    }

    fn poll(&mut self, number: usize) {
        let (waiter, counter, state) = &mut self.waiters[number];
        let seen = counter.wakes();
        let polled = waiter.as_mut().map(|waiter| counter.poll(waiter));
        *state = State::Waits(seen);
        if polled.is_some_and(|polled| polled.is_ready()) {
            *state = State::Ready;
            *waiter = None;
        }
    }

    fn ready(&self) -> usize {
        let ready = self
            .waiters
            .iter()
            .filter(|waiter| waiter.2 == State::Ready);
        ready.count()
    }

    /// Polls each waiter that is woken, until so many are ready or no wake comes any more.
    fn assert_ready(&mut self, wanted: usize) {
        while self.ready() < wanted {
            let woken = comes_true(|| !self.woken().is_empty());
            let (ready, all) = (self.ready(), self.waiters.len());
            assert!(
                woken,
                "{ready} of {all} waiters are ready, after gifts for {wanted}"
            );
            self.woken().into_iter().for_each(|place| self.poll(place));
        }
    }
}

/// Three wait, and two gifts are made at once. A lock has one gift, and each waiter that has had it gives it on.
pub fn two_gifts(leaf: &'static dyn Leaf) -> Answer {
    let mut queue = Queue::of(leaf, 3)?;
    queue.give(2);
    queue.assert_ready(2);
    Ok(())
}

/// Three wait, and one of them is dropped: once the first of them, once the second, once the last. Then two gifts are made, the
/// second of them when the first has arrived.
pub fn leaves_the_queue(leaf: &'static dyn Leaf) -> Answer {
    for dropped in 0..3 {
        let mut queue = Queue::of(leaf, 3)?;
        drop(queue.waiters.remove(dropped));
        queue.give(1);
        queue.assert_ready(1);
        queue.give(1);
        queue.assert_ready(2);
    }
    Ok(())
}

/// Four wait, and one gift is made. The wakes of the first poll after it are not counted: they may be for the next gift.
pub fn one_gift_wakes_one(leaf: &'static dyn Leaf) -> Answer {
    let mut queue = Queue::of(leaf, 4)?;
    queue.give(1);
    assert!(
        comes_true(|| !queue.woken().is_empty()),
        "no waiter is woken"
    );
    let woken = queue.woken().len();
    assert!(woken == 1, "{woken} waiters were woken by one gift");
    Ok(())
}

/// Four wait, and are given what they wait for one after the other.
pub fn first_come(leaf: &'static dyn Leaf) -> Answer {
    let mut queue = Queue::of(leaf, 4)?;
    for next in 0..4 {
        queue.give(1);
        assert!(
            comes_true(|| !queue.woken().is_empty()),
            "no waiter is woken"
        );
        let woken = queue.woken();
        assert!(
            woken.contains(&next),
            "waiter {} was woken before waiter {next}",
            woken[0]
        );
        queue.poll(next);
        queue.assert_ready(next + 1);
    }
    Ok(())
}

/// One is polled four times, then another one once. Then two gifts are made.
pub fn polled_while_it_queues(leaf: &'static dyn Leaf) -> Answer {
    let mut queue = Queue::polled(leaf, &[4, 1])?;
    queue.give(2);
    queue.assert_ready(2);
    Ok(())
}

/// Two wait with one waker. Two gifts are made, and whenever the waker is woken, both are polled. Then the same again, where the first
/// of three is dropped.
pub fn two_in_one_task(leaf: &'static dyn Leaf) -> Answer {
    for drops_one in [false, true] {
        let (mut waiters, mut give) = leaf.waiters(if drops_one { 3 } else { 2 })?;
        let task = WakeCounter::new();
        let mut seen = task.wakes();
        for waiter in &mut waiters {
            poll_pending(&task, waiter);
        }
        if drops_one {
            drop(waiters.remove(0));
        }
        (0..2).for_each(|_| give());
        while !waiters.is_empty() {
            let woken = comes_true(|| task.wakes() > seen);
            let ready = 2 - waiters.len();
            assert!(
                woken,
                "{ready} of 2 waiters are ready, which one task waits for"
            );
            seen = task.wakes();
            waiters.retain_mut(|waiter| task.poll(waiter).is_pending());
        }
    }
    Ok(())
}

/// One waits, is given something and is ready. It is kept, and the next one waits and is given something; and so on.
pub fn ready_is_no_waiter(leaf: &'static dyn Leaf) -> Answer {
    let (waiters, mut give) = leaf.waiters(4)?;
    let mut done = Vec::new();
    for mut waiter in waiters {
        let counter = WakeCounter::new();
        let mut is_pending = counter.poll(&mut waiter).is_pending();
        let mut seen = 0;
        if is_pending {
            give();
        }
        while is_pending {
            let woken = comes_true(|| counter.wakes() > seen);
            assert!(woken, "a waiter behind one that was ready is not woken");
            seen = counter.wakes();
            is_pending = counter.poll(&mut waiter).is_pending();
        }
        done.push(waiter);
    }
    Ok(())
}

/// A gift is made, and then one waits.
pub fn given_before(leaf: &'static dyn Leaf) -> Answer {
    let (mut waiters, mut give) = leaf.waiters(1)?;
    give();
    WakeCounter::new().finish(&mut waiters[0]);
    Ok(())
}

/// One is polled, once before a gift is made and twice after it, and dropped. A second one is polled once and dropped. If neither was
/// ready, a third one gets the gift.
pub fn dropped_after_a_poll(leaf: &'static dyn Leaf) -> Answer {
    for polls_before in [0, 1] {
        let (mut waiters, mut give) = leaf.waiters(3)?;
        let mut waiter = waiters.remove(0);
        let counter = WakeCounter::new();
        (0..polls_before).for_each(|_| poll_pending(&counter, &mut waiter));
        give();
        let mut is_ready = counter.poll(&mut waiter).is_ready();
        drop(waiter);
        if !is_ready {
            is_ready = counter.poll(&mut waiters.remove(0)).is_ready();
        }
        if !is_ready {
            counter.finish(&mut waiters.remove(0));
        }
    }
    Ok(())
}
