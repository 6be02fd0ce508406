//! A walk: waiters come, are polled, get what they wait for and go, in an order of chance that is the same in every run. What they
//! wait for is an [`Awaited`], which also says what has to be so after each step.

use std::{
    fmt::{self, Display, Formatter},
    future::Future,
    pin::Pin,
    sync::Arc,
    task::Poll,
};

use crate::{Answer, fixtures::comes_true, jitter::mixed, wake_counter::WakeCounter};

/// So many walks, the first of which are short.
pub(super) const WALKS: usize = 200;

/// What the waiters of a walk wait for.
pub(super) trait Awaited: Sized {
    /// What a waiter may ask for.
    type Wish: Copy;
    /// What a waiter gets.
    type Gets;

    /// Whether another waiter can be made.
    fn has_more(&self) -> bool {
        true
    }

    /// What the next waiter asks for. Three steps in eight make a waiter, and `step` is the number of this one.
    fn wish(&self, step: usize, chance: &mut Chance) -> Self::Wish;

    /// Makes the waiter of this number. It may have to ask for less.
    fn waiter(
        &mut self,
        number: usize,
        wish: Self::Wish,
        steps: &mut Steps,
    ) -> Answer<(Self::Wish, Waits<Self>)>;

    /// Does what may let waiters go on.
    fn happens(&mut self, waiting: &mut Waiting<Self>, chance: &mut Chance);

    /// A waiter has got what it waited for, and waits no longer.
    fn arrives(&mut self, number: usize, wish: Self::Wish, gets: Self::Gets, steps: &Steps);

    /// Where a waiter has to be woken by now, sees that one is. It is called after each step.
    fn check(&self, _waiting: &Waiting<Self>) {}

    /// So many waiters have to stay, because something is there for them.
    fn owed(&self) -> usize {
        0
    }

    /// Whether waiters that are woken are let wait, after so many polls of so many. Otherwise they are polled until none is woken.
    fn is_settled(&self, _polls: usize, _waiters: usize) -> bool {
        false
    }
}

/// Waits for an [`Awaited`].
pub(super) type Waits<A> = Pin<Box<dyn Future<Output = <A as Awaited>::Gets> + Send>>;

/// What is waited for, and the waiters. These are dropped first.
pub(super) struct Walk<A: Awaited> {
    pub waiting: Waiting<A>,
    pub awaited: A,
    /// So many waiters have been made.
    made: usize,
    /// The task of several of them.
    shared: Arc<WakeCounter>,
}

impl<A: Awaited> Walk<A> {
    pub fn new(awaited: A) -> Walk<A> {
        Walk {
            waiting: Waiting {
                waiters: Vec::new(),
                steps: Steps::default(),
            },
            awaited,
            made: 0,
            shared: WakeCounter::new(),
        }
    }

    /// Takes the steps of the walk that has this number.
    pub fn go(&mut self, number: usize) -> Answer {
        let mut chance = Chance(mixed(number as u64));
        for _ in 0..4 + number / 4 {
            self.step(&mut chance)?;
            self.awaited.check(&self.waiting);
        }
        Ok(())
    }

    /// Lets a waiter begin, does what they wait for, polls one, woken or not, drops one, or settles.
    fn step(&mut self, chance: &mut Chance) -> Answer {
        let count = self.waiting.count();
        match chance.below(8) {
            step @ 0..=2 if self.awaited.has_more() => {
                let by = self.by_chance(chance);
                let wish = self.awaited.wish(step, chance);
                self.begin(wish, by)?;
            }
            3 | 4 => self.awaited.happens(&mut self.waiting, chance),
            5 if count > self.awaited.owed() => self.waiting.drop_one(chance.below(count)),
            6 if count > 0 => {
                let place = chance.below(count);
                let by = self.by_chance(chance);
                self.poll(place, by);
            }
            7 => self.settle(),
            _ => {}
        }
        Ok(())
    }

    fn by_chance(&self, chance: &mut Chance) -> By {
        match chance.below(4) {
            0 => By::Another(WakeCounter::new()),
            1 => By::TheTaskOfSeveral(self.shared.clone()),
            _ => By::TheSame,
        }
    }

