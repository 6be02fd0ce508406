//! Gifts, such as messages, each of which is for one of those that wait.

use super::walk::{Awaited, Chance, Steps, WALKS, Waiting, Waits, Walk};
use crate::{Answer, BoxFuture, Give, Leaf};

/// So many gifts at a time, because a channel has room for so many.
const ROOM: usize = 3;
/// So many waiters in a walk.
const WAITERS: usize = 12;

/// Twelve wait for gifts. In each walk, a step lets one of them begin, makes a gift, polls one, woken or not, with the same waker or
/// another one, or drops one. There are always as many that wait as there are gifts, of which
/// there are three at most. Now and then, and at the end, each that is
/// woken is polled, until all gifts have arrived.
pub fn gifts_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for number in 0..WALKS {
        let (mut waiters, give) = leaf.waiters(WAITERS)?;
        waiters.reverse();
        let mut walk = Walk::new(Gifts {
            new: waiters,
            give,
            owed: 0,
        });
        walk.go(number)?;
        walk.settle();
    }
    Ok(())
}

struct Gifts {
    /// Those that were not polled yet, the last first.
    new: Vec<BoxFuture>,
    give: Give,
    /// Gifts that have not arrived.
    owed: usize,
}

impl Awaited for Gifts {
    type Wish = ();
    type Gets = ();

    fn has_more(&self) -> bool {
        !self.new.is_empty()
    }

    fn wish(&self, _: usize, _: &mut Chance) {}

    fn waiter(&mut self, _: usize, (): (), _: &mut Steps) -> Answer<((), Waits<Self>)> {
        Ok(((), self.new.pop().expect("there is one more")))
    }

    fn happens(&mut self, waiting: &mut Waiting<Self>, _: &mut Chance) {
        if waiting.count().min(ROOM) > self.owed {
            waiting.steps.note("a gift".to_owned());
            self.owed += 1;
            (self.give)();
        }
    }

    fn arrives(&mut self, _: usize, (): (), (): (), steps: &Steps) {
        assert!(
            self.owed > 0,
            "a waiter is ready with what was not given: {steps}"
        );
        self.owed -= 1;
    }

    fn check(&self, waiting: &Waiting<Self>) {
        if self.owed > 0 {
            waiting.assert_one_is_woken(format_args!(", gifts for {} of them are left", self.owed));
        }
    }

    fn owed(&self) -> usize {
        self.owed
    }

    /// Without a gift that is left, it is no matter who is woken.
    fn is_settled(&self, _: usize, _: usize) -> bool {
        self.owed == 0
    }
}
