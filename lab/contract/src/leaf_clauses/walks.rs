//! Waiters that come, are polled, get what they wait for and go, in an order of chance. The chance is the same in every run.

use std::{
    fmt::{self, Display, Formatter},
    sync::Arc,
    task::Poll,
};

use crate::{
    Acquire, Acquired, Answer, BoxFuture, Check, Clause, Edition, Give, Held, Leaf, Level,
    ReadWrite, Senders, fault::LeafFault, fixtures::comes_true, jitter::mixed,
    wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "gifts_in_any_order",
        edition: Edition::E6,
        rule: "As long as there are as many waiters as gifts, each gift reaches one of them, in whatever order they come, are polled and are dropped.",
        why: "A queue of waiters has many states: one is woken and not polled yet, another is dropped just then, a third comes in between. A gift that is lost in one of them is missing for good.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            gifts_in_any_order,
            &[
                (LeafFault::LosesWhatWasGiven, "and none is woken"),
                (LeafFault::PassesOnOneOfTwo, "and none is woken"),
                (LeafFault::KnowsWaitersByTheirWakers, "and none is woken"),
                (LeafFault::KeepsACopy, "with what was not given"),
            ],
        ),
    },
    Clause {
        name: "permits_in_any_order",
        edition: Edition::E6,
        rule: "As long as there are as many free permits as any waiter wants, one of the waiters is woken, in whatever order they come, are polled and are dropped, and no permit is held twice.",
        why: "Permits that are split between waiters, or come back from a waiter that gives up, have to wake the right one. If they wake nobody, they lie there while a task waits for them.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            permits_in_any_order,
            &[
                (LeafFault::GivesBackWhatItNeverHad, "permits are held"),
                (LeafFault::LeavesTheHeadInSilence, "and none is woken"),
                (LeafFault::LosesAPermit, "and none is woken"),
            ],
        ),
    },
    Clause {
        name: "readers_and_writers",
        edition: Edition::E6,
        rule: "A writer holds the lock alone. If nobody holds it, one of those that wait is woken; if readers hold it and no writer waits, each reader gets it.",
        why: "The end of a writer may be what many readers wait for, and a writer that gives up may have held back readers that could have gone on. Where only one of them is woken, or none, the others wait for a release that may never come.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            readers_and_writers,
            &[
                (LeafFault::SharesWithAWriter, "holds the lock beside"),
                (LeafFault::WritersLeaveInSilence, "and none is woken"),
            ],
        ),
    },
    Clause {
        name: "senders_in_any_order",
        edition: Edition::E6,
        rule: "While a channel is empty, one of the senders that wait is woken, in whatever order they come, are polled and are dropped.",
        why: "A sender that is dropped just as there was room for it takes that room with it. When that has happened as often as the channel has places, nothing can be sent any more.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            senders_in_any_order,
            &[
                (LeafFault::LosesRoom, "and none is woken"),
                (LeafFault::ReceivesInSilence, "and none is woken"),
            ],
        ),
    },
];

/// So many walks, the first of which are short.
const WALKS: usize = 200;
/// So many gifts at a time, because a channel has room for so many.
const ROOM: usize = 3;
/// So many waiters in a walk of gifts.
const WAITERS: usize = 12;

/// Numbers of chance, which are the same in every run.
struct Chance(u64);

impl Chance {
    fn of(walk: usize) -> Chance {
        Chance(mixed(walk as u64))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = mixed(self.0);
        (self.0 >> 16) as usize % bound
    }
}

/// What has been done in a walk, for a verdict.
#[derive(Default)]
struct Steps(Vec<String>);

impl Steps {
    fn note(&mut self, step: String) {
        self.0.push(step);
    }
}

impl Display for Steps {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

/// One that waits.
struct Waiter<F> {
    number: usize,
    wants: usize,
    future: F,
    counter: Arc<WakeCounter>,
    /// How often it had been woken when it was last polled.
    seen: usize,
}

impl<F> Waiter<F> {
    fn is_woken(&self) -> bool {
        self.counter.wakes() > self.seen
    }

