//! A channel with a fixed number of slots, made of two semaphores: one counts the free slots, the other the filled ones.
//!
//! ```
//! use futures::{executor::block_on, join};
//! use step08_join_handle::channel::channel;
//!
//! let (sender, mut receiver) = channel(1);
//! let sends = async move {
//!     for number in 1..=3 {
//!         sender.send(number).await?;
//!     }
//!     Ok::<(), step08_join_handle::channel::SendError<i32>>(())
//! };
//! let receives = async {
//!     let mut sum = 0;
//!     while let Some(number) = receiver.recv().await {
//!         sum += number;
//!     }
//!     sum
//! };
//! assert_eq!(block_on(async { join!(sends, receives) }), (Ok(()), 6));
//! ```

use std::{collections::VecDeque, error::Error, fmt, sync::Arc};

use crate::{lock::lock, sync::Mutex};

use super::semaphore::{Permit, Semaphore};

// ANCHOR: shared
struct Shared<T> {
    /// A permit for each free slot. Once the receiver is gone, there are always enough.
    free: Semaphore,
    /// A permit for each filled slot, and one more, once the senders are gone.
    filled: Semaphore,
    /// The values, each with the slot that it is in. `None` once the receiver is gone.
    values: Mutex<Option<VecDeque<(T, Permit)>>>,
}
// ANCHOR_END: shared

/// Creates a channel in which `capacity` values fit.
///
/// # Panics
///
/// Panics if the capacity is 0, because no value could ever be sent.
pub fn channel<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    assert!(capacity > 0, "a channel needs a capacity of at least 1");
    let shared = Arc::new(Shared {
        free: Semaphore::new(capacity),
        filled: Semaphore::new(0),
        values: Mutex::new(Some(VecDeque::new())),
    });
    let end = Arc::new(SendingEnd(Arc::clone(&shared)));
    (Sender(end), Receiver(shared))
}

/// Sends values. Clones send into the same channel.
// ANCHOR: sender
pub struct Sender<T>(Arc<SendingEnd<T>>);

/// What all senders share, so that it is dropped with the last of them.
struct SendingEnd<T>(Arc<Shared<T>>);
// ANCHOR_END: sender

impl<T> Sender<T> {
    /// Sends a value as soon as a slot is free. Senders that wait are served in the order in which they came.
    ///
    /// If this future is dropped early, the value was not sent, and is dropped with the future. A slot that it had been
    /// given already goes to the next sender.
    ///
    /// # Errors
    ///
    /// The value comes back in a [`SendError`] if the receiver is gone, even if it went while the future waited.
    // ANCHOR: send
    pub async fn send(&self, value: T) -> Result<(), SendError<T>> {
        let SendingEnd(shared) = &*self.0;
        let slot = shared.free.acquire().await;
        match &mut *lock(&shared.values) {
            Some(values) => values.push_back((value, slot)),
            // The slot is given back after the lock, because that may wake a sender.
            None => return Err(SendError(value)),
        }
        shared.filled.add_permits(1);
        Ok(())
    }
    // ANCHOR_END: send
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender(Arc::clone(&self.0))
    }
}

// ANCHOR: last_sender
impl<T> Drop for SendingEnd<T> {
    fn drop(&mut self) {
        self.0.filled.add_permits(1);
    }
}
// ANCHOR_END: last_sender

/// Receives values.
pub struct Receiver<T>(Arc<Shared<T>>);

impl<T> Receiver<T> {
    /// Receives the next value, or `None` if no value is left and every [`Sender`] is gone.
    ///
    /// No value is lost if this future is dropped early: the next call receives it.
    // ANCHOR: recv
    pub async fn recv(&mut self) -> Option<T> {
        let filled = self.0.filled.acquire().await;
        // Without a value, this is the permit that the last sender has left. Returning gives it
        // back, for the next call.
        let (value, slot) = lock(&self.0.values).as_mut()?.pop_front()?;
        filled.forget();
        drop(slot);
        Some(value)
    }
    // ANCHOR_END: recv
}

// ANCHOR: receiver_gone
impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let values = lock(&self.0.values).take();
        // Slots no longer matter. This wakes every sender, and each finds the queue gone.
        self.0.free.add_permits(usize::MAX);
        drop(values);
    }
}
// ANCHOR_END: receiver_gone

/// The receiver is gone. Holds the value that was not sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendError<T>(pub T);

impl<T> fmt::Debug for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendError(..)")
    }
}

impl<T> fmt::Display for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the channel's receiver is gone")
    }
}

impl<T> Error for SendError<T> {}

// The values are not printed, because they print by code that we do not control, which must not run under the lock.
impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender(..)")
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Receiver(..)")
    }
}
