//! Puts each known mistake into a copy of the project, and sees the test that catches it fail.
//!
//! `defects.toml` is the table of mistakes, [`Mutant`] reads it, and [`Tree`] is the copy.

mod table;
mod tree;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;
use table::Mutant;
use tree::Tree;

/// Puts each known mistake into a copy of the project, and sees the test that catches it fail
#[derive(Debug, Parser)]
struct Options {
    /// The mistakes to try, by their names, such as D02, or by their stages, such as step04; none: all of them
    #[arg(value_parser = known)]
    names: Vec<String>,
    /// Write `DEFECTS.md`, the table for reading, and try none
    #[arg(long, conflicts_with = "names")]
    write: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut mutants = table::mutants();
    if !options.names.is_empty() {
        mutants.retain(|mutant| options.names.iter().any(|name| mutant.answers_to(name)));
    }
    let done = match options.write {
        true => write(&mutants),
        false => try_all(&mutants, &mut io::stdout()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A name that some mistake answers to.
fn known(name: &str) -> Result<String, &'static str> {
    let mut mutants = table::mutants().into_iter();
    match mutants.any(|mutant| mutant.answers_to(name)) {
        true => Ok(name.to_owned()),
        false => {
            Err("there is no such mistake and no such stage: `tools/mutants/DEFECTS.md` lists them")
        }
    }
}

fn write(mutants: &[Mutant]) -> io::Result<bool> {
    let file = kit::files::root().join("tools/mutants/DEFECTS.md");
    std::fs::write(file, table::page(mutants)).map(|()| true)
}

/// Runs each test without a change, and then with each of its mistakes. Returns whether all were caught.
fn try_all(mutants: &[Mutant], out: &mut impl Write) -> io::Result<bool> {
    let tree = Tree::copy()?;
    // All of these first, because nothing has to be compiled again in between.
    let mut unchanged = BTreeMap::new();
    for test in mutants.iter().map(|mutant| &mutant.caught_by) {
        if !unchanged.contains_key(test) {
            unchanged.insert(test, tree.run(test)?.passes());
        }
    }
    let mut caught = 0;
    for mutant in mutants {
        let fate = match unchanged[&mutant.caught_by] {
            true => tree.run_with(mutant)?,
            false => Err("NOT TRIED: without the change, there is no such test or it fails".into()),
        };
        caught += usize::from(fate.is_ok());
        let fate = fate.unwrap_or_else(|why| why);
        writeln!(out, "{}: {}: {fate}", mutant.name, mutant.caught_by)?;
    }
    writeln!(out, "{caught} of {} mistakes were caught.", mutants.len())?;
    Ok(caught == mutants.len())
}
