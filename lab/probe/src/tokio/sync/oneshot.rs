//! Channels of one message.

use std::panic::Location;

use ::tokio::sync::oneshot as plain;
pub use ::tokio::sync::oneshot::*;

use super::{
    channel::{Got, at_end, into_ends},
    end::{self, End},
};
use crate::{Resource, see::resource::ResourceKind};

pub type Sender<T> = End<plain::Sender<T>>;

impl<T> Sender<T> {
    at_end! { closed(&mut Self) => (); }

    #[track_caller]
    pub fn send(self, value: T) -> Result<(), T> {
        self.mine.move_here(Location::caller());
        self.inner.send(value)?;
        self.mine.0.0.count_sent();
        Ok(())
    }
}

pub type Receiver<T> = End<plain::Receiver<T>>;

into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }

impl<T> Receiver<T> {
    #[track_caller]
    pub fn blocking_recv(self) -> Result<T, error::RecvError> {
        self.others
            .block(Location::caller(), || self.inner.blocking_recv())
    }
}

#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    end::ends(plain::channel(), Location::caller())
}
