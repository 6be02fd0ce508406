//! One measurement, in a process of its own: the clock, and what a workload finds out.

use std::{fmt::Display, time::Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Size {
    /// For the table of the book.
    Full,
    /// For a look while one changes a runtime.
    Quick,
    /// For the tests: whether it works at all.
    Tiny,
}

impl Size {
    /// One of three numbers.
    pub(crate) fn of(self, full: usize, quick: usize, tiny: usize) -> usize {
        match self {
            Size::Full => full,
            Size::Quick => quick,
            Size::Tiny => tiny,
        }
    }
}

/// What a workload found out about a runtime.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// By the clock on the wall.
    pub(crate) ns_per_op: f64,
    /// Of all threads of the process, in the kernel too.
    pub(crate) cpu_ns_per_op: f64,
    /// How late a sleep ended, at the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lateness_us: Option<f64>,
    /// How many threads the process had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<f64>,
    /// How much memory a task takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<f64>,
    /// How much the process grows by for it, with the places of its handle and its waker, and what the allocator wastes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resident_bytes: Option<f64>,
}

/// The figures, or one line that says what is wrong.
pub(crate) type Answer = Result<Figures, String>;

/// Two clocks that run.
pub(crate) struct Clock {
    wall: Instant,
    cpu: ProcessTime,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        let cpu = ProcessTime::now();
        let wall = Instant::now();
        Clock { wall, cpu }
    }

    /// The time since then for each of this many operations.
    pub(crate) fn stop(&self, operations: usize) -> Figures {
        let (wall, cpu) = (self.wall.elapsed(), self.cpu.elapsed());
        let each = |nanoseconds: u128| nanoseconds as f64 / operations as f64;
        Figures {
            ns_per_op: each(wall.as_nanos()),
            cpu_ns_per_op: each(cpu.as_nanos()),
            ..Figures::default()
        }
    }
}

/// Does it twice, and times the second time, when memory, caches and threads are warm.
pub(crate) fn second_time(
    operations: usize,
    mut once: impl FnMut() -> Result<(), String>,
) -> Answer {
    once()?;
    let clock = Clock::start();
    once()?;
    Ok(clock.stop(operations))
}

/// What every workload asks at its end, because a runtime that loses a task may well be fast.
pub(crate) fn check<T: PartialEq + Display>(what: &str, got: T, wanted: T) -> Result<(), String> {
    match got == wanted {
        true => Ok(()),
        false => Err(format!("{what}: {got} instead of {wanted}")),
    }
}
