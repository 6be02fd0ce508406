//! What one measurement needs, and what it finds out.

use std::{panic, process, time::Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How much is measured: for the table of the book, for a look while one changes a runtime, or to test whether it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// For a table that is kept.
    Full,
    /// A tenth of the work.
    Quick,
    /// The least.
    Tiny,
}

impl Size {
    /// One of three numbers.
    pub fn of(self, full: usize, quick: usize, tiny: usize) -> usize {
        [full, quick, tiny][self as usize]
    }
}

/// A workload on one runtime.
pub type Measure = fn(Size) -> Figures;

/// What a workload found out about a runtime.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Figures {
    /// Nanoseconds for an operation, by the clock on the wall.
    pub wall: f64,
    /// The same of all threads of the process together, in the kernel too.
    pub cpu: f64,
    /// What else the workload is about: microseconds late, or bytes for a task. Otherwise 0.
    pub other: f64,
}

/// Two clocks that run.
#[derive(Debug)]
pub struct Clock(ProcessTime, Instant);

impl Clock {
    /// Starts both.
    pub fn start() -> Clock {
        Clock(ProcessTime::now(), Instant::now())
    }

    /// The time since then for each of this many operations, and what else there is to say.
    pub fn stop(&self, operations: usize, other: f64) -> Figures {
        let times = [self.1.elapsed(), self.0.elapsed()];
        let [wall, cpu] = times.map(|time| time.as_nanos() as f64 / operations as f64);
        Figures { wall, cpu, other }
    }
}

/// Does it twice, and times the second time, when memory, caches and threads are warm. `once` returns what it has got from
/// its tasks, which must be `wanted`: a runtime that loses a task may well be fast.
pub fn second_time(ops: usize, wanted: usize, mut once: impl FnMut() -> usize) -> Figures {
    assert_eq!(once(), wanted, "the outputs of the tasks");
    let clock = Clock::start();
    let got = once();
    let figures = clock.stop(ops, 0.0);
    assert_eq!(got, wanted, "the outputs of the tasks");
    figures
}

/// Waits for all of these tasks, and adds up what they return.
pub async fn sum(tasks: impl Iterator<Item = impl Future<Output = usize>>) -> usize {
    let mut sum = 0;
    for task in tasks.collect::<Vec<_>>() {
        sum += task.await;
    }
    sum
}

/// Makes one measurement, and prints its figures for [`rounds`](crate::rounds). The process ends with status 1 and one line on standard
/// error if something is wrong.
pub fn measure_here(measure: Measure, size: Size) {
    // A runtime may catch the panic of a task, and go on without the task.
    panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic.to_string().replace('\n', " "));
        process::exit(1);
    }));
    println!("{}", json!(measure(size)));
}
