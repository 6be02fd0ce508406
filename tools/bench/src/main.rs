//! # The bench
//!
//! What an operation costs on the runtimes of stages 08 to 10, on tokio and on smol. This program starts itself once for each
//! measurement, in a process of its own, takes the runtimes in turns over several rounds, and prints the medians.
//!
//! To read on: [`runtime`] says what a runtime must offer, [`runtimes`] are the columns, and [`workloads`] the rows.
//! [`measure`] is one measurement and [`rounds`] all of them. [`table`] shows them.

mod measure;
mod rounds;
mod runtime;
mod runtimes;
mod table;
mod workloads;

use std::{
    panic,
    process::{self, ExitCode},
};

use clap::{Parser, ValueEnum, builder::PossibleValuesParser};
use serde_json::json;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use crate::{measure::Size, rounds::Plan, workloads::Workload};

/// What an operation costs on stages 08, 09 and 10, and on tokio and smol
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Only this workload; may be given several times
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(workloads::ALL.iter().map(|it| it.name)))]
    only: Vec<String>,
    /// Only this runtime; may be given several times
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(runtimes::ALL))]
    runtime: Vec<String>,
    /// A tenth of the work, three rounds
    #[arg(long)]
    quick: bool,
    /// How often each measurement is made [default: 9, or 3 if quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Print the table of the book
    #[arg(long)]
    markdown: bool,
    /// The least work that shows whether a measurement works
    #[arg(long, hide = true, conflicts_with = "quick")]
    tiny: bool,
    /// Measure a workload on a runtime in a size here, and print the figures on a line
    #[arg(long, hide = true, num_args = 3)]
    measure: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let [workload, runtime, size] = &options.measure[..] {
        return measure_here(workload, runtime, size);
    }
    let is_one =
        |names: &[String], it: &str| names.is_empty() || names.iter().any(|name| name == it);
    let (size, rounds) = match (options.tiny, options.quick) {
        (true, _) => (Size::Tiny, 1),
        (_, true) => (Size::Quick, 3),
        _ => (Size::Full, 9),
    };
    let is_row = |it: &&Workload| is_one(&options.only, it.name);
    let is_column = |it: &&str| is_one(&options.runtime, it);
    let results = Plan {
        workloads: workloads::ALL.iter().filter(is_row).collect(),
        runtimes: runtimes::ALL.iter().copied().filter(is_column).collect(),
        size,
        rounds: options.rounds.unwrap_or(rounds),
    }
    .run();
    for failure in &results.failures {
        eprintln!("{failure}");
    }
    let text = match options.markdown {
        true => table::markdown(&results),
        false => table::text(&results),
    };
    kit::output::print(&text);
    ExitCode::from(u8::from(!results.failures.is_empty()))
}

/// One measurement. Its process ends with status 1 and one line on standard error if something is wrong.
fn measure_here(workload: &str, runtime: &str, size: &str) -> ExitCode {
    // A runtime may catch the panic of a task, and go on without the task.
    panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic.to_string().replace('\n', " "));
        process::exit(1);
    }));
    let measure = workloads::ALL.iter().find(|it| it.name == workload);
    let measure = measure.and_then(|it| runtimes::measure(it, runtime));
    let measure = measure.ok_or_else(|| "there is no such measurement".to_owned());
    match measure.and_then(|measure| measure(Size::from_str(size, false)?)) {
        Ok(figures) => {
            println!("{}", json!(figures));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
