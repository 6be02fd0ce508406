//! Waiters that come, are polled, get what they wait for and go, in an order of chance: `walk` takes the steps, and each other module has
//! one thing to wait for.

mod gifts;
mod holders;
mod permits;
mod read_write;
mod senders;
mod walk;

pub use gifts::gifts_in_any_order;
pub use permits::permits_in_any_order;
pub use read_write::readers_and_writers;
pub use senders::senders_in_any_order;

use crate::{Check, Clause, Edition, Level, fault::LeafFault};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "gifts_in_any_order",
        edition: Edition::E6,
        rule: "As long as there are as many waiters as gifts, each gift reaches one of them, in whatever order they come, are polled and are dropped.",
        why: "A queue of waiters has many states: one is woken and not polled yet, another is dropped just then, a third comes in between. A gift that is lost in one of them is missing for good.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            gifts_in_any_order,
            &[
                (LeafFault::LosesWhatWasGiven, "and none is woken"),
                (LeafFault::PassesOnOneOfTwo, "and none is woken"),
                (LeafFault::KnowsWaitersByTheirWakers, "and none is woken"),
                (LeafFault::KeepsACopy, "with what was not given"),
            ],
        ),
    },
    Clause {
        name: "permits_in_any_order",
        edition: Edition::E6,
        rule: "As long as there are as many free permits as any waiter wants, one of the waiters is woken, in whatever order they come, are polled and are dropped, and no permit is held twice.",
        why: "Permits that are split between waiters, or come back from a waiter that gives up, have to wake the right one. If they wake nobody, they lie there while a task waits for them.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            permits_in_any_order,
            &[
                (LeafFault::GivesBackWhatItNeverHad, "permits are held"),
                (LeafFault::LeavesTheHeadInSilence, "and none is woken"),
                (LeafFault::LosesAPermit, "and none is woken"),
            ],
        ),
    },
    Clause {
        name: "readers_and_writers",
        edition: Edition::E6,
        rule: "A writer holds the lock alone. If nobody holds it, one of those that wait is woken; if readers hold it and no writer waits, each reader gets it.",
        why: "The end of a writer may be what many readers wait for, and a writer that gives up may have held back readers that could have gone on. Where only one of them is woken, or none, the others wait for a release that may never come.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            readers_and_writers,
            &[
                (LeafFault::SharesWithAWriter, "holds the lock beside"),
                (LeafFault::WritersLeaveInSilence, "and none is woken"),
            ],
        ),
    },
    Clause {
        name: "senders_in_any_order",
        edition: Edition::E6,
        rule: "While a channel is empty, one of the senders that wait is woken, in whatever order they come, are polled and are dropped.",
        why: "A sender that is dropped just as there was room for it takes that room with it. When that has happened as often as the channel has places, nothing can be sent any more.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            senders_in_any_order,
            &[
                (LeafFault::LosesRoom, "and none is woken"),
                (LeafFault::ReceivesInSilence, "and none is woken"),
            ],
        ),
    },
];
