//! The word of s08a, and what the tests let another thread do between two of its steps.

use std::{
    cell::RefCell,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

/// A word that threads share. Each method is one atomic step, and all but `store` return the word as it was before.
pub(crate) struct Word(AtomicUsize);

impl Word {
    pub(crate) fn new(word: usize) -> Word {
        Word(AtomicUsize::new(word))
    }

    pub(crate) fn load(&self) -> usize {
        let before = self.0.load(SeqCst);
        between_two_steps();
        before
    }

    pub(crate) fn store(&self, word: usize) {
        self.0.store(word, SeqCst);
        between_two_steps();
    }

    /// Sets these bits, whether they are set already or not.
    pub(crate) fn set(&self, bits: usize) -> usize {
        self.update(|word| word | bits)
    }

    /// Clears these bits.
    pub(crate) fn clear(&self, bits: usize) -> usize {
        self.update(|word| word & !bits)
    }

    /// Replaces the word by `change(word)`, in one step.
    pub(crate) fn update(&self, change: impl Fn(usize) -> usize) -> usize {
        let before = self
            .0
            .fetch_update(SeqCst, SeqCst, |word| Some(change(word)));
        between_two_steps();
        before.unwrap()
    }
}

pub(crate) type Act = Box<dyn FnOnce()>;

thread_local! {
    /// After how many more steps another thread acts, and what it does.
    pub(crate) static OTHER: RefCell<Option<(usize, Act)>> = const { RefCell::new(None) };
}

/// A step is over. Here another thread may do something.
fn between_two_steps() {
    let act = OTHER.with_borrow_mut(|other| match other {
        Some((0, _)) => other.take(),
        Some((steps, _)) => {
            *steps -= 1;
            None
        }
        None => None,
    });
    if let Some((_, act)) = act {
        act();
    }
}
