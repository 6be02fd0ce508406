//! Every order of the steps of a task's state.

use step08_join_handle::v2_state_bits::state::{Idle, State};
use walk::Step::{self, *};

pub mod walk;

const STEPS: &[Step] = &[
    Wake,
    Abort,
    TakeFromQueue,
    PollIsPending,
    Finish,
    StoreWaker,
    DropHandle,
];

fn spawned() -> State {
    State::spawned()
}

fn add_reference(_: &State) {}

fn start(state: &State) -> Option<bool> {
    Some(!state.start())
}

fn claim(_: &State) -> bool {
    unreachable!("{Claim:?}: a shutdown of this stage drops what is in the queue")
}

fn unwait(_: &State) -> bool {
    unreachable!("the handle of this stage leaves its waker there")
}

#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in 20 seconds"
)]
#[test]
fn every_order_of_steps_keeps_one_owner_entry_and_result() {
    // A search that ends early finds no mistake.
    assert_eq!(walk::situations(), 80);
}
