//! Channels that keep the latest value.

use std::panic::Location;

use ::tokio::sync::watch as plain;
pub use ::tokio::sync::watch::*;

use super::{
    channel::{Got, at_end, ends, into_ends},
    end::{self, End},
};
use crate::{Resource, see::resource::ResourceKind};

ends! { channel(first: T) Sender Receiver; changed => Result<(), error::RecvError>, is_err; subscribe; }
into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }

impl<T> Sender<T> {
    /// Without a receiver.
    #[track_caller]
    pub fn new(first: T) -> Self {
        channel(first).0
    }
}

impl<T> Receiver<T> {
    at_end! { wait_for(&mut Self, is: impl FnMut(&T) -> bool) => Result<Ref<'_, T>, error::RecvError>, is_err; }
}
