//! The standard input belongs to the process, so only one [`Stdin`](super::Stdin) at a time may read it.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether there is a [`Taken`].
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The right to read the standard input. Dropping it gives it back.
#[derive(Debug)]
pub(super) struct Taken(());

impl Taken {
    pub(super) fn take() -> io::Result<Taken> {
        if TAKEN.swap(true, Ordering::Acquire) {
            let taken = "another `Stdin` reads the standard input";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, taken));
        }
        Ok(Taken(()))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}
