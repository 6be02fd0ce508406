//! As `std::thread`.

pub use std::thread::{
    Builder, JoinHandle, ThreadId, available_parallelism, panicking, sleep, spawn, yield_now,
};
use std::{thread, time::Duration};

use crate::plan::{self, What, step};

#[derive(Clone, Debug)]
pub struct Thread(thread::Thread);

pub fn current() -> Thread {
    Thread(thread::current())
}

#[track_caller]
pub fn park() {
    step(What::Sleep);
    thread::park();
    plan::is_woken();
}

#[track_caller]
pub fn park_timeout(limit: Duration) {
    step(What::Sleep);
    thread::park_timeout(limit);
    plan::is_woken();
}

impl Thread {
    #[track_caller]
    pub fn unpark(&self) {
        step(What::Notify);
        self.0.unpark();
    }

    pub fn id(&self) -> ThreadId {
        self.0.id()
    }
}
