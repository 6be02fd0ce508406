//! The race: what an operation costs on your runtime, on tokio and on stage 10, side by side in one run.
//!
//! The workloads, and how they are measured, are those of `tools/bench`. Each measurement is a process of its own, in which this program
//! is started again. In each round the three runtimes take turns, so that what else the machine does meets all alike.

#![allow(
    clippy::drop_non_drop,
    reason = "a learner's handle may have no destructor, or may have one"
)]

use std::{
    convert::identity,
    env,
    fs::{self, File},
    future::Future,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::SystemTime,
};

use bench::{
    measure::{Figures, Measure, Size, measure_here},
    rounds::measure,
    runtimes::{Step10, TokioMulti},
    workloads::on_net,
};
use serde_json::json;
use step10_work_stealing as step10;

bench::runtime!(Yours(Told), start: Told::new, spawn: yours::spawn, joined: joined, detach: drop,
    yield_now: step10::yield_now, sleep: yours::sleep, net: yours::net,
    bind: |address| yours::net::TcpListener::bind(address), wrap: identity, as: yours::net::TcpStream, io: yours::Http);

/// Your runtime, which says when its drop begins.
struct Told(Option<yours::Runtime>);

/// By then, the work of a measurement has ended.
const DROPS: &str = "the work had ended, and then the drop of the runtime did not";

impl Told {
    fn new(workers: usize) -> Told {
        Told(Some(yours::Runtime::new(workers)))
    }

    fn block_on<F: Future>(&self, root: F) -> F::Output {
        let runtime = self.0.as_ref().expect("it is there until it is dropped");
        runtime.block_on(root)
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        eprintln!("{DROPS}"); // what is said of a process that ends badly
        drop(self.0.take());
    }
}

fn joined<T>(result: Result<T, yours::JoinError>) -> T {
    result.unwrap_or_else(|_| panic!("a task of the race has no output"))
}

/// The rows, in the order of what they need of a runtime.
const WORKLOADS: [&str; 8] = [
    "spawn",
    "spawn-await",
    "yield",
    "chain",
    "mpsc",
    "sleeps",
    "echo",
    "http",
];
/// The columns.
const LANES: [&str; 3] = ["yours", "tokio", "step10"];
/// Where the learner's lines are kept, in the folder of the workspace.
const KEPT: &str = "races.txt";
const USAGE: &str = "usage: cargo race [--quick] [--json FILE] [WORKLOAD …]";

fn measurement(workload: &str, lane: &str) -> Option<Measure> {
    let rows = match lane {
        "yours" => on_net::<Yours>(),
        "tokio" => on_net::<TokioMulti>(),
        "step10" => on_net::<Step10>(),
        _ => return None,
    };
    let mut rows = rows.into_iter();
    Some(rows.find(|(name, _)| *name == workload)?.1)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_quick = arguments.contains(&"--quick");
    let (size, rounds) = match (arguments.contains(&"--tiny"), is_quick) {
        (true, _) => (Size::Tiny, 1),
        (_, true) => (Size::Quick, 3),
        _ => (Size::Full, 5),
    };
    if let ["--measure", workload, lane, ..] = arguments[..] {
        let measure = measurement(workload, lane).expect("it was asked for by this program");
        measure_here(measure, size);
        return ExitCode::SUCCESS;
    }
    let mut names: Vec<&str> = arguments
        .iter()
        .copied()
        .filter(|argument| !["--quick", "--tiny"].contains(argument))
        .collect();
    let json = names.iter().position(|name| *name == "--json");
    let json = match json.map(|at| names.drain(at..names.len().min(at + 2)).nth(1)) {
        Some(None) => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
        file => file.flatten(),
    };
    if let Some(unknown) = names.iter().find(|name| !WORKLOADS.contains(name)) {
        eprintln!("{unknown}: there is no such workload. {USAGE}");
        eprintln!("workloads: {}", WORKLOADS.join(", "));
        return ExitCode::from(2);
    }
    let rows = WORKLOADS
        .into_iter()
        .filter(|row| names.is_empty() || names.contains(row));
    println!(
        "{:12} {:>9} {:>9} {:>9}   nanoseconds for one, the median of {rounds} rounds",
        "", LANES[0], LANES[1], LANES[2]
    );
    let (mut kept, mut raced) = (Kept::new(is_quick), Vec::new());
    for row in rows {
        let figures = race(row, size, rounds);
        raced.push(json!({ "workload": row, "figures": &figures }));
        match figures {
            Ok([yours, tokio, step10]) => {
                let ratio = yours / tokio;
                println!(
                    "{row:12} {yours:9.0} {tokio:9.0} {step10:9.0}   yours takes {ratio:.1} times as long as tokio"
                );
                // A program that races for a learner leaves no line among the learner's.
                if json.is_none() {
                    if let Err(error) = kept.add(&format!("{row} {ratio:.1}")) {
                        eprintln!("{KEPT}: {error}");
                        return ExitCode::FAILURE;
                    }
                }
            }
            Err(what) if what.starts_with("did not end") => println!("{row:12} the work {what}"),
            Err(what) => println!("{row:12} {what}"),
        }
    }
    if let Some(file) = json {
        if let Err(error) = fs::write(file, json!(raced).to_string()) {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
        return ExitCode::SUCCESS;
    }
    match kept.end() {
        Ok(Some(all)) => print!("\nHow many times as long as tokio, in {KEPT}:\n{all}"),
        Ok(None) => {}
        Err(error) => {
            eprintln!("{KEPT}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The medians of the three lanes, or why there are none.
fn race(workload: &str, size: Size, rounds: usize) -> Result<[f64; 3], String> {
    let mut figures = [const { Vec::new() }; 3];
    for round in 0..rounds {
        for place in 0..LANES.len() {
            // Yours is the first of the first round: if it can't do it yet, the others needn't.
            let lane = (round + place) % LANES.len();
            let seen = measure(workload, LANES[lane], size)?;
            figures[lane].push(figure(workload, &seen));
        }
    }
    Ok(figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    }))
}

/// Nanoseconds: for an operation, or by how much a sleep is late.
fn figure(workload: &str, seen: &Figures) -> f64 {
    match workload {
        "sleeps" => seen.other * 1000.0,
        _ => seen.wall,
    }
}

/// The line of this race in the learner's file: the date, the rung, and how many times as long as tokio.
struct Kept {
    path: PathBuf,
    is_quick: bool,
    is_begun: bool,
}

impl Kept {
    fn new(is_quick: bool) -> Kept {
        Kept {
            path: Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(KEPT),
            is_quick,
            is_begun: false,
        }
    }

    /// Adds a row at once, so that a race which is ended early keeps what it has.
    fn add(&mut self, row: &str) -> io::Result<()> {
        let before = fs::read_to_string(&self.path).unwrap_or_default();
        let mut file = File::options().create(true).append(true).open(&self.path)?;
        if !self.is_begun {
            // A race that was ended early has left its line open.
            if !before.is_empty() && !before.ends_with('\n') {
                writeln!(file)?;
            }
            let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            let quick = if self.is_quick { " quick" } else { "" };
            write!(file, "{} rung {}{quick}", &now[..10], yours::REACHED)?;
            self.is_begun = true;
        }
        write!(file, "  {row}")
    }

    /// Ends the line. Returns all that is in the file, if this race has a line in it.
    fn end(&self) -> io::Result<Option<String>> {
        if !self.is_begun {
            return Ok(None);
        }
        let mut file = File::options().append(true).open(&self.path)?;
        writeln!(file)?;
        fs::read_to_string(&self.path).map(Some)
    }
}
