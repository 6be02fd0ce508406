//! s08a · complete · 15 minutes · chapter 08, "Join handles and worker threads"
//!
//! Two workers take tasks from one queue. A task that is woken while a worker polls it must not be put into the queue at
//! once, because the second worker would take it and poll it too: this is D11 of *Executor-2* (001). But the wake must not
//! be lost either. So the worker that polls it puts it into the queue afterwards.
//!
//! Complete `wake`, `start` and `pause`. The state of the task is one word with three bits. What a method returns says
//! whether its caller has to put the task into the queue. Other threads call `wake` at any time, so between two steps of
//! yours the word may change. The tests do that on purpose: a wake comes between two steps of `start`, of `pause` or of
//! another `wake`, and the poll begins or ends between two steps of `wake`.
//!
//! The steps are those of `Word` in `given/s08a_woken_while_it_runs.rs`, which is right. Each is `SeqCst`, so the memory ordering is settled, and the tests grade only in which order things happen.
//!
//! Run: `cargo test --bin s08a_woken_while_it_runs`, or save this file while `rustlings` runs.
//! Red: each test goes through one order of events, and says after which of them the task is in the queue when it should
//! not be, or is not there when it should.

#[path = "../../given/s08a_woken_while_it_runs.rs"]
mod given;

use given::Word;

/// To be polled: in the queue, or woken during the poll.
const SCHEDULED: usize = 1;
/// A worker polls it, so no other worker may.
const RUNNING: usize = 2;
/// Its future was ready, so it is never polled again.
const FINISHED: usize = 4;

/// The state of a task.
struct State(Word);

impl State {
    /// The state of a new task, which its creator puts into the queue.
    fn spawned() -> State {
        State(Word::new(SCHEDULED))
    }

    /// The task is woken. Returns whether the caller must put it into the queue.
    fn wake(&self) -> bool {
        // TODO: this is stage 04's flag. What if a worker polls the task, or the task is finished?
        self.0.set(SCHEDULED) & SCHEDULED == 0
    }

    /// A worker has taken the task from the queue, and will poll it.
    fn start(&self) {
        // TODO: which two bits change, and what may happen between two steps?
        self.0.clear(SCHEDULED);
    }

    /// The poll has returned `Pending`. Returns whether the worker must put the task into the queue.
    fn pause(&self) -> bool {
        // TODO: the worker does not poll it any more. Was the task woken meanwhile?
        false
    }

    /// The poll has returned `Ready`.
    fn finish(&self) {
        self.0.update(|word| (word | FINISHED) & !RUNNING);
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08a_woken_while_it_runs.rs"]
mod tests;
