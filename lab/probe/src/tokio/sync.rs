//! Locks and channels.

mod barrier;
pub mod broadcast;
mod channel;
pub(super) mod end;
mod held;
pub mod mpsc;
mod mutex;
mod notify;
pub mod oneshot;
mod rwlock;
mod semaphore;
mod shared;
pub mod watch;

pub use ::tokio::sync::*;

pub use self::{
    barrier::Barrier,
    held::{
        Held, MappedMutexGuard, MutexGuard, OwnedMappedMutexGuard, OwnedMutexGuard,
        OwnedRwLockMappedWriteGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard,
        OwnedSemaphorePermit, RwLockMappedWriteGuard, RwLockReadGuard, RwLockWriteGuard,
        SemaphorePermit,
    },
    mutex::Mutex,
    notify::Notify,
    rwlock::RwLock,
    semaphore::Semaphore,
    shared::Shared,
};
