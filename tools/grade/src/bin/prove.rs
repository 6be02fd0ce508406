//! Proves the set of exercises.

use std::process::ExitCode;

use clap::Parser;
use grade::{Error, Package, Set, prove};

/// Proves the set of exercises: each starter and each wrong answer is told what the list and the teacher's pages say.
#[derive(Debug, Parser)]
struct Options {
    /// The exercises to prove. None: all of them.
    names: Vec<String>,
}

fn main() -> ExitCode {
    grade::main(prove)
}

fn prove(options: Options) -> Result<ExitCode, Error> {
    let set = Set::open(None)?.only(&options.names.join(","))?;
    let findings = prove::findings(&set, Some(&Package::enter(None, 60)?))?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    if findings.is_empty() {
        let count = set.exercises.len();
        println!(
            "{count} proved: each starter and each answer of the teacher's pages shows what it must."
        );
    }
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}
