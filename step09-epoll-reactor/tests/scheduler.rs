//! A task that reads a socket, the kernel, and the reactor: every order of their steps. In the book, the reader decides.

use std::mem;

use At::*;
use kit::scheduler::{Figure, Model, Orders};

/// The next step of a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    CheckReady,
    Read { tick: u32 },
    ClearReady { tick: u32 },
    Sleep,
    SendByte,
    WaitForReport,
    CallWaker,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Edge,
    Level,
    EdgeWithTick,
}

const FINDS_NO_WAKER: &str = "gets a report and sets `ready`: it was true, and no waker is stored";

#[derive(Debug)]
struct Threads {
    way: Way,
    has_byte: bool,
    /// The kernel has a change to report.
    has_change: bool,
    /// An earlier event is the first. Its bytes have been read.
    ready: bool,
    tick: u32,
    is_stored: bool,
    is_woken: bool,
    at: [At; 3],
}

impl Threads {
    fn new(way: Way) -> Threads {
        Threads {
            way,
            has_byte: false,
            has_change: false,
            ready: true,
            tick: 1,
            is_stored: false,
            is_woken: false,
            at: [CheckReady, SendByte, WaitForReport],
        }
    }
}

impl Model for Threads {
    const THREADS: &'static [&'static str] = &["the task", "the peer", "the reactor"];

    fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str> {
        let (next, does, line) = match self.at[thread] {
            End => return Err("has nothing more to do"),
            Sleep if !self.is_woken => return Err("waits for a wake"),
            CheckReady | Sleep => {
                self.is_stored |= !self.ready;
                self.is_woken = false;
                match self.ready {
                    true => (
                        Read { tick: self.tick },
                        "checks `ready`: it's true",
                        "if !readiness.ready {",
                    ),
                    false => (
                        Sleep,
                        "checks `ready`: it's false, so the task stores its waker",
                        "if !readiness.ready {\nreadiness.waker = Some(waker.clone());",
                    ),
                }
            }
            Read { tick } => {
                let (next, does) = match mem::take(&mut self.has_byte) {
                    true => (End, "tries to read: it gets the byte"),
                    false => (ClearReady { tick }, "tries to read: it would block"),
                };
                (next, does, "if self.read() {")
            }
            ClearReady { tick } => {
                let clears = self.way != Way::EdgeWithTick || self.tick == tick;
                self.ready &= !clears;
                match clears {
                    true => (
                        CheckReady,
                        "calls `clear`: `ready` is false now",
                        "readiness.ready = false;",
                    ),
                    false => (
                        CheckReady,
                        "calls `clear`: there has been a report since the check, so nothing changes",
                        "if readiness.tick == before_the_read {",
                    ),
                }
            }
            SendByte => {
                (self.has_byte, self.has_change) = (true, true);
                (
                    End,
                    "sends a byte, which the kernel puts into the socket's buffer",
                    "",
                )
            }
            WaitForReport => {
                let is_reported = match self.way {
                    Way::Level => self.has_byte,
                    _ => mem::take(&mut self.has_change),
                };
                if !is_reported {
                    return Err("sleeps, because the kernel has nothing to report");
                }
                // What only counts the reports would make a new situation of each.
                self.tick += u32::from(self.way != Way::Level);
                let was_ready = mem::replace(&mut self.ready, true);
                let (next, does) = match mem::take(&mut self.is_stored) {
                    true => (
                        CallWaker,
                        "gets a report and sets `ready`: it takes the waker out",
                    ),
                    false if self.way == Way::Level && was_ready => (
                        WaitForReport,
                        "gets a report and sets `ready`: it was true, so the report changes nothing",
                    ),
                    false if was_ready => (WaitForReport, FINDS_NO_WAKER),
                    false => (
                        WaitForReport,
                        "gets a report and sets `ready`: it was false, and no waker is stored",
                    ),
                };
                (
                    next,
                    does,
                    "readiness.ready = true;\nlet waker = readiness.waker.take();",
                )
            }
            CallWaker => {
                self.is_woken = true;
                (WaitForReport, "calls the waker", "waker.wake();")
            }
        };
        self.at[thread] = next;
        Ok((does, line))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let task = match self.at[0] {
            Read { tick: _ } if self.way != Way::EdgeWithTick => "is about to try".to_owned(),
            ClearReady { tick: _ } if self.way != Way::EdgeWithTick => {
                "has read nothing".to_owned()
            }
            Read { tick } => format!("is about to try, at tick {tick}"),
            ClearReady { tick } => format!("has read nothing, at tick {tick}"),
            Sleep if !self.is_woken => "<i>waits for a wake</i>".to_owned(),
            End => "has the byte".to_owned(),
            _ => "is about to check".to_owned(),
        };
        let reports = match self.way {
            Way::Level if self.has_byte => "this byte, again and again",
            Way::Level => "nothing",
            _ if self.has_change => "this byte, once",
            _ => "nothing",
        };
        let ready = match self.way {
            Way::EdgeWithTick => format!("{}, tick {}", self.ready, self.tick),
            Way::Edge if self.ready => format!("true, by report {}", self.tick),
            _ => self.ready.to_string(),
        };
        let buffer = if self.has_byte { "one byte" } else { "empty" };
        let waker = if self.is_stored { "stored" } else { "none" };
        vec![
            ("the socket's buffer", buffer.to_owned()),
            ("the kernel will report", reports.to_owned()),
            ("<code>ready</code>", ready),
            ("waker", waker.to_owned()),
            ("task", task),
        ]
    }

    fn is_done(&self) -> bool {
        self.at[0] == End
    }
}

