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
    io::{self, ErrorKind, Write},
    panic,
    process::{self, ExitCode},
};

use clap::{Parser, Subcommand};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use crate::{measure::Size, rounds::Plan, workloads::Workload};

/// What an operation costs on stages 08, 09 and 10, and on tokio and smol
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Options {
    /// Only this workload; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only this runtime; may be given several times
    #[arg(long, value_name = "NAME")]
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
    #[command(subcommand)]
    hidden: Option<Hidden>,
}

#[derive(Debug, Subcommand)]
enum Hidden {
    /// Measure here, and print the figures on a line
    #[command(hide = true)]
    Measure {
        workload: String,
        runtime: String,
        size: Size,
    },
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(Hidden::Measure {
        workload,
        runtime,
        size,
    }) = options.hidden
    {
        return measure_here(&workload, &runtime, size);
    }
    let workloads: Vec<_> = workloads::ALL.iter().map(|it| it.name).collect();
    let chosen = chosen("workload", &workloads, &options.only)
        .and_then(|rows| Ok((rows, chosen("runtime", runtimes::ALL, &options.runtime)?)));
    let (workloads, runtimes) = match chosen {
        Ok(chosen) => chosen,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let (size, rounds) = match (options.tiny, options.quick) {
        (true, _) => (Size::Tiny, 1),
        (_, true) => (Size::Quick, 3),
        _ => (Size::Full, 9),
    };
    let is_chosen = |it: &&Workload| workloads.contains(&it.name);
    let results = Plan {
        workloads: workloads::ALL.iter().filter(is_chosen).collect(),
        runtimes,
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
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(u8::from(!results.failures.is_empty())),
    }
}

/// Those of `all` that are named; without names, all.
fn chosen(what: &str, all: &[&'static str], names: &[String]) -> Result<Vec<&'static str>, String> {
    if let Some(unknown) = names.iter().find(|it| !all.contains(&it.as_str())) {
        let known = all.join(", ");
        return Err(format!(
            "there is no {what} {unknown:?}; there are: {known}"
        ));
    }
    let is_chosen = |it: &&'static str| names.is_empty() || names.iter().any(|name| name == it);
    Ok(all.iter().copied().filter(is_chosen).collect())
}

/// One measurement. Its process ends with status 1 and one line on standard error if something is wrong.
fn measure_here(workload: &str, runtime: &str, size: Size) -> ExitCode {
    // A runtime may catch the panic of a task, and go on without the task.
    panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message");
        eprintln!("a panic: {message}");
        process::exit(1);
    }));
    let measure = workloads::ALL.iter().find(|it| it.name == workload);
    let measure = measure.and_then(|it| runtimes::measure(it, runtime));
    match measure.map(|measure| measure(size)) {
        Some(Ok(figures)) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Some(Err(message)) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("there is no such measurement");
            ExitCode::from(2)
        }
    }
}
