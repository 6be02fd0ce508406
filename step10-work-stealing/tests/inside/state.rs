//! Every order of the steps of a task's state.

use properties::walk::{self, Finish, Step, Step::*};

use crate::task::state::{Idle, Start, State};

impl walk::State for State {
    const STEPS: &'static [Step] = &[
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

    fn add_reference(&self) {
        self.add_reference();
    }

    fn wake(&self) -> bool {
        self.wake()
    }

    fn abort(&self) -> bool {
        self.abort()
    }

    fn start(&self) -> Option<bool> {
        self.start().map(|start| start == Start::Cancel)
    }

    fn idle(&self) -> walk::Idle {
        match self.idle() {
            Idle::Nothing => walk::Idle::Nothing,
            Idle::Schedule => walk::Idle::Schedule,
            Idle::Cancel => walk::Idle::Cancel,
        }
    }

    fn finish(&self) -> Finish {
        let finish = self.finish();
        Finish {
            handle: finish.handle,
            waiting: finish.waiting,
        }
    }

    fn claim(&self) -> bool {
        self.claim()
    }

    fn wait(&self) -> bool {
        self.wait()
    }

    fn unwait(&self) -> bool {
        self.unwait()
    }

    fn detach(&self) -> bool {
        self.detach()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }
}

#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in 20 seconds"
)]
#[test]
fn every_order_of_steps_keeps_one_owner_entry_and_result() {
    // A search that ends early finds no mistake.
    assert_eq!(walk::situations::<State>(), 239);
}
