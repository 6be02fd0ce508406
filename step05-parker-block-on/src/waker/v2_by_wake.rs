//! Version 2: the same waker by [`Wake`]. The standard library makes the table and counts the wakers.

// ANCHOR: wake
use std::{sync::Arc, task::Wake};

use crate::Parker;

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.unpark();
    }

    // The default would clone the `Arc` in order to call `wake`.
    fn wake_by_ref(self: &Arc<Self>) {
        self.unpark();
    }
}
// ANCHOR_END: wake