    fn dropped(self) -> String {
        let woken = if self.is_woken() {
            ", which was woken"
        } else {
            ""
        };
        format!("{} is dropped{woken}", self.number)
    }

    /// Polls it as another task, if there is one.
    fn poll<T>(
        &mut self,
        by: Option<Arc<WakeCounter>>,
        poll: impl FnOnce(&mut F, &Arc<WakeCounter>) -> Poll<T>,
    ) -> Poll<T> {
        self.counter = by.unwrap_or_else(|| self.counter.clone());
        self.seen = self.counter.wakes();
        poll(&mut self.future, &self.counter)
    }
}

/// Another task, if there is one, and how a verdict says that.
type By = (Option<Arc<WakeCounter>>, &'static str);

const THE_SAME: By = (None, "");

/// The task that polls next: the same as before, a new one, or one that has several waiters.
fn by_chance(chance: &mut Chance, shared: &Arc<WakeCounter>) -> By {
    match chance.below(4) {
        0 => (Some(WakeCounter::new()), " by another task"),
        1 => (Some(shared.clone()), " by the task of several"),
        _ => THE_SAME,
    }
}

fn woken<F>(waiting: &[Waiter<F>]) -> Option<usize> {
    waiting.iter().position(Waiter::is_woken)
}

/// Twelve wait for gifts. In each walk, a step lets one of them begin, makes a gift, polls one, woken or not, with the same waker or
/// another one, or drops one. There are always as many that wait as there are gifts, of which
/// there are three at most. Now and then, and at the end, each that is
/// woken is polled, until all gifts have arrived.
pub fn gifts_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for walk in 0..WALKS {
        let (waiters, give) = leaf.waiters(WAITERS)?;
        let mut gifts = Gifts {
            new: waiters.into_iter().enumerate().collect(),
            waiting: Vec::new(),
            give,
            owed: 0,
            shared: WakeCounter::new(),
            steps: Steps::default(),
        };
        gifts.new.reverse();
        let mut chance = Chance::of(walk);
        for _ in 0..4 + walk / 4 {
            gifts.step(&mut chance);
            gifts.assert_woken();
        }
        gifts.settle();
    }
    Ok(())
}

struct Gifts {
    /// Those that were not polled yet.
    new: Vec<(usize, BoxFuture)>,
    waiting: Vec<Waiter<BoxFuture>>,
    give: Give,
    /// Gifts that have not arrived.
    owed: usize,
    shared: Arc<WakeCounter>,
    steps: Steps,
}

impl Gifts {
    fn step(&mut self, chance: &mut Chance) {
        let waits = self.waiting.len();
        match chance.below(8) {
            0..=2 => {
                if let Some((number, future)) = self.new.pop() {
                    self.waiting.push(Waiter {
                        number,
                        wants: 1,
                        future,
                        counter: WakeCounter::new(),
                        seen: 0,
                    });
                    let by = by_chance(chance, &self.shared);
                    self.poll(waits, by);
                }
            }
            3 | 4 if waits.min(ROOM) > self.owed => {
                self.steps.note("a gift".to_owned());
                self.owed += 1;
                (self.give)();
            }
            5 if waits > self.owed => {
                let place = chance.below(waits);
                let waiter = self.waiting.remove(place);
                self.steps.note(waiter.dropped());
            }
            6 if waits > 0 => {
                let place = chance.below(waits);
                let by = by_chance(chance, &self.shared);
                self.poll(place, by);
            }
            7 => self.settle(),
            _ => {}
        }
    }

    fn poll(&mut self, place: usize, (by, which): By) {
        let waiter = &mut self.waiting[place];
        self.steps
            .note(format!("{} is polled{which}", waiter.number));
        let polled = waiter.poll(by, |future, counter| counter.poll(future));
        if polled.is_ready() {
            drop(self.waiting.remove(place));
            let steps = &self.steps;
            assert!(
                self.owed > 0,
                "a waiter is ready with what was not given: {steps}"
            );
            self.owed -= 1;
        }
    }

