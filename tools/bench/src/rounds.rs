//! All measurements: each in a process of its own, the runtimes in turns, so that what else the machine does at the time
//! meets all of them alike.

use std::{
    collections::BTreeMap,
    env,
    io::{IsTerminal, stderr},
    process::Command,
    time::Duration,
};

use clap::ValueEnum;
use kit::process::{Limits, run};
use serde::Serialize;

use crate::{
    machine,
    measure::{Figures, Size},
    runtimes::{Subject, TOKIO},
    workloads::{About, Workload},
};

/// What is to be measured.
pub(crate) struct Plan {
    pub(crate) workloads: Vec<Workload>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) size: Size,
    pub(crate) rounds: u32,
    /// How long one measurement may take.
    pub(crate) limit: Duration,
}

/// The medians of one workload on one runtime.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) workload: &'static str,
    pub(crate) runtime: &'static str,
    #[serde(flatten)]
    pub(crate) figures: Figures,
    /// Half the distance between the quartiles, as a share of the median.
    pub(crate) spread: f64,
    /// The same of the time of the processors.
    pub(crate) cpu_spread: f64,
    /// How many measurements these are the medians of.
    pub(crate) rounds: usize,
    /// To tokio's multi-threaded scheduler with two workers.
    pub(crate) ratio_to_multi: Option<f64>,
    /// The same of the time of the processors.
    pub(crate) cpu_ratio_to_multi: Option<f64>,
    /// To the better of tokio's two schedulers.
    pub(crate) ratio_to_best: Option<f64>,
}

impl Row {
    /// What the workload is about: nanoseconds or bytes.
    pub(crate) fn figure(&self) -> f64 {
        self.figures.bytes.unwrap_or(self.figures.ns_per_op)
    }
}

/// What was measured.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) rows: Vec<Row>,
    /// A line for each measurement that failed.
    pub(crate) failures: Vec<String>,
    /// How much else the machine had to do before.
    pub(crate) load: Option<f64>,
}

impl Results {
    pub(crate) fn row(&self, workload: &str, runtime: &str) -> Option<&Row> {
        let mut rows = self.rows.iter();
        rows.find(|it| it.workload == workload && it.runtime == runtime)
    }
}

impl Plan {
    /// Measures everything. What fails once is not tried again.
    pub(crate) fn run(&self) -> Results {
        let load = machine::load();
        let mut seen: BTreeMap<(usize, usize), Vec<Figures>> = BTreeMap::new();
        let mut failures: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for round in 0..self.rounds as usize {
            for (row, workload) in self.workloads.iter().enumerate() {
                let count = self.subjects.len();
                // Each round begins with another one.
                for column in (0..count).map(|it| (it + round) % count) {
                    let (subject, cell) = (&self.subjects[column], (row, column));
                    if subject.measure(workload.name).is_none() || failures.contains_key(&cell) {
                        continue;
                    }
                    self.say(round, workload, subject);
                    match self.one(workload, subject) {
                        Ok(figures) => seen.entry(cell).or_default().push(figures),
                        Err(what) => {
                            let line = format!("{} on {}: {what}", workload.name, subject.name);
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
        let mut results = Results {
            rows: seen
                .iter()
                .map(|(cell, all)| self.median(*cell, all))
                .collect(),
            failures: failures.into_values().collect(),
            load,
        };
        compare(&mut results);
        results
    }

    /// Where it is, for those who wait.
    fn say(&self, round: usize, workload: &Workload, subject: &Subject) {
        if stderr().is_terminal() {
            let (round, rounds) = (round + 1, self.rounds);
            let (workload, subject) = (workload.name, subject.name);
            eprint!("\r\x1b[Kround {round} of {rounds}: {workload} on {subject}");
        }
    }

    /// One measurement, or a line that says what is wrong.
    fn one(&self, workload: &Workload, subject: &Subject) -> Result<Figures, String> {
        let this = env::current_exe().map_err(|error| error.to_string())?;
        let size = self.size.to_possible_value();
        let size = size.expect("no size is left out");
        let mut command = Command::new(this);
        command
            .args(["measure", workload.name, subject.name, size.get_name()])
            .env("SMOL_THREADS", "2");
        let outcome = run(&mut command, Limits::time(self.limit)).map_err(|it| it.to_string())?;
        if !outcome.end.is_success() {
            let line = outcome.stderr.lines().next();
            return Err(line.map_or_else(|| outcome.end.to_string(), str::to_owned));
        }
        // The delay of stage 07 prints too.
        let line = outcome.stdout.lines().last().unwrap_or_default();
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    fn median(&self, (row, column): (usize, usize), all: &[Figures]) -> Row {
        let of = |figure: fn(&Figures) -> Option<f64>| {
            let mut figures: Vec<_> = all.iter().filter_map(figure).collect();
            figures.sort_by(f64::total_cmp);
            figures
        };
        let middle = |figure| {
            let figures = of(figure);
            (!figures.is_empty()).then(|| quantile(&figures, 0.5))
        };
        let workload = &self.workloads[row];
        let main = match workload.about {
            About::Memory => |it: &Figures| it.bytes,
            About::Time | About::Lateness => |it: &Figures| Some(it.ns_per_op),
        };
        Row {
            workload: workload.name,
            runtime: self.subjects[column].name,
            figures: Figures {
                ns_per_op: middle(|it| Some(it.ns_per_op)).unwrap_or_default(),
                cpu_ns_per_op: middle(|it| Some(it.cpu_ns_per_op)).unwrap_or_default(),
                lateness_us: middle(|it| it.lateness_us),
                threads: middle(|it| it.threads),
                bytes: middle(|it| it.bytes),
                resident_bytes: middle(|it| it.resident_bytes),
            },
            spread: spread(&of(main)),
            cpu_spread: spread(&of(|it| Some(it.cpu_ns_per_op))),
            rounds: all.len(),
            ratio_to_multi: None,
            cpu_ratio_to_multi: None,
            ratio_to_best: None,
        }
    }
}

/// Fills in the ratios.
fn compare(results: &mut Results) {
    let ratios: Vec<_> = results
        .rows
        .iter()
        .map(|row| {
            let [multi, current] = TOKIO.map(|it| results.row(row.workload, it));
            let to_multi = multi.map(|it| row.figure() / it.figure());
            let to_current = current.map(|it| row.figure() / it.figure());
            let cpu = |it: &Row| row.figures.cpu_ns_per_op / it.figures.cpu_ns_per_op;
            (to_multi, multi.map(cpu), to_multi.zip(to_current))
        })
        .collect();
    for (row, (ratio, cpu_ratio_to_multi, both)) in results.rows.iter_mut().zip(ratios) {
        row.ratio_to_multi = ratio;
        row.cpu_ratio_to_multi = cpu_ratio_to_multi;
        row.ratio_to_best = both.map(|(one, other)| one.max(other));
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
