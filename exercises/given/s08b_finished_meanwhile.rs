//! The place for the waker of s08b, with a gate in front of each store, at which the tests let things happen.

use std::{collections::VecDeque, sync::Mutex, task::Waker};

/// A place for a waker.
#[derive(Default)]
pub(crate) struct Slot {
    waker: Mutex<Option<Waker>>,
    gates: Mutex<VecDeque<Box<dyn FnOnce() + Send>>>,
}

impl Slot {
    /// Replaces the waker that is there, if any.
    pub(crate) fn store(&self, waker: Waker) {
        let gate = self.gates.lock().unwrap().pop_front();
        if let Some(gate) = gate {
            gate();
        }
        let earlier = self.waker.lock().unwrap().replace(waker);
        drop(earlier);
    }

    /// Takes the waker out.
    pub(crate) fn take(&self) -> Option<Waker> {
        self.waker.lock().unwrap().take()
    }

    /// Whether there is a waker.
    pub(crate) fn is_empty(&self) -> bool {
        self.waker.lock().unwrap().is_none()
    }

    /// Lets `act` happen before the first store that has no gate yet.
    pub(crate) fn add_gate(&self, act: impl FnOnce() + Send + 'static) {
        self.gates.lock().unwrap().push_back(Box::new(act));
    }
}
