//! What is seen of a run: the events of each task, what they add up to, and who holds what others wait for. Nothing here judges.

pub(crate) mod elsewhere;
pub(crate) mod event;
pub(crate) mod facts;
pub(crate) mod frames;
pub(crate) mod holders;
pub(crate) mod lock;
mod own_waker;
pub(crate) mod panics;
pub(crate) mod place;
pub(crate) mod poke;
pub(crate) mod raw_waker;
pub(crate) mod recorder;
pub(crate) mod recording;
pub(crate) mod resource;
pub(crate) mod roll;
pub(crate) mod runtime;
pub(crate) mod scope;
pub(crate) mod stack;
pub(crate) mod symbol;
pub(crate) mod tally;
pub(crate) mod task;
pub(crate) mod watch;
