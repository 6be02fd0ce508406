//! Those that hold a permit or a lock.

use super::walk::{Chance, Steps};
use crate::Held;

/// The holders: the number of each, what it has asked for, and what it holds.
pub(super) struct Holders<Wish>(Vec<(usize, Wish, Held)>);

impl<Wish: Copy> Holders<Wish> {
    pub fn none() -> Holders<Wish> {
        Holders(Vec::new())
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn wishes(&self) -> impl Iterator<Item = Wish> {
        self.0.iter().map(|(_, wish, _)| *wish)
    }

    pub fn add(&mut self, number: usize, wish: Wish, held: Held) {
        self.0.push((number, wish, held));
    }

    /// If there is a holder, one of them holds it no longer.
    pub fn release_one(&mut self, steps: &mut Steps, chance: &mut Chance) {
        if self.count() > 0 {
            self.release(chance.below(self.count()), steps);
        }
    }

    /// The one at this place, from 0 on, holds it no longer.
    pub fn release(&mut self, place: usize, steps: &mut Steps) {
        let (number, _, held) = self.0.remove(place);
        steps.note(format!("{number} releases"));
        drop(held);
    }
}
