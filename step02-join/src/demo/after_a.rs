//! The timer `b`, whose thread calls `wake` only once `b` has been polled after `a` was ready.
//!
//! On an idle machine the two wakes are 100 ms apart, which is enough. On a machine that stands still for a moment, `b`'s
//! thread waits here. So each wake leads to polls of its own, and the trace is the same in every run.

use std::sync::{Condvar, Mutex};

use step02_join::{Poll, SimpleFuture, Timer, Trace};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// A `wake` carries no data, so these are statics, and there is one `b` at a time.
static GATE: Mutex<Gate> = Mutex::new(Gate::NEW);
static OPENED: Condvar = Condvar::new();

struct Gate {
    /// `b` has been polled after `a` was ready.
    open: bool,
    /// `b`'s thread has passed the gate.
    passed: bool,
    /// What it calls then.
    wake: fn(),
}

impl Gate {
    const NEW: Gate = Gate {
        open: false,
        passed: false,
        wake: || (),
    };
}

pub struct AfterA<'a> {
    timer: Timer,
    started: bool,
    trace: &'a Trace,
}

impl<'a> AfterA<'a> {
    pub fn new(timer: Timer, trace: &'a Trace) -> Self {
        *GATE.lock().expect(UNPOISONED) = Gate::NEW;
        AfterA {
            timer,
            started: false,
            trace,
        }
    }
}

impl SimpleFuture for AfterA<'_> {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        let mut gate = GATE.lock().expect(UNPOISONED);
        let passed = gate.passed;
        gate.wake = wake;
        if self.trace.order().iter().any(|event| event == "a ready") {
            gate.open = true;
            OPENED.notify_all();
        }
        drop(gate);
        if self.started && !passed {
            return Poll::Pending;
        }
        self.started = true;
        self.timer.poll(wake_b)
    }
}

fn wake_b() {
    let locked = GATE.lock().expect(UNPOISONED);
    let opened = OPENED.wait_while(locked, |gate| !gate.open);
    let mut gate = opened.expect(UNPOISONED);
    gate.passed = true;
    let wake = gate.wake;
    drop(gate);
    wake();
}
