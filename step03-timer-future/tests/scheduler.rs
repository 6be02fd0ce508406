//! A task that checks a flag and registers its waker, and a thread that raises the flag: every order of their steps. In the
//! book, the reader decides.

use std::mem;

use At::*;
use kit::scheduler::{Figure, Model, Orders};

/// The next step of a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    Poll,
    StoreWaker,
    Sleep,
    RaiseFlag,
    TakeWaker,
    CallWaker,
    End,
}

const FINDS_NO_WAKER: &str = "looks for a waker: none is stored, so it has no more to do";

#[derive(Debug)]
struct Threads {
    has_one_lock: bool,
    flag: bool,
    is_stored: bool,
    is_woken: bool,
    at: [At; 2],
}

impl Threads {
    fn new(has_one_lock: bool) -> Threads {
        Threads {
            has_one_lock,
            flag: false,
            is_stored: false,
            is_woken: false,
            at: [Poll, RaiseFlag],
        }
    }

    /// What comes after the poll has found the flag up or down.
    fn after_check(&mut self) -> At {
        match (self.flag, self.has_one_lock) {
            (true, _) => End,
            (false, false) => StoreWaker,
            (false, true) => {
                self.is_stored = true;
                Sleep
            }
        }
    }

    fn after_take(&mut self) -> At {
        match mem::take(&mut self.is_stored) {
            true => CallWaker,
            false => End,
        }
    }
}

impl Model for Threads {
    const THREADS: &'static [&'static str] = &["the executor", "the timer thread"];

    fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str> {
        let (flag, is_stored) = (self.flag, self.is_stored);
        let (next, does, line) = match self.at[thread] {
            End => return Err("has nothing more to do"),
            Sleep if !self.is_woken => return Err("sleeps, because the task waits for a wake"),
            Poll | Sleep if self.has_one_lock => (
                self.after_check(),
                match flag {
                    true => "polls the task, which checks the flag: it's up, so the task is ready",
                    false => {
                        "polls the task, which checks the flag: it's down, so the same step stores the waker"
                    }
                },
                match flag {
                    true => {
                        "let mut state = self.state.lock().expect(UNPOISONED);\n\
                         State::Fired => return Poll::Ready(()),"
                    }
                    false => {
                        "let mut state = self.state.lock().expect(UNPOISONED);\n\
                         State::Idle => *state = State::Waiting(cx.waker().clone()),"
                    }
                },
            ),
            Poll | Sleep => (
                self.after_check(),
                match flag {
                    true => "polls the task, which checks the flag: it's up, so the task is ready",
                    false => "polls the task, which checks the flag: it's down",
                },
                "if *self.fired.lock().unwrap() {",
            ),
            StoreWaker => {
                self.is_stored = true;
                let does = "stores the waker and returns `Pending`, still in the same poll";
                let line = "*self.waker.lock().unwrap() = Some(waker.clone());";
                (Sleep, does, line)
            }
            RaiseFlag => {
                self.flag = true;
                match self.has_one_lock {
                    true => (
                        self.after_take(),
                        match is_stored {
                            true => "raises the flag and looks for a waker: it takes it out",
                            false => "raises the flag and looks for a waker: none is stored",
                        },
                        "let before = mem::replace(&mut *self.state.lock().expect(UNPOISONED), State::Fired);\n\
                         if let State::Waiting(waker) = before {",
                    ),
                    false => (
                        TakeWaker,
                        "raises the flag",
                        "*self.fired.lock().unwrap() = true;",
                    ),
                }
            }
            TakeWaker => (
                self.after_take(),
                match is_stored {
                    true => "looks for a waker: it takes it out",
                    false => FINDS_NO_WAKER,
                },
                "let waker = self.waker.lock().unwrap().take();",
            ),
            CallWaker => {
                self.is_woken = true;
                (End, "calls the waker", "waker.wake();")
            }
        };
        self.at[thread] = next;
        Ok((does, line))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let executor = match self.at[0] {
            StoreWaker => "in a poll that has found the flag down",
            Sleep if !self.is_woken => "<i>asleep</i>",
            End => "has finished the task",
            _ => "is about to poll the task",
        };
        let timer = match self.at[1] {
            End => "<i>has ended</i>",
            CallWaker => "has the waker",
            TakeWaker => "has raised the flag",
            _ => "has not fired",
        };
        let flag = if self.flag { "up" } else { "down" };
        let waker = if self.is_stored { "stored" } else { "none" };
        let rows = [
            ("flag", flag),
            ("waker", waker),
            ("executor", executor),
            ("timer thread", timer),
        ];
        rows.map(|(name, is)| (name, is.to_owned())).to_vec()
    }

    fn is_done(&self) -> bool {
        self.at[0] == End
    }
}

const TWO_LOCKS: Figure = Figure {
    name: "scheduler-03-two-locks",
    caption: "The flag and the waker have a lock each. Lose the wake: leave the executor asleep, the flag up, and no \
              thread that will call the waker.",
    listing: &["lab/museum/src/exhibits/two_locks.rs:broken"],
    lost: "the timer thread found no waker, and has ended. The poll has found the flag down, so it stores the waker \
           next, and no thread will call it.",
    done: "The task has finished. Go back, and try another order.",
};

const ONE_LOCK: Figure = Figure {
    name: "scheduler-03-one-lock",
    caption: "`Signal` of stage 03: one lock covers the check and the registration. Try to lose the wake.",
    listing: &[
        "step03-timer-future/src/signal.rs:poll",
        "step03-timer-future/src/signal.rs:fire",
    ],
    lost: TWO_LOCKS.lost,
    done: "The task has finished, as in every order.",
};

#[cfg_attr(miri, ignore = "it compares files, and there is no unsafe code")]
#[test]
fn two_locks_lose_the_wake_in_one_order_and_one_lock_in_none() {
    let two = TWO_LOCKS.check(|| Threads::new(false));
    let lost_by = [FINDS_NO_WAKER].into();
    assert_eq!(
        two,
        Orders {
            all: 5,
            fatal: 1,
            lost_by
        }
    );
    let one = ONE_LOCK.check(|| Threads::new(true));
    let lost_by = [].into();
    assert_eq!(
        one,
        Orders {
            all: 2,
            fatal: 0,
            lost_by
        }
    );
}
