//! A channel that is full, so that senders wait.

use super::walk::{Awaited, Chance, Steps, WALKS, Waiting, Waits, Walk};
use crate::{Answer, Leaf, Senders};

/// Some send to a channel with room for one message. In each walk, a step lets one begin, receives a message, polls one that waits, woken
/// or not, with the same waker or another one, or drops one. At the end, messages are received until all senders are done.
pub fn senders_in_any_order(leaf: &'static dyn Leaf) -> Answer {
    for number in 0..WALKS {
        let mut walk = Walk::new(Channel {
            ends: leaf.senders(1)?,
        });
        walk.go(number)?;
        while walk.waiting.count() > 0 {
            walk.awaited.receive(&mut walk.waiting);
            walk.settle();
        }
    }
    Ok(())
}

struct Channel {
    ends: Senders,
}

impl Channel {
    /// Where there is no message, there is room.
    fn receive(&mut self, waiting: &mut Waiting<Self>) {
        if (self.ends.receive)().is_some() {
            waiting.steps.note("one is received".to_owned());
        } else {
            waiting.steps.note("none is there".to_owned());
            waiting.assert_one_is_woken(" to send to a channel that is empty");
        }
    }
}

impl Awaited for Channel {
    type Wish = ();
    type Gets = ();

    fn wish(&self, _: usize, _: &mut Chance) {}

    fn waiter(&mut self, _: usize, (): (), _: &mut Steps) -> Answer<((), Waits<Self>)> {
        Ok(((), (self.ends.send)()))
    }

    fn happens(&mut self, waiting: &mut Waiting<Self>, _: &mut Chance) {
        self.receive(waiting);
    }

    fn arrives(&mut self, _: usize, (): (), (): (), _: &Steps) {}

    /// Senders that wake each other meanwhile cost something, but that is not what is asked here.
    fn is_settled(&self, polls: usize, waiters: usize) -> bool {
        polls >= 4 * (waiters + 1)
    }
}