    /// If there is a gift for one of those that wait, one is woken.
    fn assert_woken(&self) {
        let is_woken = self.owed == 0 || comes_true(|| woken(&self.waiting).is_some());
        let (waits, owed, steps) = (self.waiting.len(), self.owed, &self.steps);
        assert!(
            is_woken,
            "{waits} wait, gifts for {owed} of them are left, and none is woken: {steps}"
        );
    }

    fn settle(&mut self) {
        while self.owed > 0 {
            self.assert_woken();
            if let Some(place) = woken(&self.waiting) {
                self.poll(place, THE_SAME);
            }
        }
    }
}

/// Some acquire one to three permits of three, where that can be asked, and otherwise one of one. In each walk, a step lets one begin,
/// releases what one holds, polls one that waits, woken or not, with the same waker or another one, or drops one that waits. Now and
/// then, each that is woken is polled. At the end, all permits are to be had again.
pub fn permits_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for walk in 0..WALKS {
        let (acquire, permits) = match leaf.permits(3) {
            Ok(acquire) => (acquire, 3),
            Err(_) => (leaf.permits(1)?, 1),
        };
        let mut all = Permits {
            acquire,
            permits,
            waiting: Vec::new(),
            holding: Vec::new(),
            begun: 0,
            shared: WakeCounter::new(),
            steps: Steps::default(),
        };
        let mut chance = Chance::of(walk);
        for _ in 0..4 + walk / 4 {
            all.step(&mut chance)?;
            all.assert_woken();
        }
        all.settle();
        all.all_come_back()?;
    }
    Ok(())
}

struct Permits {
    acquire: Acquire,
    permits: usize,
    waiting: Vec<Waiter<Acquired>>,
    /// Who holds how many.
    holding: Vec<(usize, usize, Held)>,
    begun: usize,
    shared: Arc<WakeCounter>,
    steps: Steps,
}

impl Permits {
    fn free(&self) -> usize {
        let held: usize = self.holding.iter().map(|(_, permits, _)| permits).sum();
        let (all, steps) = (self.permits, &self.steps);
        assert!(held <= all, "{held} of {all} permits are held: {steps}");
        all - held
    }

    fn begin(&mut self, wants: usize, by: By) -> Answer {
        let wanted = (self.acquire)(wants).map(|future| (wants, future));
        let (wants, future) = match wanted {
            Ok(both) => both,
            Err(_) => (1, (self.acquire)(1)?),
        };
        let (number, counter, seen) = (self.begun, WakeCounter::new(), 0);
        self.begun += 1;
        self.steps.note(format!("{number} wants {wants}"));
        self.waiting.push(Waiter {
            number,
            wants,
            future,
            counter,
            seen,
        });
        self.poll(self.waiting.len() - 1, by);
        Ok(())
    }

    fn step(&mut self, chance: &mut Chance) -> Answer {
        let (waits, holds) = (self.waiting.len(), self.holding.len());
        match chance.below(8) {
            0..=2 => {
                let by = by_chance(chance, &self.shared);
                self.begin(1 + chance.below(self.permits), by)?;
            }
            3 | 4 if holds > 0 => self.release(chance.below(holds)),
            5 if waits > 0 => {
                let waiter = self.waiting.remove(chance.below(waits));
                self.steps.note(waiter.dropped());
            }
            6 if waits > 0 => {
                let place = chance.below(waits);
                let by = by_chance(chance, &self.shared);
                self.poll(place, by);
            }
            7 => self.settle(),
            _ => {}
        }
        Ok(())
    }

    fn release(&mut self, place: usize) {
        let (number, _, held) = self.holding.remove(place);
        self.steps.note(format!("{number} releases"));
        drop(held);
    }

    fn poll(&mut self, place: usize, (by, which): By) {
        let waiter = &mut self.waiting[place];
        self.steps
            .note(format!("{} is polled{which}", waiter.number));
        let polled = waiter.poll(by, |future, counter| counter.poll(future));
        if let Poll::Ready(held) = polled {
            let Waiter { number, wants, .. } = self.waiting.remove(place);
            self.holding.push((number, wants, held));
            self.free();
        }
    }

