//! All measurements: each in a process of its own, the runtimes in turns, so that what else the machine does at the time
//! meets all of them alike.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{IsTerminal, stderr},
    process::Command,
    time::Duration,
};

use clap::ValueEnum;
use kit::process::{Limits, run};

use crate::{
    measure::{Figures, Size},
    runtimes::{self, TOKIO},
    workloads::{About, Workload},
};

/// What is to be measured.
pub(crate) struct Plan {
    pub(crate) workloads: Vec<&'static Workload>,
    pub(crate) runtimes: Vec<&'static str>,
    pub(crate) size: Size,
    pub(crate) rounds: u32,
}

/// The medians of one workload on one runtime.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) workload: &'static Workload,
    pub(crate) runtime: &'static str,
    pub(crate) figures: Figures,
    /// Half the distance between the quartiles, as a share of the median.
    pub(crate) spread: f64,
    pub(crate) cpu_spread: f64,
}

/// What was measured.
pub(crate) struct Results {
    pub(crate) plan: Plan,
    pub(crate) rows: Vec<Row>,
    /// A line for each measurement that failed.
    pub(crate) failures: Vec<String>,
    /// How many threads wanted a core in the minute before, where the system says so.
    pub(crate) load: Option<String>,
}

impl Results {
    pub(crate) fn row(&self, workload: &str, runtime: &str) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|it| it.workload.name == workload && it.runtime == runtime)
    }

    /// The ratios to tokio's multi-threaded scheduler with two workers: of the time or, in `memory`, of the bytes; and of the
    /// CPU time. `None` if that was not measured.
    pub(crate) fn ratios(&self, row: &Row) -> Option<(f64, f64)> {
        let tokio = self.row(row.workload.name, TOKIO)?.figures;
        let ratio = match row.workload.about {
            About::Time => row.figures.ns_per_op / tokio.ns_per_op,
            About::Lateness => row.figures.late / tokio.late,
            About::Memory => row.figures.bytes / tokio.bytes,
        };
        Some((ratio, row.figures.cpu_ns_per_op / tokio.cpu_ns_per_op))
    }
}

/// Nothing that works takes so long.
const LIMIT: Duration = Duration::from_secs(60);

impl Plan {
    /// Measures everything. What fails once is not tried again.
    pub(crate) fn run(self) -> Results {
        let load = fs::read_to_string("/proc/loadavg").ok();
        let load = load.and_then(|it| Some(it.split_whitespace().next()?.to_owned()));
        let mut seen: BTreeMap<(usize, usize), Vec<Figures>> = BTreeMap::new();
        let mut failures: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for round in 0..self.rounds as usize {
            for (row, workload) in self.workloads.iter().enumerate() {
                let count = self.runtimes.len();
                // Each round begins with another one.
                for column in (0..count).map(|it| (it + round) % count) {
                    let (runtime, cell) = (self.runtimes[column], (row, column));
                    let can = runtimes::measure(workload, runtime).is_some();
                    if !can || failures.contains_key(&cell) {
                        continue;
                    }
                    if stderr().is_terminal() {
                        eprint!(
                            "\r\x1b[Kround {}: {} on {runtime}",
                            round + 1,
                            workload.name
                        );
                    }
                    match self.one(workload, runtime) {
                        Ok(figures) => seen.entry(cell).or_default().push(figures),
                        Err(what) => {
                            let line = format!("{} on {runtime}: {what}", workload.name);
                            failures.insert(cell, line);
                        }
                    }
                }
            }
        }
        if stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
        seen.retain(|cell, _| !failures.contains_key(cell));
        let rows = seen.iter();
        let rows = rows.map(|((row, column), all)| {
            let all: Vec<_> = all.iter().collect();
            medians(self.workloads[*row], self.runtimes[*column], &all)
        });
        Results {
            rows: rows.collect(),
            plan: self,
            failures: failures.into_values().collect(),
            load,
        }
    }

    /// One measurement, or a line that says what is wrong.
    fn one(&self, workload: &Workload, runtime: &str) -> Result<Figures, String> {
        let this = env::current_exe().map_err(|error| error.to_string())?;
        let size = self.size.to_possible_value();
        let size = size.expect("no size is left out");
        let workers = if workload.name.ends_with("-one-worker") {
            "1"
        } else {
            "2"
        };
        let mut command = Command::new(this);
        command
            .args(["--measure", workload.name, runtime, size.get_name()])
            .env("SMOL_THREADS", workers);
        let outcome = run(&mut command, Limits::time(LIMIT)).map_err(|it| it.to_string())?;
        if !outcome.end.is_success() {
            let line = outcome.stderr.lines().next();
            return Err(line.map_or_else(|| outcome.end.to_string(), str::to_owned));
        }
        serde_json::from_str(&outcome.stdout).map_err(|error| error.to_string())
    }
}

fn medians(workload: &'static Workload, runtime: &'static str, all: &[&Figures]) -> Row {
    let sorted = |figure: fn(&Figures) -> f64| {
        let mut figures: Vec<_> = all.iter().map(|it| figure(it)).collect();
        figures.sort_by(f64::total_cmp);
        figures
    };
    let median = |figure| quantile(&sorted(figure), 0.5);
    Row {
        workload,
        runtime,
        figures: Figures {
            ns_per_op: median(|it| it.ns_per_op),
            cpu_ns_per_op: median(|it| it.cpu_ns_per_op),
            late: median(|it| it.late),
            bytes: median(|it| it.bytes),
        },
        spread: spread(&sorted(|it| it.ns_per_op)),
        cpu_spread: spread(&sorted(|it| it.cpu_ns_per_op)),
    }
}

/// Of sorted figures. Between two of them it goes straight.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + (above - below) * place.fract()
}

fn spread(sorted: &[f64]) -> f64 {
    let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(sorted, share));
    (high - low) / 2.0 / middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quartiles_of_five_figures_are_the_second_and_the_fourth() {
        let figures = [1.0, 8.0, 10.0, 14.0, 1000.0];
        assert_eq!(quantile(&figures, 0.5), 10.0);
        assert_eq!(spread(&figures), 0.3);
        assert_eq!(spread(&[7.0]), 0.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
    }
}
