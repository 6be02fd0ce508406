//! Two workers and one task, whose state is the real one: every order of their steps. In the book, the reader decides.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    task::{Poll, Waker},
};

use At::*;
use kit::scheduler::{Figure, Model, Orders};
use probe::CountingWaker;
use step08_join_handle::v2_state_bits::state::{Idle, Start, State};

const SCHEDULED: usize = 1 << 0;
const RUNNING: usize = 1 << 1;

// ANCHOR: polls
/// What a poll of the sender does.
fn send(data: &AtomicBool, task: &Waker) {
    data.store(true, Ordering::Release);
    task.wake_by_ref();
}

/// What a poll of the task does.
fn receive(data: &AtomicBool) -> Poll<()> {
    match data.load(Ordering::Acquire) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    }
}
// ANCHOR_END: polls

#[test]
fn the_sender_stores_the_data_and_wakes_the_task_which_finds_it() {
    let (data, wakes) = (AtomicBool::new(false), CountingWaker::new());
    assert!(receive(&data).is_pending());
    send(&data, &wakes.waker());
    assert_eq!((receive(&data), wakes.wakes()), (Poll::Ready(()), 1));
}

/// What `idle` must not be: two steps. Returns whether the worker has to put the task into the queue.
// ANCHOR: two_steps
fn idle_in_two_steps(word: &AtomicUsize, other_threads: impl FnOnce()) -> bool {
    let scheduled = word.load(Ordering::Acquire) & SCHEDULED != 0;
    other_threads(); // Here you may let worker 2 run.
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

const LEAVES_IT_TO_WORKER_1: &str = "calls the task's `wake`, still in the sender's poll: it sets `SCHEDULED`, and leaves \
                                     the rest to worker 1, because `RUNNING` is set";

#[derive(Debug)]
struct Workers {
    in_two_steps: bool,
    state: State,
    is_queued: bool,
    data: AtomicBool,
    at: [At; 2],
}

impl Workers {
    fn new(in_two_steps: bool) -> Workers {
        Workers {
            in_two_steps,
            state: State::spawned(),
            is_queued: true,
            data: AtomicBool::new(false),
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
            StoreData => {
                self.data.store(true, Ordering::Release);
                (
                    CallWake,
                    "polls the sender, which stores the data",
                    "data.store(true, Ordering::Release);",
                )
            }
            CallWake => {
                let does = match ["FINISHED", "SCHEDULED", "RUNNING"].map(|bit| self.has(bit)) {
                    [true, ..] => {
                        "calls the task's `wake`, still in the sender's poll: the task is finished"
                    }
                    [_, true, _] => {
                        "calls the task's `wake`, still in the sender's poll: `SCHEDULED` is set already"
                    }
                    [_, _, true] => LEAVES_IT_TO_WORKER_1,
                    _ => {
                        "calls the task's `wake`, still in the sender's poll: it sets `SCHEDULED`, and has to put the task into the queue"
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
            PollTask => match receive(&self.data) {
                Poll::Ready(()) => (
                    CallFinish,
                    "polls the task, which checks for the data: it's there",
                    "match data.load(Ordering::Acquire) {\ntrue => Poll::Ready(()),",
                ),
                Poll::Pending => (
                    CallIdle,
                    "polls the task, which checks for the data: it isn't there, so the poll is pending",
                    "match data.load(Ordering::Acquire) {\nfalse => Poll::Pending,",
                ),
            },
            CallIdle if self.in_two_steps => {
                let scheduled = self.has("SCHEDULED");
                let line = "let scheduled = word.load(Ordering::Acquire) & SCHEDULED != 0;";
                let does = match scheduled {
                    true => "begins `idle`, and reads whether the task was woken: it was",
                    false => "begins `idle`, and reads whether the task was woken: it was not",
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
                    "ends `idle`, and clears `RUNNING`",
                    line,
                )
            }
            PushTask => {
                assert!(!self.is_queued, "it is in the queue twice");
                self.is_queued = true;
                let line = match worker {
                    _ if worker == 1 => "self.schedule();",
                    _ if self.in_two_steps => "scheduled",
                    _ => "Idle::Schedule => self.schedule(),",
                };
                (PopTask, "puts the task into the queue", line)
            }
            CallFinish => {
                assert!(self.state.finish().handle);
                let line = "let before = self.0.fetch_xor(RUNNING | FINISHED, Ordering::AcqRel);";
                (PopTask, "calls `finish`: it sets `FINISHED`", line)
            }
        };
        self.at[worker] = next;
        Ok((does, line))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let bits = ["SCHEDULED", "RUNNING", "FINISHED"];
        let lamp = |bit| match self.has(bit) {
            true => format!("<b class=\"on\">{bit}</b>"),
            false => format!("<s>{bit}</s>"),
        };
        let queue = if self.is_queued { "the task" } else { "empty" };
        let data = if self.data.load(Ordering::Acquire) {
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
        let state = ("the task's bits (filled: set)", bits.map(lamp).join(" "));
        let rows = rows.map(|(name, is)| (name, is.to_owned()));
        [vec![state], rows.to_vec()].concat()
    }

    fn is_done(&self) -> bool {
        self.state.is_finished()
    }
}

const TWO_STEPS: Figure = Figure {
    name: "scheduler-08-two-steps",
    caption: "With `idle` in two steps. Lose the wake: leave both workers asleep, the data there, and the task unfinished \
              and in no queue.",
    listing: &[
        "step08-join-handle/tests/scheduler.rs:two_steps",
        "step08-join-handle/tests/scheduler.rs:polls",
        "step08-join-handle/src/v2_state_bits/state.rs:start",
        "step08-join-handle/src/v2_state_bits/state.rs:wake",
        "step08-join-handle/src/v2_state_bits/state.rs:finish",
        "step08-join-handle/src/v2_state_bits/task.rs:wake",
    ],
    lost: "`wake` left the task to worker 1, which has read the bit before that and won't read it again. So no worker puts \
           the task into the queue. `SCHEDULED` stays set, and every further wake will believe that the task is there.",
    done: "The task has finished. Go back, and try another order.",
};

const ONE_STEP: Figure = Figure {
    name: "scheduler-08-one-step",
    caption: "The same workers, and `idle` as it is in stage 08: one step. Try to lose the wake.",
    listing: &[
        "step08-join-handle/tests/scheduler.rs:polls",
        "step08-join-handle/src/v2_state_bits/task.rs:poll",
        "step08-join-handle/src/v2_state_bits/task.rs:wake",
        "step08-join-handle/src/v2_state_bits/state.rs:start",
        "step08-join-handle/src/v2_state_bits/state.rs:idle",
        "step08-join-handle/src/v2_state_bits/state.rs:wake",
        "step08-join-handle/src/v2_state_bits/state.rs:finish",
    ],
    done: "The task has finished, as in every order.",
    ..TWO_STEPS
};

#[cfg_attr(miri, ignore = "it compares files, and there is no unsafe code")]
#[test]
fn two_steps_lose_a_wake_in_two_orders_and_one_step_in_none() {
    let two = TWO_STEPS.check(|| Workers::new(true));
    let lost_by = [LEAVES_IT_TO_WORKER_1].into();
    assert_eq!(
        two,
        Orders {
            all: 18,
            fatal: 2,
            lost_by
        }
    );
    let one = ONE_STEP.check(|| Workers::new(false));
    let lost_by = [].into();
    assert_eq!(
        one,
        Orders {
            all: 14,
            fatal: 0,
            lost_by
        }
    );
}
