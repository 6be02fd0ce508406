//! # The matrix
//!
//! Which stage of this course, and which of the runtimes that you know, keeps which clause of the contract? Each stage from 03
//! on has a contract program among its tests, which says what it promises, and this package has one for the runtimes of other people.
//! The matrix runs them all, and makes a table of what they report.
//!
//! To read on: [`cells`] runs the programs, [`table`] is for a terminal and [`page`] for the book. The programs are in
//! `tests/contract/` here and in each stage.

mod cells;
mod page;
mod table;

use std::process::ExitCode;

use clap::{Parser, builder::PossibleValuesParser};
use kit::{files, output, written};

/// The tables for the book, from the root of the project.
const FILES: [&str; 2] = ["tools/matrix/matrix.md", "tools/matrix/strangers.md"];

/// Which stage and which runtime keeps which clause of the contract: tried, each in a process of its own
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Only this clause, with its rule and its reason
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(contract::all().map(|it| it.name)))]
    clause: Option<String>,
    /// Only this runtime or leaf future
    #[arg(long, value_name = "NAME")]
    runtime: Option<String>,
    /// Runtimes of other people, of which two hundred crates are built first: on Linux alone
    #[arg(long)]
    strangers: bool,
    /// Write the table of the book
    #[arg(long, conflicts_with_all = ["clause", "runtime"])]
    write: bool,
    /// Print nothing, but end with status 1 if the table of the book is stale
    #[arg(long, conflicts_with_all = ["clause", "runtime", "write"])]
    check: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let clause = options.clause.as_deref();
    let cells = match cells::run(options.strangers, clause, options.runtime.as_deref()) {
        Ok(cells) => cells,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    if cells.is_empty() {
        eprintln!(
            "no such runtime, or the clause does not apply to it: without options, all are listed"
        );
        return ExitCode::from(2);
    }
    if !options.write && !options.check {
        output::print(&table::text(&cells, clause.and_then(contract::clause)));
        return ExitCode::SUCCESS;
    }
    let file = files::root().join(FILES[usize::from(options.strangers)]);
    let (text, how) = match options.strangers {
        false => (page::markdown(&cells), "cargo run -p matrix -- --write"),
        true => (
            page::strangers(&cells),
            "cargo run -p matrix -- --strangers --write",
        ),
    };
    match written::check(&file, &text, options.write, how) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
