//! Two workers and one task, whose state is the real one: every order of their steps. In the book, the reader decides.

use std::sync::atomic::{AtomicUsize, Ordering};

use At::*;
use kit::scheduler::{Figure, Model, Orders};
use step08_join_handle::v2_state_bits::state::{Idle, Start, State};

const SCHEDULED: usize = 1 << 0;
const RUNNING: usize = 1 << 1;

/// What `idle` must not be: two steps. Returns whether the worker has to put the task into the queue.
// ANCHOR: two_steps
fn idle_in_two_steps(word: &AtomicUsize, other_threads: impl FnOnce()) -> bool {
    let scheduled = word.load(Ordering::Acquire) & SCHEDULED != 0;
    other_threads();
    word.fetch_and(!RUNNING, Ordering::AcqRel);
    scheduled
}
// ANCHOR_END: two_steps

#[test]
fn a_wake_between_two_steps_leaves_the_task_scheduled_and_in_no_queue() {
    let word = AtomicUsize::new(RUNNING);
    let wake = || _ = word.fetch_or(SCHEDULED, Ordering::AcqRel);
    assert!(!idle_in_two_steps(&word, wake));
    assert_eq!(word.into_inner(), SCHEDULED);
}

/// The next step of a worker.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    StoreData,
    CallWake,
    PopTask,
    PollTask,
    CallIdle,
    ClearRunning { scheduled: bool },
    PushTask,
    CallFinish,
}

#[derive(Debug)]
struct Workers {
    in_two_steps: bool,
    state: State,
    is_queued: bool,
    has_data: bool,
    at: [At; 2],
}

impl Workers {
    fn new(in_two_steps: bool) -> Workers {
        Workers {
            in_two_steps,
            state: State::spawned(),
            is_queued: true,
            has_data: false,
            at: [PopTask, StoreData],
        }
    }

    fn has(&self, bit: &str) -> bool {
        format!("{:?}", self.state).contains(bit)
    }

    fn shown(&self, worker: usize) -> &'static str {
        match self.at[worker] {
            StoreData | CallWake => "polls the sender",
            PopTask if self.is_queued => "is free",
            PopTask => "<i>asleep</i>",
            PollTask => "polls the task",
            CallIdle => "has the task, and the poll was pending",
            ClearRunning { scheduled: true } => "has the task, and has read that it was woken",
            ClearRunning { scheduled: false } => "has the task, and has read that it was not woken",
            PushTask => "has to put the task into the queue",
            CallFinish => "has the task, and the poll was ready",
        }
    }
}

