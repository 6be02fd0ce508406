//! A task in one allocation: its future and later its result, its state, and the waker of its handle.
//!
//! A task knows nothing of workers and queues. All that it asks of its runtime is in one trait, [`Schedule`], so this folder can be
//! read, tested and model-checked by itself.

mod cell;
mod handle_waker;
mod join_handle;
mod list;
mod reference;
mod run;
mod schedule;
mod slot;
mod spawn;
pub(crate) mod state;

pub use join_handle::JoinHandle;
pub(crate) use list::List;
pub(crate) use reference::{Task, Why};
pub(crate) use schedule::Schedule;
pub(crate) use slot::Slot;
pub(crate) use spawn::spawn;
