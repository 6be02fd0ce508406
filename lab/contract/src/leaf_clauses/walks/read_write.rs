//! A lock that several readers or one writer may hold.

use super::{
    holders::Holders,
    walk::{Awaited, Chance, Steps, WALKS, Waiting, Waits, Walk},
};
use crate::{Answer, Held, Leaf, ReadWrite};

/// Some wait to read, some to write. The steps are those of permits.
pub fn readers_and_writers(leaf: &'static dyn Leaf) -> Answer {
    for number in 0..WALKS {
        let mut walk = Walk::new(Lock {
            lock: leaf.read_write()?,
            holders: Holders::none(),
        });
        walk.go(number)?;
        walk.settle();
        while walk.awaited.holders.count() > 0 {
            walk.awaited.holders.release(0, &mut walk.waiting.steps);
            walk.settle();
        }
    }
    Ok(())
}

struct Lock {
    lock: ReadWrite,
    holders: Holders<Wish>,
}

#[derive(Clone, Copy, PartialEq)]
enum Wish {
    ToRead,
    ToWrite,
}

impl Awaited for Lock {
    type Wish = Wish;
    type Gets = Held;

    fn wish(&self, step: usize, _: &mut Chance) -> Wish {
        if step == 0 {
            Wish::ToWrite
        } else {
            Wish::ToRead
        }
    }

    fn waiter(
        &mut self,
        number: usize,
        wish: Wish,
        steps: &mut Steps,
    ) -> Answer<(Wish, Waits<Self>)> {
        let (future, what) = match wish {
            Wish::ToRead => ((self.lock.read)(), "to read"),
            Wish::ToWrite => ((self.lock.write)(), "to write"),
        };
        steps.note(format!("{number} wants {what}"));
        Ok((wish, future))
    }

    fn happens(&mut self, waiting: &mut Waiting<Self>, chance: &mut Chance) {
        self.holders.release_one(&mut waiting.steps, chance);
    }

    fn arrives(&mut self, number: usize, wish: Wish, held: Held, steps: &Steps) {
        self.holders.add(number, wish, held);
        let others = self.holders.count() - 1;
        let is_written = self.holders.wishes().any(|wish| wish == Wish::ToWrite);
        assert!(
            others == 0 || !is_written,
            "a writer holds the lock beside {others} others: {steps}"
        );
    }

    /// Where one of those that wait can have the lock whatever its rules are, one is woken.
    fn check(&self, waiting: &Waiting<Self>) {
        let holds = self.holders.count();
        let mut all = self.holders.wishes().chain(waiting.wishes());
        if holds == 0 || all.all(|wish| wish == Wish::ToRead) {
            waiting.assert_one_is_woken(format_args!(", {holds} readers hold the lock"));
        }
    }

    /// Readers that wake each other meanwhile cost something, but that is not what is asked here.
    fn is_settled(&self, polls: usize, waiters: usize) -> bool {
        polls >= 4 * (waiters + 1)
    }
}
