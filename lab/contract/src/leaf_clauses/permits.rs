//! Who holds a permit, and how many do.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    task::Poll,
    thread,
};

use crate::{
    Acquire, Acquired, Answer, Check, Clause, Edition, Held, Leaf, Level, Unsupported,
    fault::LeafFault,
    fixtures::{Number, comes_true},
    jitter::jitter,
    lock::lock,
    wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "no_more_than_permits",
        edition: Edition::E5,
        rule: "There are never more holders than permits, and each permit that was given back can be had again.",
        why: "A lock that two tasks hold is none. And a permit that is lost with a waiter is missing for good.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            no_more_than_permits,
            &[
                (LeafFault::GivesBackWhatItNeverHad, "holders of"),
                (LeafFault::LosesAPermit, "were to be had again"),
            ],
        ),
    },
    Clause {
        name: "gone_from_the_head",
        edition: Edition::E5,
        rule: "When a waiter that wants many permits is dropped, one behind it that wants few gets those that are there.",
        why: "The waiter at the head holds back all behind it. When it goes without a wake for the next, they wait for a release that may never come (embassy's pull request 6964).",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            gone_from_the_head,
            &[(
                LeafFault::LeavesTheHeadInSilence,
                "the one for one behind it is not woken",
            )],
        ),
    },
];

/// A future that acquires, the counter of its task, and what it holds once it is ready.
struct Acquirer {
    future: Option<Acquired>,
    counter: Arc<WakeCounter>,
    held: Option<Held>,
}

impl Acquirer {
    fn new(acquire: &mut Acquire, permits: usize) -> Answer<Acquirer> {
        Ok(Acquirer {
            future: Some(acquire(permits)?),
            counter: WakeCounter::new(),
            held: None,
        })
    }

    /// Whether it holds something after a poll.
    fn poll(&mut self) -> bool {
        if let Some(future) = &mut self.future {
            if let Poll::Ready(held) = self.counter.poll(future) {
                self.held = Some(held);
                self.future = None;
            }
        }
        self.held.is_some()
    }

    /// Polls whenever it is woken, until it holds something. `false` if no wake comes any more.
    fn waits(&mut self, mut seen: usize) -> bool {
        loop {
            let counter = &self.counter;
            if !comes_true(|| counter.wakes() > seen) {
                return false;
            }
            seen = self.counter.wakes();
            if self.poll() {
                return true;
            }
        }
    }

    /// The same, after a first poll for which there need be no wake.
    fn begins(&mut self) -> bool {
        self.poll() || self.waits(0)
    }
}

fn holders(all: &mut VecDeque<Acquirer>) -> usize {
    all.iter_mut()
        .map(|acquirer| acquirer.poll())
        .filter(|holds| *holds)
        .count()
}

/// Of two permits, or of one where there is only one: six acquire. A waiter is dropped, and one that was woken. A holder gives back.
/// At the end, so many permits are to be had again, and no more. Then four threads acquire and give back.
pub fn no_more_than_permits(leaf: &'static dyn Leaf) -> Answer {
    for permits in [2, 1] {
        if let Ok(acquire) = leaf.permits(permits) {
            return try_permits(acquire, permits);
        }
    }
    Err(Unsupported)
}

fn assert_all_there(acquire: &mut Acquire, permits: usize) -> Answer {
    let all: Answer<VecDeque<_>> = (0..permits).map(|_| Acquirer::new(acquire, 1)).collect();
    let mut all = all?;
    for (count, one) in all.iter_mut().enumerate() {
        assert!(
            one.begins(),
            "{count} of {permits} permits were to be had again"
        );
    }
    let mut too_many = Acquirer::new(acquire, 1)?;
    assert!(!too_many.poll(), "more holders than {permits} permits");
    Ok(())
}

fn try_permits(mut acquire: Acquire, permits: usize) -> Answer {
    let all: Answer<VecDeque<_>> = (0..6).map(|_| Acquirer::new(&mut acquire, 1)).collect();
    let mut all = all?;
    let assert_few = |all: &mut VecDeque<Acquirer>| {
        let holders = holders(all);
        assert!(holders <= permits, "{holders} holders of {permits} permits");
    };
    assert_few(&mut all);
    // One that waits, and was not woken.
    drop(all.pop_back());
    assert_few(&mut all);
    // A holder gives back, and the one that is woken by that goes.
    all.retain(|acquirer| acquirer.future.is_some());
    let _ = comes_true(|| all.iter().any(|acquirer| acquirer.counter.wakes() > 0));
    let woken = all.iter().position(|acquirer| acquirer.counter.wakes() > 0);
    drop(woken.and_then(|place| all.remove(place)));
    assert_few(&mut all);
    all.clear();
    // What it gave back by being dropped is there, too.
    (0..2).try_for_each(|_| assert_all_there(&mut acquire, permits))?;
    on_threads(acquire, permits)
}

fn on_threads(acquire: Acquire, permits: usize) -> Answer {
    let (acquire, inside) = (Mutex::new(acquire), Number::default());
    let most = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let one = Acquirer::new(&mut lock(&acquire), 1);
                    let Ok(mut one) = one else { return };
                    jitter();
                    let mut seen = 0;
                    while !one.poll() {
                        seen = one.counter.wait(seen);
                    }
                    let now = inside.add_one();
                    jitter();
                    let mut most = lock(&most);
                    *most = now.max(*most);
                    drop(most);
                    inside.take_one();
                }
            });
        }
    });
    let most = *lock(&most);
    assert!(most <= permits, "{most} holders of {permits} permits");
    assert_all_there(&mut lock(&acquire), permits)
}

/// Of three permits one is held. One waiter wants three, and one behind it wants one. The first of them goes.
pub fn gone_from_the_head(leaf: &'static dyn Leaf) -> Answer {
    let mut acquire = leaf.permits(3)?;
    let mut holds = Acquirer::new(&mut acquire, 1)?;
    assert!(holds.begins(), "the first permit was not to be had");
    let mut head = Acquirer::new(&mut acquire, 3)?;
    let mut behind = Acquirer::new(&mut acquire, 1)?;
    assert!(!head.poll(), "4 permits of 3 are held");
    // It may be given to the one behind at once: who wants few need not wait for who wants many.
    if !behind.poll() {
        let seen = behind.counter.wakes();
        drop(head);
        assert!(
            behind.waits(seen),
            "one of 3 permits is held, a waiter for three has gone, and the one for one behind it is not woken"
        );
    }
    Ok(())
}
