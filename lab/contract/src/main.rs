//! Tests every stage and every runtime by every clause, and prints who keeps what.

mod matrix;
mod notes;
mod table;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;
use contract::{Clause, all, cell, subjects};

use crate::{matrix::Matrix, table::Table};

/// Which runtime keeps which clause of the contract: tried, each in a process of its own.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Only this clause, with its rule and its reason; may be given several times
    #[arg(long, value_name = "NAME")]
    clause: Vec<String>,
    /// Only this runtime or leaf future; may be given several times
    #[arg(long, value_name = "NAME")]
    runtime: Vec<String>,
    /// Print the table of the book, in Markdown
    #[arg(long)]
    markdown: bool,
    /// Print nothing; end with status 1 if this file is not what --markdown prints
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clause", "runtime", "markdown"])]
    check: Option<PathBuf>,
}

fn main() -> ExitCode {
    let find = |name: &str, _: &Clause| subjects::all().into_iter().find(|it| it.name == name);
    if let Some(code) = cell::serve(find) {
        return code;
    }
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let clauses = chosen("clause", all().collect(), |it| it.name, &options.clause)?;
    let subjects = chosen("runtime", subjects::all(), |it| it.name, &options.runtime)?;
    let committed = options.check.as_deref().map(read).transpose()?;
    let matrix = Matrix::fill(clauses, subjects)
        .map_err(|error| format!("a test cannot be started: {error}"))?;
    let table = Table(&matrix);
    let Some(committed) = committed else {
        if options.markdown {
            print!("{}", table.markdown());
        } else {
            print!("{}", table.text(!options.clause.is_empty()));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let mut wrong = notes::disagree(&matrix);
    if committed != table.markdown() {
        let says = "the file is not what `cargo run -p contract -- --markdown` prints";
        wrong.push(says.to_owned());
    }
    wrong.iter().for_each(|line| eprintln!("{line}"));
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}

fn read(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // As git may have written it on Windows.
    Ok(text.replace("\r\n", "\n"))
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
