//! A worker with a slot that it always empties before its queue.

use std::collections::VecDeque;

// ANCHOR: program
/// The tasks of one worker.
#[derive(Default)]
struct Tasks {
    /// The task that was woken last. Its data is in the cache.
    slot: Option<&'static str>,
    queue: VecDeque<&'static str>,
}

impl Tasks {
    /// A task that this worker polls has woken another one.
    fn woken(&mut self, task: &'static str) {
        if let Some(earlier) = self.slot.replace(task) {
            self.queue.push_back(earlier);
        }
    }

    /// The task to poll next.
    fn next(&mut self) -> Option<&'static str> {
        self.slot.take().or_else(|| self.queue.pop_front())
    }
}
// ANCHOR_END: program

#[derive(Default)]
struct Repaired {
    tasks: Tasks,
    slot_polls_in_a_row: u32,
}

impl Repaired {
    // ANCHOR: repair
    fn next(&mut self) -> Option<&'static str> {
        if self.slot_polls_in_a_row == 3 {
            self.slot_polls_in_a_row = 0;
            self.tasks.queue.extend(self.tasks.slot.take());
        }
        if let Some(task) = self.tasks.slot.take() {
            self.slot_polls_in_a_row += 1;
            return Some(task);
        }
        self.slot_polls_in_a_row = 0;
        self.tasks.queue.pop_front()
    }
    // ANCHOR_END: repair
}

#[test]
fn two_tasks_that_wake_each_other_keep_the_queue_waiting() {
    /// The number of polls until it's the turn of the task in the queue: `ping` wakes `pong`, and `pong` wakes `ping`.
    fn polls_before(mut next: impl FnMut(&'static str) -> Option<&'static str>) -> Option<usize> {
        let mut woken = "ping";
        for poll in 0..10_000 {
            match next(woken) {
                Some("ping") => woken = "pong",
                Some("pong") => woken = "ping",
                _ => return Some(poll),
            }
        }
        None
    }
    let mut broken = Tasks::default();
    broken.queue.push_back("the timer");
    let turn = polls_before(|woken| {
        broken.woken(woken);
        broken.next()
    });
    assert_eq!(turn, None);

    let mut right = Repaired::default();
    right.tasks.queue.push_back("the timer");
    let turn = polls_before(|woken| {
        right.tasks.woken(woken);
        right.next()
    });
    assert_eq!(turn, Some(3));
}
