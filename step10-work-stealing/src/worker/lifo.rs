//! The slot: what a task wakes or spawns is polled next, while its data is in the cache of this core.

use crate::task::Task;

use super::Local;

/// How many polls in a row may be from the slot while tasks wait in the queue. tokio has the same number.
const SLOT_POLLS_IN_A_ROW: u32 = 3;

impl Local {
    // ANCHOR: slot
    pub(super) fn put_in_slot(&self, task: Task) {
        // No other worker is woken for it, because it runs here, and next.
        if let Some(earlier) = self.remote().slot.put(task) {
            self.queue.push(earlier);
        }
    }

    pub(super) fn pop_slot(&self) -> Option<Task> {
        let in_a_row = self.slot_polls_in_a_row.replace(0);
        let task = self.remote().slot.take()?;
        if in_a_row >= SLOT_POLLS_IN_A_ROW && !self.queue.is_empty() {
            self.queue.push(task);
            return None;
        }
        self.slot_polls_in_a_row.set(in_a_row + 1);
        self.remote().counts.slot_polls.add(1);
        Some(task)
    }
    // ANCHOR_END: slot
}
