//! # The matrix
//!
//! Which stage of this course, and which of the runtimes that you know, keeps which clause of the contract? This program
//! tries each of them, each in a process of its own, and prints a table. The book's page "The contract" shows that table, so
//! write it again after you change a clause or a stage.
//!
//! To read on: [`subjects`] are the columns. [`matrix`] fills the cells, [`notes`] says why a cell is a "no", and [`table`]
//! prints them.

mod matrix;
mod notes;
mod subjects;
mod table;

use std::process::ExitCode;

use clap::Parser;
use contract::{Clause, Subject, all, cell};
use kit::{files, written};

use crate::{matrix::Matrix, table::Table};

contract::count_allocations!();

/// The table for the book, from the root of the project.
const FILE: &str = "tools/matrix/matrix.md";

/// Which stage and which runtime keeps which clause of the contract: tried, each in a process of its own
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Only this clause, with its rule and its reason; may be given several times
    #[arg(long, value_name = "NAME")]
    clause: Vec<String>,
    /// Only this runtime or leaf future; may be given several times
    #[arg(long, value_name = "NAME")]
    runtime: Vec<String>,
    /// Write the table of the book
    #[arg(long, conflicts_with_all = ["clause", "runtime"])]
    write: bool,
    /// Print nothing, but end with status 1 if the table of the book is stale
    #[arg(long, conflicts_with_all = ["clause", "runtime", "write"])]
    check: bool,
}

fn main() -> ExitCode {
    let find = |name: &str, _: &Clause| subjects::all().into_iter().find(|it| it.name == name);
    cell::serve(find);
    let options = Options::parse();
    let (clauses, subjects) = match chosen_cells(&options) {
        Ok(chosen) => chosen,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match Matrix::fill(clauses, subjects) {
        Ok(matrix) => show(&matrix, &options),
        Err(error) => {
            eprintln!("a test cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

type Cells = (Vec<&'static Clause>, Vec<Subject>);

fn chosen_cells(options: &Options) -> Result<Cells, String> {
    let clauses = chosen("clause", all().collect(), |it| it.name, &options.clause)?;
    let subjects = chosen("runtime", subjects::all(), |it| it.name, &options.runtime)?;
    let about = |clause: &&Clause| subjects.iter().any(|subject| clause.is_about(subject));
    if !clauses.iter().any(about) {
        let what = "no clause here is about such a thing: choose a clause for executors and an executor, \
             or a clause for leaf futures and a leaf future";
        return Err(what.to_owned());
    }
    Ok((clauses, subjects))
}

fn show(matrix: &Matrix, options: &Options) -> ExitCode {
    let table = Table(matrix);
    if !options.write && !options.check {
        print!("{}", table.text(!options.clause.is_empty()));
        return ExitCode::SUCCESS;
    }
    let mut wrong = matrix.disagreements();
    let (file, how) = (files::root().join(FILE), "cargo run -p matrix -- --write");
    wrong.extend(written::check(&file, &table.markdown(), options.write, how).err());
    wrong.iter().for_each(|line| eprintln!("{line}"));
    ExitCode::from(u8::from(!wrong.is_empty()))
}

/// Those of `all` that have one of these names; without names, all.
fn chosen<T>(
    what: &str,
    all: Vec<T>,
    name: impl Fn(&T) -> &'static str,
    names: &[String],
) -> Result<Vec<T>, String> {
    let known: Vec<_> = all.iter().map(&name).collect();
    if let Some(unknown) = names.iter().find(|it| !known.contains(&it.as_str())) {
        return Err(format!(
            "there is no {what} {unknown:?}; there are: {}",
            known.join(", ")
        ));
    }
    let wanted = |it: &T| names.is_empty() || names.iter().any(|wanted| wanted == name(it));
    Ok(all.into_iter().filter(wanted).collect())
}
