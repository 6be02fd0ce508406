//! Channels whose every receiver gets each message.

use std::panic::Location;

use ::tokio::sync::broadcast as plain;
pub use ::tokio::sync::broadcast::*;

use super::{
    channel::{Got, at_end, ends, into_ends, weak_ends},
    end::{self, End, WeakEnd},
};
use crate::{Resource, see::resource::ResourceKind};

ends! { channel(room: usize) Sender Receiver; recv, blocking_recv => Result<T, error::RecvError>, is_err, Clone; subscribe; }
into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }
weak_ends! { WeakSender of Sender; }

impl<T: Clone> Sender<T> {
    /// Without a receiver.
    #[track_caller]
    pub fn new(room: usize) -> Self {
        channel(room).0
    }
}

impl<T: Clone> Receiver<T> {
    #[track_caller]
    pub fn resubscribe(&self) -> Self {
        let inner = self.inner.resubscribe();
        End::made(inner, Location::caller(), &self.mine.0, &self.others)
    }
}
