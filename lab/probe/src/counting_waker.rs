//! A waker that does nothing but count.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    task::Waker,
};

use crate::see::{
    event::Act,
    raw_waker::{self, Observed},
    tally::Tally,
};

/// Makes wakers, and counts what is done to them. Clones of it share the counts.
///
/// ```
/// let counting = why_pending::CountingWaker::new();
/// let waker = counting.waker();
/// waker.clone().wake();
/// assert_eq!((counting.wakes(), counting.live()), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct CountingWaker {
    pub(crate) tally: Arc<Tally>,
    observed: Arc<Observed>,
}

impl CountingWaker {
    /// With all counts at zero.
    pub fn new() -> Self {
        let tally = Arc::<Tally>::default();
        let observed = Arc::new(Observed::Counted(tally.clone()));
        Self { tally, observed }
    }

    /// Hands out a waker. By [`will_wake`](Waker::will_wake), all of them are one.
    pub fn waker(&self) -> Waker {
        self.tally.handed_out.fetch_add(1, SeqCst);
        raw_waker::owned(self.observed.clone())
    }

    /// How often any of the wakers was woken.
    pub fn wakes(&self) -> usize {
        self.tally.counted(Act::WakeByValue) + self.tally.counted(Act::WakeByRef)
    }

    /// How often a waker was cloned.
    pub fn clones(&self) -> usize {
        self.tally.counted(Act::Clone)
    }

    /// How many wakers were dropped. One that [`Waker::wake`] used up is not among them.
    pub fn drops(&self) -> usize {
        self.tally.counted(Act::Drop)
    }

    /// How many wakers exist now, clones included.
    pub fn live(&self) -> usize {
        // What ends a waker is read before what makes one, so that the difference cannot fall below zero.
        let gone = self.drops() + self.tally.counted(Act::WakeByValue);
        self.tally.handed_out.load(SeqCst) + self.clones() - gone
    }
}

impl Default for CountingWaker {
    fn default() -> Self {
        Self::new()
    }
}
