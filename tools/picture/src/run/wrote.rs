//! What a thread did by writing a word. A recording says which word it was, and its number before and after. What the word stands for is
//! said by its lane in `players.toml`, so only both together say what was done.

use probe::What;

use crate::{
    beside::Kind,
    run::{Event, Name, Run, queue::Queue},
};

/// What a thread did to a queue by writing a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrote {
    /// It has put the task that it spawned last into this queue. So many are there now.
    Put { queue: Queue, len: usize },
    /// It has taken the first task of this queue, to poll it. So many are there still. Others that are gone went to its own queue.
    Took { queue: Queue, left: usize },
    /// It has counted what it has just stolen from the front of this queue.
    Stole { from: Queue, count: usize },
    /// It has left this task to be polled: if a poll of it is over, because it was woken meanwhile.
    Scheduled(Name),
    /// Nothing to a queue.
    Else,
}

impl Wrote {
    /// `None`: the event is not that of a word.
    pub(crate) fn of(run: &Run, event: &Event) -> Option<Wrote> {
        let What::Word { before, after, .. } = event.what else {
            return None;
        };
        if let Some(line) = run.line(event).filter(|lane| lane.is == Kind::Steals) {
            let from = Queue::Own(line.whose.clone());
            let count = (after - before) as usize;
            return Some(Wrote::Stole { from, count });
        }
        let Some(lane) = run.word(&event.what) else {
            return Some(Wrote::Else);
        };
        Some(match (lane.is, Queue::of(lane)) {
            // The word is the number of tasks. If it stays the same, a slot was full, and its task had to go.
            (Kind::Counted, Some(queue)) if after >= before => Wrote::Put {
                queue,
                len: after as usize,
            },
            (Kind::Counted, Some(queue)) => Wrote::Took {
                queue,
                left: after as usize,
            },
            // The word is the state of a task.
            (Kind::Word, _) => {
                let is_set = |bit: &str| lane.fields(after).any(|field| field == (bit, 1));
                let is_due = is_set("SCHEDULED") && !is_set("RUNNING") && !is_set("FINISHED");
                let its_task = run.tasks.iter().find(|name| **name == lane.whose);
                match its_task.filter(|_| is_due) {
                    Some(task) => Wrote::Scheduled(task),
                    None => Wrote::Else,
                }
            }
            _ => Wrote::Else,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        beside::{beside, besides},
        read::read,
    };

    /// What is done to queues in this run, in its order.
    fn wrote(name: &str) -> Vec<Wrote> {
        let beside = beside(&besides().unwrap(), name).unwrap().clone();
        let recording = read(&format!("recordings/{name}.json")).unwrap();
        let run = Run::new(beside, recording).unwrap();
        let words = run.events.iter().filter_map(|event| Wrote::of(&run, event));
        words.filter(|wrote| *wrote != Wrote::Else).collect()
    }

    #[test]
    fn of_a_counted_place_a_larger_or_the_same_number_is_a_put_and_a_smaller_one_is_not() {
        let put = |queue: &Queue| Wrote::Put {
            queue: queue.clone(),
            len: 1,
        };
        let took = |queue: &Queue| Wrote::Took {
            queue: queue.clone(),
            left: 0,
        };
        let slot = Queue::Slot("worker 1".into());
        let stole = Wrote::Stole {
            from: Queue::Own("worker 1".into()),
            count: 2,
        };
        // Each of the four tasks that `busy` spawns goes into the slot, where the first finds no other.
        let expected = [
            put(&slot),
            put(&slot),
            put(&slot),
            put(&slot),
            stole,
            took(&slot),
        ];
        assert_eq!(wrote("run-10-steal"), expected);
    }
    #[test]
    fn a_task_that_was_woken_in_its_poll_is_scheduled_after_it() {
        let scheduled = [Wrote::Scheduled("task")];
        assert_eq!(wrote("run-08-woken-in-poll-fixed"), scheduled);
        assert_eq!(wrote("run-08-woken-in-poll-broken"), []);
    }
}
