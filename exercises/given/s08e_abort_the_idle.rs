//! The state word of s08e: an atomic, between whose steps the tests let other threads act.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A word that threads share. Its methods are those of an `AtomicUsize`, each one atomic step.
pub(crate) struct Word(pub(crate) AtomicUsize);

impl Word {
    pub(crate) fn load(&self, ordering: Ordering) -> usize {
        self.step(|word| word.load(ordering))
    }

    pub(crate) fn fetch_or(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_or(bits, ordering))
    }

    pub(crate) fn fetch_and(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_and(bits, ordering))
    }

    pub(crate) fn fetch_xor(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_xor(bits, ordering))
    }

    pub(crate) fn compare_exchange(
        &self,
        current: usize,
        new: usize,
        success: Ordering,
        failure: Ordering,
    ) -> Result<usize, usize> {
        self.step(|word| word.compare_exchange(current, new, success, failure))
    }

    /// Takes a step. After it, the tests let other threads act.
    pub(crate) fn step<T>(&self, take: impl FnOnce(&AtomicUsize) -> T) -> T {
        let before = take(&self.0);
        #[cfg(test)]
        crate::tests::between_two_steps();
        before
    }
}
