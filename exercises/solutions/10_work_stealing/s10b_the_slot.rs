//! s10b · complete · 15 minutes · chapter 10, "Work stealing"
//!
//! A task that was woken last often reads what the task before it has just written, so it should run next, on the same
//! worker. A worker has a slot for that task, in front of its queue. But two tasks that wake each other would stay in the
//! slot forever, and two tasks in the queue would keep the worker from what comes from outside. So both need a limit.
//!
//! Complete `push` and `next`. These are the rules:
//!
//! 1. A woken task goes into the slot. A task that is there already goes to the back of the queue.
//! 2. A task that yields goes to the back of the queue, because it lets the others go first.
//! 3. The slot is polled before the queue, and the queue before the injector.
//! 4. While tasks wait in the queue, at most three polls in a row are polls from the slot. Then the task in the slot goes to
//!    the back of the queue. The injector does not count as waiting. A poll from the queue starts the count again.
//! 5. Each 61st call of `next` takes a task from the injector, if there is one there. A call that returns nothing counts too.
//!
//! Run: `cargo test --bin s10b_the_slot`, or save this file while `rustlings` runs.
//! Red: a test shows the order in which tasks were polled, and the order that was wanted.

use std::collections::VecDeque;

const SLOT_POLLS_IN_A_ROW: u32 = 3;
const POLLS_BETWEEN_LOOKS: u32 = 61;

type Task = u32;

/// Why a task is to be polled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Another task has woken it.
    Woken,
    /// It has woken itself in its own poll.
    Yielded,
}

/// A worker's own data.
#[derive(Debug, Default)]
struct Worker {
    slot: Option<Task>,
    /// The oldest task is in front.
    queue: VecDeque<Task>,
    slot_polls_in_a_row: u32,
    /// How often `next` has been called.
    calls: u32,
}

impl Worker {
    /// Takes a task that was woken or has yielded on this worker.
    fn push(&mut self, task: Task, why: Why) {
        let back = match why {
            Why::Woken => self.slot.replace(task),
            Why::Yielded => Some(task),
        };
        self.queue.extend(back);
    }

    /// The task that this worker polls next. The injector has what comes from outside, the oldest in front.
    fn next(&mut self, injector: &mut VecDeque<Task>) -> Option<Task> {
        self.calls = self.calls.wrapping_add(1);
        if self.calls % POLLS_BETWEEN_LOOKS == 0 {
            let from_outside = injector.pop_front();
            if from_outside.is_some() {
                return from_outside;
            }
        }
        self.pop_slot()
            .or_else(|| self.pop_queue())
            .or_else(|| injector.pop_front())
    }

    fn pop_slot(&mut self) -> Option<Task> {
        let task = self.slot.take()?;
        if self.slot_polls_in_a_row >= SLOT_POLLS_IN_A_ROW && !self.queue.is_empty() {
            self.queue.push_back(task);
            return None;
        }
        self.slot_polls_in_a_row += 1;
        Some(task)
    }

    fn pop_queue(&mut self) -> Option<Task> {
        self.slot_polls_in_a_row = 0;
        self.queue.pop_front()
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s10b_the_slot.rs"]
mod tests;
