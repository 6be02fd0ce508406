//! Lists the pictures of the book, records and draws one stage, or writes them all.

use std::process::ExitCode;

use clap::Parser;
use picture::figure::Figure;
use picture::run::Run;
use picture::{album, diagrams, lanes, runs};

/// Draws the book's pictures, those of runs from recordings that are made now.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// A stage, as in 04, or the name of a picture; without one, lists all
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
        return match album::write() {
            Ok(written) => {
                written
                    .iter()
                    .for_each(|path| println!("{}", path.display()));
                println!("{} files written", written.len());
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let Some(name) = &options.name else {
        runs::ALL
            .iter()
            .for_each(|run| println!("{}: {}", run.name, run.title));
        diagrams::all()
            .iter()
            .for_each(|it| println!("{}: {}", it.name, it.title));
        return ExitCode::SUCCESS;
    };
    let runs: Vec<&Run> = runs::ALL.iter().filter(|run| is(run.name, name)).collect();
    let diagrams: Vec<Figure> = diagrams::all()
        .into_iter()
        .filter(|it| it.name == name)
        .collect();
    if runs.is_empty() && diagrams.is_empty() {
        eprintln!("there is no picture {name:?}; without a name, all are listed");
        return ExitCode::from(2);
    }
    for run in runs {
        let recording = run.record();
        if options.text {
            println!("{}\n{}", run.title, recording.to_text());
        } else {
            print!("{}", lanes::figure(run, &recording).to_html());
        }
    }
    for diagram in diagrams {
        print!(
            "{}",
            if options.text {
                diagram.description
            } else {
                diagram.to_html()
            }
        );
    }
    ExitCode::SUCCESS
}

/// `run-04-woken` is asked for by its name or by its stage.
fn is(run: &str, name: &str) -> bool {
    run == name
        || run
            .strip_prefix("run-")
            .and_then(|rest| rest.split_once('-'))
            .is_some_and(|(stage, _)| stage == name)
}
