//! Channels of many senders and one receiver.

use std::{fmt, panic::Location};

use ::tokio::sync::mpsc as plain;
pub use ::tokio::sync::mpsc::*;

use self::error::SendError;
use super::{
    channel::{Got, at_end, ends, into_ends, weak_ends},
    end::{self, End, WeakEnd},
    held::Held,
};
use crate::{
    Hold, Resource,
    see::{facts::Has, place::Line, resource::ResourceKind},
};

ends! { channel(room: usize) Sender Receiver; recv, blocking_recv => Option<T>, is_none; }
ends! { unbounded_channel() UnboundedSender UnboundedReceiver; recv, blocking_recv => Option<T>, is_none; }

into_ends! {
    Sender Sender Receiver; Receiver Receiver Sender;
    UnboundedSender Sender Receiver; UnboundedReceiver Receiver Sender;
}
weak_ends! { WeakSender of Sender; WeakUnboundedSender of UnboundedSender; }

/// It waits for nothing.
macro_rules! tries_to_receive {
    () => {
        #[track_caller]
        pub fn try_recv(&mut self) -> Result<T, error::TryRecvError> {
            self.mine.move_here(Location::caller());
            let got = self.inner.try_recv()?;
            self.others.0.count_received(1);
            Ok(got)
        }
    };
}

impl<T> Receiver<T> {
    at_end! { recv_many(&mut Self, buffer: &mut Vec<T>, limit: usize) => usize; }

    tries_to_receive! {}
}

impl<T> UnboundedSender<T> {
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.mine.move_here(Location::caller());
        self.others.note_sending::<T>(Location::caller());
        self.inner.send(value)?;
        self.mine.0.0.count_sent();
        Ok(())
    }
}

impl<T> UnboundedReceiver<T> {
    at_end! { recv_many(&mut Self, buffer: &mut Vec<T>, limit: usize) => usize; }

    tries_to_receive! {}
}

/// A place that is kept.
pub struct Permit<'a, T> {
    held: Held<plain::Permit<'a, T>>,
    sender: &'a Resource,
}

impl<T> fmt::Debug for Permit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.held.fmt(f)
    }
}

/// A place that is kept, and the sender that goes with it.
#[derive(Debug)]
pub struct OwnedPermit<T> {
    inner: plain::OwnedPermit<T>,
    hold: Hold,
    mine: Hold,
    others: Resource,
}

impl<T> OwnedPermit<T> {
    fn reserved(inner: plain::OwnedPermit<T>, at: Line, mine: Hold, others: &Resource) -> Self {
        OwnedPermit {
            inner,
            hold: others.hold_many(1, at, Has::Reserved),
            mine,
            others: others.clone(),
        }
    }

    #[track_caller]
    pub fn send(self, value: T) -> Sender<T> {
        self.others.note_sending::<T>(Location::caller());
        let inner = self.inner.send(value);
        self.mine.0.0.count_sent();
        drop(self.hold);
        End::made(inner, Location::caller(), &self.mine.0, &self.others)
    }

    #[track_caller]
    pub fn release(self) -> Sender<T> {
        let inner = self.inner.release();
        drop(self.hold);
        End::made(inner, Location::caller(), &self.mine.0, &self.others)
    }
}

impl<T> Permit<'_, T> {
    #[track_caller]
    pub fn send(self, value: T) {
        self.held.hold.0.note_sending::<T>(Location::caller());
        self.held.guard.send(value);
        self.sender.0.count_sent();
    }
}

impl<T> Sender<T> {
    #[track_caller]
    pub fn send(&self, value: T) -> impl Future<Output = Result<(), SendError<T>>> {
        let at = Location::caller();
        async move {
            self.mine.move_here(at);
            self.others.note_sending::<T>(at);
            let sends = self.inner.send(value);
            self.others.wait_many(1, sends, at).await?;
            self.mine.0.0.count_sent();
            Ok(())
        }
    }

    #[track_caller]
    pub fn try_send(&self, value: T) -> Result<(), error::TrySendError<T>> {
        self.mine.move_here(Location::caller());
        self.others.note_sending::<T>(Location::caller());
        self.inner.try_send(value)?;
        self.mine.0.0.count_sent();
        Ok(())
    }

    /// The permits are tokio's own, so what they send is not counted.
    #[track_caller]
    pub fn reserve_many(
        &self,
        n: usize,
    ) -> impl Future<Output = Result<plain::PermitIterator<'_, T>, SendError<()>>> {
        let at = Location::caller();
        async move {
            self.mine.move_here(at);
            self.mine.0.0.stop_counting();
            self.others
                .wait_many(1, self.inner.reserve_many(n), at)
                .await
        }
    }

    #[track_caller]
    pub fn reserve_owned(self) -> impl Future<Output = Result<OwnedPermit<T>, SendError<()>>> {
        let at = Location::caller();
        async move {
            let End {
                inner,
                mine,
                others,
                ..
            } = self;
            mine.move_here(at);
            let inner = others.wait_many(1, inner.reserve_owned(), at).await?;
            Ok(OwnedPermit::reserved(inner, at, mine, &others))
        }
    }

    #[track_caller]
    pub fn try_reserve_owned(mut self) -> Result<OwnedPermit<T>, error::TrySendError<Self>> {
        let at = Location::caller();
        self.mine.move_here(at);
        match self.inner.try_reserve_owned() {
            Ok(inner) => Ok(OwnedPermit::reserved(inner, at, self.mine, &self.others)),
            Err(error::TrySendError::Full(inner)) => {
                self.inner = inner;
                Err(error::TrySendError::Full(self))
            }
            Err(error::TrySendError::Closed(inner)) => {
                self.inner = inner;
                Err(error::TrySendError::Closed(self))
            }
        }
    }

    #[track_caller]
    pub fn reserve(&self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> {
        let at = Location::caller();
        async move {
            self.mine.move_here(at);
            let guard = self.others.wait_many(1, self.inner.reserve(), at).await?;
            Ok(self.permit(guard, at))
        }
    }

    #[track_caller]
    pub fn try_reserve(&self) -> Result<Permit<'_, T>, error::TrySendError<()>> {
        let at = Location::caller();
        self.mine.move_here(at);
        Ok(self.permit(self.inner.try_reserve()?, at))
    }

    fn permit<'a>(&'a self, guard: plain::Permit<'a, T>, at: Line) -> Permit<'a, T> {
        let hold = self.others.hold_many(1, at, Has::Reserved);
        Permit {
            held: Held { guard, hold },
            sender: &self.mine.0,
        }
    }

    #[track_caller]
    pub fn blocking_send(&self, value: T) -> Result<(), SendError<T>> {
        let at = Location::caller();
        self.mine.move_here(at);
        self.others.note_sending::<T>(at);
        self.others.block(at, || self.inner.blocking_send(value))?;
        self.mine.0.0.count_sent();
        Ok(())
    }
}
