//! Every order of the steps of a task's state.

use crate::task::state::{Idle, Start, State};
use walk::Step::{self, *};

#[path = "../../../step08-join-handle/tests/state/walk.rs"]
pub mod walk;

const STEPS: &[Step] = &[
    Wake,
    Abort,
    TakeFromQueue,
    PollIsPending,
    Finish,
    Claim,
    StoreWaker,
    TakeWakerBack,
    DropHandle,
    Rescue,
];

/// It has three references: the queue's, the handle's, and one as the list has it.
fn spawned() -> State {
    State::spawned(3)
}

fn add_reference(state: &State) {
    state.add_reference();
}

fn start(state: &State) -> Option<bool> {
    match state.start() {
        Start::Nothing => None,
        start => Some(start == Start::Cancel),
    }
}

fn claim(state: &State) -> bool {
    state.claim()
}

fn unwait(state: &State) -> bool {
    state.unwait()
}

#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in 20 seconds"
)]
#[test]
fn every_order_of_steps_keeps_one_owner_entry_and_result() {
    // A search that ends early finds no mistake.
    assert_eq!(walk::situations(), 239);
}
