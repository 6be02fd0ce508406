//! One measurement, in a process of its own: the clock, and what a workload finds out.

use std::time::Instant;

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

/// What a workload found out about a runtime. What it is not about is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// By the clock on the wall.
    pub(crate) ns_per_op: f64,
    /// Of all threads of the process, in the kernel too.
    pub(crate) cpu_ns_per_op: f64,
    /// How late a sleep ended, at the median, in microseconds.
    pub(crate) late: f64,
    /// By how many bytes the process grows for a task that waits.
    pub(crate) bytes: f64,
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

/// Does it twice, and times the second time, when memory, caches and threads are warm. `once` returns what it has got from
/// its tasks, which must be `wanted`: a runtime that loses a task may well be fast.
pub(crate) fn second_time(
    operations: usize,
    wanted: usize,
    mut once: impl FnMut() -> usize,
) -> Answer {
    check(once(), wanted)?;
    let clock = Clock::start();
    let got = once();
    let figures = clock.stop(operations);
    check(got, wanted)?;
    Ok(figures)
}

/// What every workload asks at its end.
pub(crate) fn check(got: usize, wanted: usize) -> Result<(), String> {
    match got == wanted {
        true => Ok(()),
        false => Err(format!(
            "the outputs of the tasks add up to {got} instead of {wanted}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_output_is_said() {
        assert_eq!(second_time(1, 7, || 7).map(drop), Ok(()));
        let mut left = [7, 6].into_iter();
        let lost = second_time(1, 7, || left.next().unwrap()).unwrap_err();
        assert_eq!(lost, "the outputs of the tasks add up to 6 instead of 7");
    }
}
