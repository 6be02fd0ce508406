//! The permits of a semaphore, of which a waiter may ask for several.

use super::{
    holders::Holders,
    walk::{Awaited, By, Chance, Steps, WALKS, Waiting, Waits, Walk},
};
use crate::{Acquire, Answer, Held, Leaf};

/// Some acquire one to three permits of three, where that can be asked, and otherwise one of one. In each walk, a step lets one begin,
/// releases what one holds, polls one that waits, woken or not, with the same waker or another one, or drops one that waits. Now and
/// then, each that is woken is polled. At the end, all permits are to be had again.
pub fn permits_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for number in 0..WALKS {
        let (acquire, all) = match leaf.permits(3) {
            Ok(acquire) => (acquire, 3),
            Err(_) => (leaf.permits(1)?, 1),
        };
        let mut walk = Walk::new(Permits {
            acquire,
            all,
            holders: Holders::none(),
        });
        walk.go(number)?;
        walk.settle();
        while walk.awaited.holders.count() > 0 {
            walk.awaited.holders.release(0, &mut walk.waiting.steps);
            walk.settle();
        }
        for _ in 0..all {
            walk.begin(1, By::TheSame)?;
            walk.settle();
        }
    }
    Ok(())
}

struct Permits {
    acquire: Acquire,
    all: usize,
    holders: Holders<usize>,
}

impl Permits {
    fn free(&self, steps: &Steps) -> usize {
        let (held, all) = (self.holders.wishes().sum::<usize>(), self.all);
        assert!(held <= all, "{held} of {all} permits are held: {steps}");
        all - held
    }
}

impl Awaited for Permits {
    /// So many permits.
    type Wish = usize;
    type Gets = Held;

    fn wish(&self, _: usize, chance: &mut Chance) -> usize {
        1 + chance.below(self.all)
    }

    fn waiter(
        &mut self,
        number: usize,
        wish: usize,
        steps: &mut Steps,
    ) -> Answer<(usize, Waits<Self>)> {
        let (wish, future) = match (self.acquire)(wish) {
            Ok(future) => (wish, future),
            Err(_) => (1, (self.acquire)(1)?),
        };
        steps.note(format!("{number} wants {wish}"));
        Ok((wish, future))
    }

    fn happens(&mut self, waiting: &mut Waiting<Self>, chance: &mut Chance) {
        self.holders.release_one(&mut waiting.steps, chance);
    }

    fn arrives(&mut self, number: usize, wish: usize, held: Held, steps: &Steps) {
        self.holders.add(number, wish, held);
        self.free(steps);
    }

    /// If so many permits are free that each who waits could have what it wants, one is woken.
    fn check(&self, waiting: &Waiting<Self>) {
        let (free, most) = (self.free(&waiting.steps), waiting.wishes().max());
        if let Some(most) = most.filter(|most| *most <= free) {
            waiting
                .assert_one_is_woken(format_args!(" for {most} at most, {free} permits are free"));
        }
    }
}