impl Model for Workers {
    const THREADS: &'static [&'static str] = &["worker 1", "worker 2"];

    fn step(&mut self, worker: usize) -> Result<(&'static str, &'static str), &'static str> {
        let (next, does, line) = match self.at[worker] {
            StoreData => (CallWake, "polls the sender, which stores the data", ""),
            CallWake => {
                let does = match ["FINISHED", "SCHEDULED", "RUNNING"].map(|bit| self.has(bit)) {
                    [true, ..] => {
                        "calls the task's `wake`, still in the sender's poll: the task is finished"
                    }
                    [_, true, _] => {
                        "calls the task's `wake`, still in the sender's poll: `SCHEDULED` is set already"
                    }
                    [_, _, true] => {
                        "calls the task's `wake`, still in the sender's poll: it sets `SCHEDULED`, and leaves the rest to worker 1"
                    }
                    _ => {
                        "calls the task's `wake`, still in the sender's poll: it sets `SCHEDULED`, and has to send the task"
                    }
                };
                let line = "let before = self.0.fetch_or(SCHEDULED, Ordering::AcqRel);";
                let sends = self.state.wake();
                (if sends { PushTask } else { PopTask }, does, line)
            }
            PopTask if !self.is_queued => return Err("sleeps, because the queue is empty"),
            PopTask => {
                self.is_queued = false;
                assert_eq!(self.state.start(), Start::Poll);
                let line = "free.then_some((state | RUNNING) & !SCHEDULED)";
                (
                    PollTask,
                    "pops the task and calls `start`: it sets `RUNNING` and clears `SCHEDULED`",
                    line,
                )
            }
            PollTask => match self.has_data {
                true => (
                    CallFinish,
                    "polls the task, which checks for the data: it's there",
                    "",
                ),
                false => (
                    CallIdle,
                    "polls the task, which checks for the data: it isn't there, so the poll is pending",
                    "",
                ),
            },
            CallIdle if self.in_two_steps => {
                let scheduled = self.has("SCHEDULED");
                let line = "let scheduled = word.load(Ordering::Acquire) & SCHEDULED != 0;";
                let does = match scheduled {
                    true => "reads whether the task was woken: it was",
                    false => "reads whether the task was woken: it was not",
                };
                (ClearRunning { scheduled }, does, line)
            }
            CallIdle => (
                if self.has("SCHEDULED") {
                    PushTask
                } else {
                    PopTask
                },
                match self.state.idle() {
                    Idle::Schedule => {
                        "calls `idle`: it clears `RUNNING`, and finds that the task was woken"
                    }
                    _ => "calls `idle`: it clears `RUNNING`, and finds that the task was not woken",
                },
                "let before = self.update(|state| (state & CANCELLED == 0).then_some(state & !RUNNING));",
            ),
            ClearRunning { scheduled } => {
                // The step of the real state, whose answer is not looked at.
                let _ = self.state.idle();
                let line = "word.fetch_and(!RUNNING, Ordering::AcqRel);";
                (
                    if scheduled { PushTask } else { PopTask },
                    "clears `RUNNING`",
                    line,
                )
            }
            PushTask => {
                assert!(!self.is_queued, "it is in the queue twice");
                self.is_queued = true;
                (PopTask, "puts the task into the queue", "")
            }
            CallFinish => {
                assert!(self.state.finish().handle);
                (PopTask, "calls `finish`: it sets `FINISHED`", "")
            }
        };
        self.has_data |= self.at[worker] == StoreData;
        self.at[worker] = next;
        Ok((does, line))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let bits = "SCHEDULED RUNNING CANCELLED FINISHED HANDLE WAITING".split(' ');
        let lamp = |bit| match self.has(bit) {
            true => format!("<b class=\"lamp\">{bit}</b>"),
            false => format!("<s class=\"lamp\">{bit}</s>"),
        };
        let queue = if self.is_queued { "the task" } else { "empty" };
        let data = if self.has_data {
            "there"
        } else {
            "not there yet"
        };
        let [one, two] = [0, 1].map(|worker| self.shown(worker));
        let rows = [
            ("queue", queue),
            ("data", data),
            ("worker 1", one),
            ("worker 2", two),
        ];
        let state = ("state word", bits.map(lamp).collect::<Vec<_>>().join(" "));
        let rows = rows.map(|(name, is)| (name, is.to_owned()));
        [vec![state], rows.to_vec()].concat()
    }

    fn is_done(&self) -> bool {
        self.state.is_finished()
    }
}

const TWO_STEPS: Figure = Figure {
    name: "scheduler-08-two-steps",
    caption: "With `idle` in two steps, make the workers sleep while the data is there and the task isn't finished.",
    listing: &[
        "step08-join-handle/src/v2_state_bits/state.rs:start",
        "step08-join-handle/src/v2_state_bits/state.rs:wake",
        "step08-join-handle/tests/scheduler.rs:two_steps",
    ],
    lost: "The wake is lost. The data is there, but the task is in no queue, and both workers sleep. `SCHEDULED` is set, \
           so every further wake will believe that the task is in the queue.",
    done: "The task has finished. Go back, and try another order.",
};

const ONE_STEP: Figure = Figure {
    name: "scheduler-08-one-step",
    caption: "The same workers, and `idle` as it is in stage 08: one step.",
    listing: &[
        "step08-join-handle/src/v2_state_bits/state.rs:start",
        "step08-join-handle/src/v2_state_bits/state.rs:idle",
        "step08-join-handle/src/v2_state_bits/state.rs:wake",
    ],
    done: "The task has finished, as in every order.",
    ..TWO_STEPS
};

#[cfg_attr(miri, ignore = "it compares files, and there is no unsafe code")]
#[test]
fn two_steps_lose_a_wake_in_two_orders_and_one_step_in_none() {
    let two = TWO_STEPS.check(|| Workers::new(true));
    assert_eq!(two, Orders { all: 18, fatal: 2 });
    let one = ONE_STEP.check(|| Workers::new(false));
    assert_eq!(one, Orders { all: 14, fatal: 0 });
}
