//! # The bench
//!
//! What an operation costs on each stage's runtime, and on the runtimes of other people. This program starts itself once
//! for each measurement, in a process of its own, takes the runtimes in turns over several rounds, and prints the medians.
//!
//! To read on: [`runtime`] says what a runtime must offer, [`runtimes`] are the columns, and [`workloads`] the rows.
//! [`measure`] is one measurement and [`rounds`] all of them. [`table`] and [`chart`] show them.

mod allocations;
mod chart;
mod machine;
mod measure;
mod rounds;
mod runtime;
mod runtimes;
mod table;
mod workloads;

use std::{fs, panic, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};

use crate::{
    measure::Size,
    rounds::{Plan, Results},
    runtimes::Subject,
    workloads::Workload,
};

/// What an operation costs on each stage's runtime, and on tokio, smol and futures
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Options {
    /// Only this workload, or those with this in their names; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only this runtime, or those with this in their names; may be given several times
    #[arg(long, value_name = "NAME")]
    runtime: Vec<String>,
    /// A tenth of the work, three rounds
    #[arg(long)]
    quick: bool,
    /// How often each measurement is made [default: 9, or 3 if quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the table of the book
    #[arg(long)]
    markdown: bool,
    /// Write the chart of the book to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// List the workloads and the runtimes, and measure nothing
    #[arg(long)]
    list: bool,
    /// The least work that shows whether a measurement works
    #[arg(long, hide = true, conflicts_with = "quick")]
    tiny: bool,
    /// How many seconds a measurement may take
    #[arg(long, hide = true, default_value = "60")]
    limit: u64,
    #[command(subcommand)]
    hidden: Option<Hidden>,
}

#[derive(Debug, Subcommand)]
enum Hidden {
    /// Measure here, and print the figures as a line of JSON
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
    let (workloads, subjects) = match chosen(&options) {
        Ok(chosen) => chosen,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if options.list {
        print!("{}", table::list(&workloads, &subjects));
        return ExitCode::SUCCESS;
    }
    let (size, rounds) = match (options.tiny, options.quick) {
        (true, _) => (Size::Tiny, 1),
        (_, true) => (Size::Quick, 3),
        _ => (Size::Full, 9),
    };
    let plan = Plan {
        workloads,
        subjects,
        size,
        rounds: options.rounds.unwrap_or(rounds),
        limit: Duration::from_secs(options.limit),
    };
    let results = plan.run();
    let shown = show(&plan, &results, &options);
    let complaints = results.failures.iter().chain(shown.as_ref().err());
    for complaint in complaints.clone() {
        eprintln!("{complaint}");
    }
    ExitCode::from(u8::from(complaints.count() > 0))
}

fn show(plan: &Plan, results: &Results, options: &Options) -> Result<(), String> {
    match options.markdown {
        true => print!("{}", table::markdown(plan, results)),
        false => print!("{}", table::text(plan, results)),
    }
    let write = |file: &PathBuf, text: String| {
        fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
    };
    if let Some(file) = &options.json {
        let json = serde_json::to_string_pretty(&results.rows).map_err(|it| it.to_string())?;
        write(file, json + "\n")?;
    }
    if let Some(file) = &options.svg {
        write(file, chart::html(plan, results))?;
    }
    Ok(())
}

/// One measurement. Its process ends with status 1 and one line on standard error if something is wrong.
fn measure_here(workload: &str, runtime: &str, size: Size) -> ExitCode {
    // A runtime may catch the panic of a task, and go on without the task.
    panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        eprintln!("a panic: {text}");
        std::process::exit(1);
    }));
    let mut subjects = runtimes::all();
    subjects.push(runtimes::lossy());
    let subject = subjects.iter().find(|it| it.name == runtime);
    let answer = match subject.and_then(|it| it.measure(workload)) {
        Some(measure) => measure(size),
        None => Err("there is no such measurement".to_owned()),
    };
    let line = answer.and_then(|it| serde_json::to_string(&it).map_err(|it| it.to_string()));
    match line {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

type Chosen = (Vec<Workload>, Vec<Subject>);

fn chosen(options: &Options) -> Result<Chosen, String> {
    let mut subjects = runtimes::all();
    let lossy = runtimes::lossy();
    if options.runtime.iter().any(|it| it == lossy.name) {
        subjects.push(lossy);
    }
    let workloads = those_with(
        "workload",
        workloads::ALL.into(),
        |it| it.name,
        &options.only,
    )?;
    let subjects = those_with("runtime", subjects, |it| it.name, &options.runtime)?;
    let can = |subject: &Subject| {
        workloads
            .iter()
            .any(|it| subject.measure(it.name).is_some())
    };
    if !subjects.iter().any(can) {
        return Err("none of these runtimes can do any of these workloads".to_owned());
    }
    Ok((workloads, subjects))
}

/// Those of `all` that are called like one of these names or, if there is none, have it in their names. Without names, all.
fn those_with<T>(
    what: &str,
    all: Vec<T>,
    name: impl Fn(&T) -> &'static str,
    names: &[String],
) -> Result<Vec<T>, String> {
    let known: Vec<_> = all.iter().map(&name).collect();
    let is_meant = |it: &str, wanted: &String| match known.contains(&wanted.as_str()) {
        true => it == wanted,
        false => it.contains(wanted),
    };
    for wanted in names {
        if !known.iter().any(|it| is_meant(it, wanted)) {
            let known = known.join(", ");
            return Err(format!("there is no {what} {wanted:?}; there are: {known}"));
        }
    }
    let is_chosen = |it: &T| names.is_empty() || names.iter().any(|one| is_meant(name(it), one));
    Ok(all.into_iter().filter(is_chosen).collect())
}
