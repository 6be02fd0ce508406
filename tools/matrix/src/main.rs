//! # The matrix
//!
//! Which stage of this course, and which of the runtimes that you know, keeps which clause of the contract? Each stage from 03
//! on has a contract program among its tests, which says what it promises, and this package has one for the runtimes of other
//! people. The matrix runs them all, and makes a page of what they report. The programs are in `tests/contract/` here and in
//! each stage; [`page`] is what the book includes.

mod page;

use std::{
    env,
    io::{self, Write},
    process::{Command, Stdio},
};

use clap::{Parser, builder::PossibleValuesParser};
use contract::Cell;
use kit::{files, written};

/// Which stage and which runtime keeps which clause of the contract: tried, each in a process of its own
#[derive(Debug, Parser)]
struct Options {
    /// Only this clause
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(contract::all().map(|it| it.name)))]
    clause: Option<String>,
    /// Runtimes of other workspaces, of which a hundred crates and more are built first: on Linux alone
    #[arg(long)]
    elsewhere: bool,
    /// Write the page of the book
    #[arg(long, conflicts_with = "clause")]
    write: bool,
    /// Print nothing, but end with status 1 if the page of the book is stale
    #[arg(long, conflicts_with_all = ["clause", "write"])]
    check: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let cells = cells(&options)?;
    if !options.write && !options.check {
        let page = page::text(&cells, options.clause.as_deref());
        let _ = io::stdout().write_all(page.as_bytes()); // its reader may have seen enough
        return Ok(());
    }
    let (file, option, rules) = if options.elsewhere {
        ("elsewhere.md", " --elsewhere", String::new())
    } else {
        ("matrix.md", "", page::rules(None))
    };
    let how = format!("cargo run -p matrix --{option} --write");
    let page = page::markdown(&cells) + &rules;
    let page = format!("<!-- Written by `{how}`: do not edit. -->\n{page}");
    let file = files::root().join("tools/matrix").join(file);
    written::check(&file, &page, options.write, &how)
}

/// The cells that are not empty: those of executors, then those of leaf futures. In both, the stages come first. If they could
/// not all be tested, what a program says about that is on standard error by then.
fn cells(options: &Options) -> Result<Vec<Cell>, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--quiet", "--test", "contract"]);
    if options.elsewhere {
        cargo
            .args(["--manifest-path", "lab/contract/elsewhere/Cargo.toml"])
            .args(["--target-dir", "target/elsewhere"])
            .current_dir(files::root());
    } else {
        cargo.args(["-p", "step*", "-p", "matrix"]);
    }
    cargo.args(["--", "--report"]).stderr(Stdio::inherit());
    // A filter is a part of a name, which is `runtime::clause`. The rest is left out below.
    cargo.args(&options.clause);
    let ran = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    if !ran.status.success() {
        return Err("the contract is not kept as promised".to_owned());
    }
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut cells: Vec<_> = text.lines().filter_map(Cell::read).collect();
    cells.retain(|cell| options.clause.as_deref().is_none_or(|it| it == cell.clause));
    cells.sort_by_key(|cell| (page::is_of_a_leaf(cell), !cell.subject.starts_with("step")));
    Ok(cells)
}