    /// If so many permits are free that each who waits could have what it wants, one is woken.
    fn assert_woken(&self) {
        let (free, most) = (
            self.free(),
            self.waiting.iter().map(|waiter| waiter.wants).max(),
        );
        let Some(most) = most.filter(|most| *most <= free) else {
            return;
        };
        let is_woken = comes_true(|| woken(&self.waiting).is_some());
        let (waits, steps) = (self.waiting.len(), &self.steps);
        assert!(
            is_woken,
            "{waits} wait for {most} at most, {free} permits are free, and none is woken: {steps}"
        );
    }

    /// Polls each that is woken, until none is.
    fn settle(&mut self) {
        self.assert_woken();
        while let Some(place) = woken(&self.waiting) {
            self.poll(place, THE_SAME);
            self.assert_woken();
        }
    }

    fn all_come_back(&mut self) -> Answer {
        while !self.holding.is_empty() {
            self.release(0);
            self.settle();
        }
        for _ in 0..self.permits {
            self.begin(1, THE_SAME)?;
            self.settle();
        }
        Ok(())
    }
}

/// Some wait to read, some to write. The steps are those of permits.
pub fn readers_and_writers(leaf: &'static dyn Leaf) -> Answer {
    for walk in 0..WALKS {
        let mut all = Lock {
            lock: leaf.read_write()?,
            waiting: Vec::new(),
            holding: Vec::new(),
            begun: 0,
            shared: WakeCounter::new(),
            steps: Steps::default(),
        };
        let mut chance = Chance::of(walk);
        for _ in 0..4 + walk / 4 {
            all.step(&mut chance);
            all.assert_woken();
        }
        all.settle();
        while !all.holding.is_empty() {
            all.release(0);
            all.settle();
        }
    }
    Ok(())
}

/// What a reader or a writer wants.
const READS: usize = 0;
const WRITES: usize = 1;

struct Lock {
    lock: ReadWrite,
    waiting: Vec<Waiter<Acquired>>,
    /// Who holds it, and what for.
    holding: Vec<(usize, usize, Held)>,
    begun: usize,
    shared: Arc<WakeCounter>,
    steps: Steps,
}

impl Lock {
    fn step(&mut self, chance: &mut Chance) {
        let (waits, holds) = (self.waiting.len(), self.holding.len());
        match chance.below(8) {
            begins @ 0..=2 => {
                let (wants, future) = match begins {
                    0 => (WRITES, (self.lock.write)()),
                    _ => (READS, (self.lock.read)()),
                };
                let (number, what) = (self.begun, ["to read", "to write"][wants]);
                self.begun += 1;
                self.steps.note(format!("{number} wants {what}"));
                self.waiting.push(Waiter {
                    number,
                    wants,
                    future,
                    counter: WakeCounter::new(),
                    seen: 0,
                });
                let by = by_chance(chance, &self.shared);
                self.poll(waits, by);
            }
            3 | 4 if holds > 0 => self.release(chance.below(holds)),
            5 if waits > 0 => {
                let waiter = self.waiting.remove(chance.below(waits));
                self.steps.note(waiter.dropped());
            }
            6 if waits > 0 => {
                let place = chance.below(waits);
                let by = by_chance(chance, &self.shared);
                self.poll(place, by);
            }
            7 => self.settle(),
            _ => {}
        }
    }

    fn release(&mut self, place: usize) {
        let (number, _, held) = self.holding.remove(place);
        self.steps.note(format!("{number} releases"));
        drop(held);
    }

    fn poll(&mut self, place: usize, (by, which): By) {
        let waiter = &mut self.waiting[place];
        self.steps
            .note(format!("{} is polled{which}", waiter.number));
        let polled = waiter.poll(by, |future, counter| counter.poll(future));
        if let Poll::Ready(held) = polled {
            let Waiter { number, wants, .. } = self.waiting.remove(place);
            self.holding.push((number, wants, held));
            let (holds, steps) = (self.holding.len(), &self.steps);
            let writes = self.holding.iter().any(|(_, wants, _)| *wants == WRITES);
            assert!(
                holds == 1 || !writes,
                "a writer holds the lock beside {} others: {steps}",
                holds - 1
            );
        }
    }

