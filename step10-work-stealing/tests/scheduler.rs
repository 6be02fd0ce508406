//! A worker that finds nothing and goes to sleep, and a thread that pushes a task: every order of their steps. In the book,
//! the reader decides.

use std::mem;

use At::*;
use kit::scheduler::{Figure, Model, Orders};

/// The next step of a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    Look,
    Announce,
    LookAgain,
    Sleep,
    PollTask,
    PushTask,
    TakeSleeper,
    WakeSleeper,
    End,
}

const FINDS_NO_SLEEPER: &str =
    "looks for a sleeper on the list: there is none, so it has no more to do";

#[derive(Debug)]
struct Pool {
    looks_again: bool,
    has_task: bool,
    is_announced: bool,
    is_woken: bool,
    at: [At; 2],
}

impl Pool {
    fn new(looks_again: bool) -> Pool {
        Pool {
            looks_again,
            has_task: false,
            is_announced: false,
            is_woken: false,
            at: [Look, PushTask],
        }
    }

    fn pop_or(&mut self, otherwise: At) -> At {
        match mem::take(&mut self.has_task) {
            true => PollTask,
            false => otherwise,
        }
    }
}

impl Model for Pool {
    const THREADS: &'static [&'static str] = &["the worker", "the other thread"];

    fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str> {
        let (has_task, is_announced) = (self.has_task, self.is_announced);
        let (next, does, line) = match self.at[thread] {
            End => return Err("has nothing more to do"),
            Sleep if !self.is_woken => return Err("sleeps until a thread wakes it"),
            Look | Sleep => (
                self.pop_or(Announce),
                match has_task {
                    true => "looks into the queue: it takes the task out",
                    false => "looks into the queue: it's empty",
                },
                "if pool.pop() {",
            ),
            Announce => {
                self.is_announced = true;
                let (next, does) = match self.looks_again {
                    true => (LookAgain, "announces its sleep on the list of sleepers"),
                    false => (
                        Sleep,
                        "announces its sleep on the list of sleepers, and sleeps",
                    ),
                };
                let line = "pool.sleepers.lock().unwrap().push(worker);";
                (next, does, line)
            }
            LookAgain => (
                self.pop_or(Sleep),
                match has_task {
                    true => "looks into the queue once more: it takes the task out",
                    false => "looks into the queue once more: it's still empty, so it sleeps",
                },
                "pool.pop()",
            ),
            PollTask => (End, "polls the task", ""),
            PushTask => {
                self.has_task = true;
                let line = "*self.queue.lock().unwrap() += 1;";
                (TakeSleeper, "pushes a task", line)
            }
            TakeSleeper => (
                match mem::take(&mut self.is_announced) {
                    true => WakeSleeper,
                    false => End,
                },
                match is_announced {
                    true => "looks for a sleeper on the list: it takes the worker off",
                    false => FINDS_NO_SLEEPER,
                },
                "let sleeper = self.sleepers.lock().unwrap().pop();",
            ),
            WakeSleeper => {
                self.is_woken = true;
                (End, "wakes that sleeper", "sleeper.wake();")
            }
        };
        self.at[thread] = next;
        Ok((does, line))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let worker = match self.at[0] {
            Announce | LookAgain => "has found nothing",
            Sleep if !self.is_woken => "<i>asleep</i>",
            PollTask => "has the task",
            End => "has polled the task",
            _ => "awake",
        };
        let other = match self.at[1] {
            End => "<i>is done</i>",
            WakeSleeper => "has found a sleeper",
            TakeSleeper => "has pushed the task",
            _ => "is about to push a task",
        };
        let queue = if self.has_task { "a task" } else { "empty" };
        let sleepers = match (self.is_announced, self.at[0]) {
            (false, _) => "none",
            (true, PollTask | End) => "worker, although it is awake",
            (true, _) => "worker",
        };
        let rows = [
            ("queue", queue),
            ("list of sleepers", sleepers),
            ("worker", worker),
            ("other thread", other),
        ];
        rows.map(|(name, is)| (name, is.to_owned())).to_vec()
    }

    fn is_done(&self) -> bool {
        self.at[0] == End
    }
}

const LOOKS_ONCE: Figure = Figure {
    name: "scheduler-10-looks-once",
    caption: "The worker looks, announces its sleep, and sleeps. Lose the wake: leave the worker asleep with a task in \
              the queue, and no thread that will wake it.",
    listing: &[
        "lab/museum/src/exhibits/sleeps_without_a_last_look.rs:push",
        "lab/museum/src/exhibits/sleeps_without_a_last_look.rs:broken",
    ],
    lost: "the other thread found no sleeper, and is done. The worker has found the queue empty, so it announces its \
           sleep next, and no thread will wake it. The task stays in the queue.",
    done: "The worker has polled the task. Go back, and try another order.",
};

const LOOKS_AGAIN: Figure = Figure {
    name: "scheduler-10-looks-again",
    caption: "The worker looks, announces its sleep, looks again, and sleeps. Try to lose the wake.",
    listing: &[
        "lab/museum/src/exhibits/sleeps_without_a_last_look.rs:push",
        "lab/museum/src/exhibits/sleeps_without_a_last_look.rs:repaired",
    ],
    lost: LOOKS_ONCE.lost,
    done: "The worker has polled the task, as in every order.",
};

#[cfg_attr(miri, ignore = "it compares files, and there is no unsafe code")]
#[test]
fn one_look_loses_the_wake_in_one_order_and_a_second_look_in_none() {
    let once = LOOKS_ONCE.check(|| Pool::new(false));
    let lost_by = [FINDS_NO_SLEEPER].into();
    assert_eq!(
        once,
        Orders {
            all: 6,
            fatal: 1,
            lost_by
        }
    );
    let again = LOOKS_AGAIN.check(|| Pool::new(true));
    let lost_by = [].into();
    assert_eq!(
        again,
        Orders {
            all: 17,
            fatal: 0,
            lost_by
        }
    );
}
