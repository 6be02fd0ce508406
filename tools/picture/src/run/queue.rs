//! Where tasks are that are to be polled.

use std::fmt;

use crate::beside::{Kind, Lane};

/// A queue, by what tells it from the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Queue {
    /// The one that all threads use, or the one into which a thread from outside pushes: by its lane.
    Shared(String),
    /// The slot of a worker, for one task.
    Slot(String),
    /// The queue that a worker has to itself, but for thieves.
    Own(String),
}

impl Queue {
    /// The queue that a lane shows, if it shows one.
    pub(crate) fn of(lane: &Lane) -> Option<Queue> {
        match lane.is {
            Kind::OwnQueue => Some(Queue::Own(lane.whose.clone())),
            Kind::Counted if !lane.whose.is_empty() => Some(Queue::Slot(lane.whose.clone())),
            Kind::Counted | Kind::Queue | Kind::SharedQueue => {
                Some(Queue::Shared(lane.name().to_owned()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Queue::Shared(name) => f.write_str(name),
            Queue::Slot(worker) => write!(f, "{worker}'s slot"),
            Queue::Own(worker) => write!(f, "{worker}'s queue"),
        }
    }
}
