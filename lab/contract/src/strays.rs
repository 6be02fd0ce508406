//! Panics that no test made and none has caught: that of a thread of the runtime, say, which nobody waits for.

use std::{panic, sync::Mutex};

use crate::{clauses::panics::ON_PURPOSE, lock::lock, runtime::message};

/// The messages of those that have not been caught.
static STRAYS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From here on, each panic in this process is noted.
pub(crate) fn watch() {
    // Without a backtrace: what is found out for it is kept, and would be counted as a leak. And a runtime that ends the
    // process because of a panic would take so long to print one that the test could be over first.
    panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        let message = message(panic.payload());
        if !message.contains(ON_PURPOSE) {
            lock(&STRAYS).push(message);
        }
    }));
}

/// A test knows of a panic with this message.
pub(crate) fn is_known(message: &str) {
    let mut strays = lock(&STRAYS);
    if let Some(place) = strays.iter().position(|stray| stray == message) {
        strays.swap_remove(place);
    }
}

/// The message of one that nobody knows of.
pub(crate) fn first() -> Option<String> {
    lock(&STRAYS).first().cloned()
}
