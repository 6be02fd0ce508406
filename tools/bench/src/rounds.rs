//! All measurements: each in a process of its own, the runtimes in turns, so that what else the machine does meets all alike.

use std::{collections::BTreeMap, env, process::Command, time::Duration};

use kit::process::{self, Limits};

use crate::measure::{Figures, Measure, Size};

/// By workload and runtime, the figures of all rounds.
pub type Seen<'a> = BTreeMap<(&'a str, &'a str), Vec<Figures>>;

/// Nothing that works takes so long.
const LIMIT: Duration = Duration::from_secs(60);

/// Measures all workloads on all runtimes that can do them, which `measurement` knows, and prints a line for each measurement that fails.
/// Says how many did.
pub fn run<'a>(
    (workloads, runtimes): (&'a [String], &'a [String]),
    measurement: fn(&str, &str) -> Option<Measure>,
    (size, rounds): (Size, usize),
) -> (Seen<'a>, usize) {
    let (mut seen, mut failures) = (Seen::new(), 0);
    for round in 0..rounds {
        // Each round begins with another one.
        let (last, first) = runtimes.split_at(round % runtimes.len());
        for workload in workloads {
            let can = |it: &&String| measurement(workload, it).is_some();
            for runtime in first.iter().chain(last).filter(can) {
                match measure(workload, runtime, size) {
                    Ok(it) => seen.entry((workload, runtime)).or_default().push(it),
                    Err(what) => {
                        eprintln!("{workload} on {runtime}: {what}");
                        failures += 1;
                    }
                }
            }
        }
    }
    (seen, failures)
}

/// Makes one measurement in a process of its own: this program, which is told so by `--measure WORKLOAD RUNTIME`.
///
/// # Errors
///
/// A line that says what is wrong.
pub fn measure(workload: &str, runtime: &str, size: Size) -> Result<Figures, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let smol_threads = ["2", "1"][usize::from(workload.ends_with("-one-worker"))];
    let mut command = Command::new(this);
    command
        .args(["--measure", workload, runtime])
        .args([&[][..], &["--quick"], &["--tiny"]][size as usize])
        .env("SMOL_THREADS", smol_threads);
    let ran = process::run(&mut command, Limits::time(LIMIT)).map_err(|it| it.to_string())?;
    if !ran.end.is_success() {
        let line = ran.stderr.lines().next();
        return Err(line.map_or_else(|| ran.end.to_string(), str::to_owned));
    }
    serde_json::from_str(&ran.stdout).map_err(|error| error.to_string())
}