const EDGE: Figure = Figure {
    name: "scheduler-09-edge",
    caption: "Edge-triggered, with only a flag. Lose the wake: leave the task waiting, with a byte in the buffer and no \
              report to come.",
    listing: &[
        "lab/museum/src/exhibits/newer_event_cleared.rs:broken",
        "lab/museum/src/exhibits/newer_event_cleared.rs:source",
    ],
    lost: "the report left `ready` true, as it was. The task tried to read before that, so its `clear` erases this newer \
           report, and the kernel will not report the byte again.",
    done: "The task has the byte. Go back, and try another order.",
};

const LEVEL: Figure = Figure {
    name: "scheduler-09-level",
    caption: "The same code, level-triggered: the kernel reports the byte for as long as it is in the buffer. Try to lose \
              the wake.",
    listing: EDGE.listing,
    lost: EDGE.lost,
    done: "The task has the byte, as in every order.",
};

const TICK: Figure = Figure {
    name: "scheduler-09-tick",
    caption: "Edge-triggered, with a tick: `clear` clears only the readiness that was tried. Try to lose the wake.",
    listing: &[
        "lab/museum/src/exhibits/newer_event_cleared.rs:repaired",
        "lab/museum/src/exhibits/newer_event_cleared.rs:source",
    ],
    lost: EDGE.lost,
    done: LEVEL.done,
};

#[cfg_attr(miri, ignore = "it compares files, and there is no unsafe code")]
#[test]
fn an_edge_can_be_lost_and_neither_a_level_nor_an_edge_with_a_tick() {
    let orders = |figure: Figure, way| figure.check(|| Threads::new(way));
    let lost_by = [FINDS_NO_WAKER].into();
    let edge = orders(EDGE, Way::Edge);
    assert_eq!(
        edge,
        Orders {
            all: 11,
            fatal: 1,
            lost_by
        }
    );
    let none = |all| Orders {
        all,
        fatal: 0,
        lost_by: [].into(),
    };
    assert_eq!(orders(LEVEL, Way::Level), none(7));
    assert_eq!(orders(TICK, Way::EdgeWithTick), none(11));
}