    /// Where one of those that wait can have the lock whatever its rules are, one is woken.
    fn assert_woken(&self) {
        let writes = |wants: usize| wants == WRITES;
        let is_free = self.holding.is_empty();
        let is_shared = !self.holding.iter().any(|(_, wants, _)| writes(*wants))
            && !self.waiting.iter().any(|waiter| writes(waiter.wants));
        if self.waiting.is_empty() || !is_free && !is_shared {
            return;
        }
        let is_woken = comes_true(|| woken(&self.waiting).is_some());
        let (waits, holds, steps) = (self.waiting.len(), self.holding.len(), &self.steps);
        assert!(
            is_woken,
            "{waits} wait, {holds} readers hold the lock, and none is woken: {steps}"
        );
    }

    /// Polls each that is woken, until none is. Readers that wake each other meanwhile cost something, but that is not what is asked here.
    fn settle(&mut self) {
        self.assert_woken();
        for _ in 0..4 * (self.waiting.len() + 1) {
            let Some(place) = woken(&self.waiting) else {
                return;
            };
            self.poll(place, THE_SAME);
            self.assert_woken();
        }
    }
}

/// Some send to a channel with room for one message. In each walk, a step lets one begin, receives a message, polls one that waits, woken
/// or not, with the same waker or another one, or drops one. At the end, messages are received until all senders are done.
pub fn senders_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for walk in 0..WALKS {
        let mut all = Channel {
            ends: leaf.senders(1)?,
            waiting: Vec::new(),
            begun: 0,
            shared: WakeCounter::new(),
            steps: Steps::default(),
        };
        let mut chance = Chance::of(walk);
        for _ in 0..4 + walk / 4 {
            all.step(&mut chance);
        }
        while !all.waiting.is_empty() {
            all.receive();
            all.settle();
        }
    }
    Ok(())
}

struct Channel {
    ends: Senders,
    waiting: Vec<Waiter<BoxFuture>>,
    begun: usize,
    shared: Arc<WakeCounter>,
    steps: Steps,
}

impl Channel {
    fn step(&mut self, chance: &mut Chance) {
        let waits = self.waiting.len();
        match chance.below(8) {
            0..=2 => {
                let (number, future) = (self.begun, (self.ends.send)());
                self.begun += 1;
                self.waiting.push(Waiter {
                    number,
                    wants: 1,
                    future,
                    counter: WakeCounter::new(),
                    seen: 0,
                });
                let by = by_chance(chance, &self.shared);
                self.poll(waits, by);
            }
            3 | 4 => self.receive(),
            5 if waits > 0 => {
                let waiter = self.waiting.remove(chance.below(waits));
                self.steps.note(waiter.dropped());
            }
            6 if waits > 0 => {
                let place = chance.below(waits);
                let by = by_chance(chance, &self.shared);
                self.poll(place, by);
            }
            7 => self.settle(),
            _ => {}
        }
    }

    fn poll(&mut self, place: usize, (by, which): By) {
        let waiter = &mut self.waiting[place];
        self.steps
            .note(format!("{} is polled{which}", waiter.number));
        let polled = waiter.poll(by, |future, counter| counter.poll(future));
        if polled.is_ready() {
            drop(self.waiting.remove(place));
        }
    }

    /// Where there is none, there is room.
    fn receive(&mut self) {
        if (self.ends.receive)().is_some() {
            self.steps.note("one is received".to_owned());
            return;
        }
        self.steps.note("none is there".to_owned());
        let is_woken = self.waiting.is_empty() || comes_true(|| woken(&self.waiting).is_some());
        let (waits, steps) = (self.waiting.len(), &self.steps);
        assert!(
            is_woken,
            "{waits} wait to send to a channel that is empty, and none is woken: {steps}"
        );
    }

    /// Polls each that is woken, until none is.
    fn settle(&mut self) {
        for _ in 0..4 * (self.waiting.len() + 1) {
            match woken(&self.waiting) {
                Some(place) => self.poll(place, THE_SAME),
                None => return,
            }
        }
    }
}