    /// A waiter comes, and is polled.
    pub fn begin(&mut self, wish: A::Wish, by: By) -> Answer {
        let number = self.made;
        let (wish, future) = self.awaited.waiter(number, wish, &mut self.waiting.steps)?;
        self.made += 1;
        self.waiting.waiters.push(Waiter {
            number,
            wish,
            future,
            counter: WakeCounter::new(),
            seen: 0,
        });
        self.poll(self.waiting.count() - 1, by);
        Ok(())
    }

    fn poll(&mut self, place: usize, by: By) {
        let Waiting { waiters, steps } = &mut self.waiting;
        steps.note(format!("{} is polled{by}", waiters[place].number));
        if let Poll::Ready(gets) = waiters[place].poll(by) {
            let Waiter { number, wish, .. } = waiters.remove(place);
            self.awaited.arrives(number, wish, gets, steps);
        }
    }

    /// Polls each that is woken, until none is.
    pub fn settle(&mut self) {
        self.awaited.check(&self.waiting);
        let (mut polls, waiters) = (0, self.waiting.count());
        while !self.awaited.is_settled(polls, waiters) {
            let Some(place) = self.waiting.woken() else {
                return;
            };
            self.poll(place, By::TheSame);
            self.awaited.check(&self.waiting);
            polls += 1;
        }
    }
}

/// Those that wait, and what has been done so far.
pub(super) struct Waiting<A: Awaited> {
    waiters: Vec<Waiter<A>>,
    pub steps: Steps,
}

impl<A: Awaited> Waiting<A> {
    pub fn count(&self) -> usize {
        self.waiters.len()
    }

    pub fn wishes(&self) -> impl Iterator<Item = A::Wish> {
        self.waiters.iter().map(|waiter| waiter.wish)
    }

    fn woken(&self) -> Option<usize> {
        self.waiters.iter().position(Waiter::is_woken)
    }

    /// If any wait, one has been woken or soon is. Otherwise, a verdict says how many wait, what for, and what was done before.
    pub fn assert_one_is_woken(&self, what_for: impl Display) {
        let count = self.count();
        let is_woken = count == 0 || comes_true(|| self.woken().is_some());
        assert!(
            is_woken,
            "{count} wait{what_for}, and none is woken: {}",
            self.steps
        );
    }

    fn drop_one(&mut self, place: usize) {
        let waiter = self.waiters.remove(place);
        let woken = if waiter.is_woken() {
            ", which was woken"
        } else {
            ""
        };
        self.steps
            .note(format!("{} is dropped{woken}", waiter.number));
    }
}

struct Waiter<A: Awaited> {
    number: usize,
    wish: A::Wish,
    future: Waits<A>,
    counter: Arc<WakeCounter>,
    /// How often it had been woken when it was last polled.
    seen: usize,
}

impl<A: Awaited> Waiter<A> {
    fn is_woken(&self) -> bool {
        self.counter.wakes() > self.seen
    }

    fn poll(&mut self, by: By) -> Poll<A::Gets> {
        if let By::Another(task) | By::TheTaskOfSeveral(task) = by {
            self.counter = task;
        }
        self.seen = self.counter.wakes();
        self.counter.poll(&mut self.future)
    }
}

/// The task that polls a waiter.
pub(super) enum By {
    /// The one that has polled it before.
    TheSame,
    Another(Arc<WakeCounter>),
    TheTaskOfSeveral(Arc<WakeCounter>),
}

impl Display for By {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            By::TheSame => "",
            By::Another(_) => " by another task",
            By::TheTaskOfSeveral(_) => " by the task of several",
        })
    }
}

/// Numbers of chance, which are the same in every run.
pub(super) struct Chance(u64);

impl Chance {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = mixed(self.0);
        (self.0 >> 16) as usize % bound
    }
}

/// What has been done in a walk, for a verdict.
#[derive(Default)]
pub(super) struct Steps(Vec<String>);

impl Steps {
    pub fn note(&mut self, step: String) {
        self.0.push(step);
    }
}

impl Display for Steps {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}
