//! Every order of the steps of a task's state.

use properties::walk::{self, Finish, Step, Step::*};
use step08_join_handle::v2_state_bits::state::{Idle, State};

#[derive(Debug)]
struct Bits(State);

impl walk::State for Bits {
    const STEPS: &'static [Step] = &[
        Wake,
        Abort,
        TakeFromQueue,
        PollIsPending,
        Finish,
        StoreWaker,
        DropHandle,
    ];

    fn spawned() -> Bits {
        Bits(State::spawned())
    }

    fn wake(&self) -> bool {
        self.0.wake()
    }

    fn abort(&self) -> bool {
        self.0.abort()
    }

    fn start(&self) -> Option<bool> {
        Some(!self.0.start())
    }

    fn idle(&self) -> walk::Idle {
        match self.0.idle() {
            Idle::Nothing => walk::Idle::Nothing,
            Idle::Schedule => walk::Idle::Schedule,
            Idle::Cancel => walk::Idle::Cancel,
        }
    }

    fn finish(&self) -> Finish {
        let finish = self.0.finish();
        Finish {
            handle: finish.handle,
            waiting: finish.waiting,
        }
    }

    fn wait(&self) -> bool {
        self.0.wait()
    }

    fn detach(&self) -> bool {
        self.0.detach()
    }

    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in 20 seconds"
)]
#[test]
fn every_order_of_steps_keeps_one_owner_entry_and_result() {
    // A search that ends early finds no mistake.
    assert_eq!(walk::situations::<Bits>(), 80);
}
