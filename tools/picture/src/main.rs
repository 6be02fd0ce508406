//! Lists the runs that the book shows, records and draws some of them, or brings the book up to date.

use std::process::ExitCode;

use clap::Parser;
use picture::{committed, figure::Figure, run::Run, runs};

/// Draws runs of the stages from recordings that are made now.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// A stage, as in 04, or the name of a run; without one, lists all
    name: Option<String>,
    /// Print the events as text, and not the picture
    #[arg(long)]
    text: bool,
    /// Record and draw all, and write what differs into the book
    #[arg(long, conflicts_with_all = ["name", "text"])]
    write: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.write {
        return match committed::check(true) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let Some(name) = &options.name else {
        for run in runs::ALL {
            println!("{}: {}", run.name, run.title);
        }
        return ExitCode::SUCCESS;
    };
    let runs: Vec<&Run> = runs::ALL.iter().filter(|run| is(run.name, name)).collect();
    if runs.is_empty() {
        eprintln!("there is no run {name:?}; without a name, all are listed");
        return ExitCode::from(2);
    }
    for run in runs {
        let recording = run.record();
        if options.text {
            println!("{}\n{}", run.title, recording.to_text());
        } else {
            print!("{}", Figure::new(run, &recording).to_html());
        }
    }
    ExitCode::SUCCESS
}

/// `run-04-woken` is asked for by its name or by its stage.
fn is(run: &str, name: &str) -> bool {
    run == name || run.starts_with(&format!("run-{name}-"))
}
