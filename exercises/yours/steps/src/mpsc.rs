//! As `std::sync::mpsc`, with channels that have no bound.

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError};
use std::{sync::mpsc, time::Duration};

use crate::plan::{self, What, step};

#[derive(Debug)]
pub struct Sender<T>(mpsc::Sender<T>);

#[derive(Debug)]
pub struct Receiver<T>(mpsc::Receiver<T>);

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel();
    (Sender(sender), Receiver(receiver))
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender(self.0.clone())
    }
}

impl<T> Sender<T> {
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        step(What::Send);
        self.0.send(value)
    }
}

impl<T> Receiver<T> {
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        // Only what finds nothing sleeps.
        step(What::Lock);
        if let Ok(value) = self.0.try_recv() {
            return Ok(value);
        }
        step(What::Sleep);
        let received = self.0.recv();
        plan::is_woken();
        received
    }

    #[track_caller]
    pub fn recv_timeout(&self, limit: Duration) -> Result<T, RecvTimeoutError> {
        step(What::Lock);
        if let Ok(value) = self.0.try_recv() {
            return Ok(value);
        }
        step(What::Sleep);
        let received = self.0.recv_timeout(limit);
        plan::is_woken();
        received
    }

    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        step(What::Lock);
        self.0.try_recv()
    }

    pub fn try_iter(&self) -> impl Iterator<Item = T> + '_ {
        self.0.try_iter()
    }
}
