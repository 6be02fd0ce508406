//! Tries the mutants, or prints the table of defects.

use std::{collections::BTreeMap, io, process::ExitCode};

use cargo_metadata::MetadataCommand;
use clap::Parser;
use mutants::{Defect, Tree, Verdict, defects, judge, markdown, time_unchanged};

/// Puts each known defect into a copy of the project, and sees the test that catches it fail.
#[derive(Debug, Parser)]
struct Options {
    /// The defects to try, such as D02. None: all of them.
    ids: Vec<String>,
    /// Print the table of defects and their tests as Markdown, and try none.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut defects = defects();
    if let Some(unknown) = options
        .ids
        .iter()
        .find(|id| defects.iter().all(|d| d.id != **id))
    {
        eprintln!("mutants: there is no defect `{unknown}`; `--list` prints those that there are");
        return ExitCode::from(2);
    }
    if !options.ids.is_empty() {
        defects.retain(|defect| options.ids.contains(&defect.id));
    }
    if options.list {
        print!("{}", markdown(&defects));
        return ExitCode::SUCCESS;
    }
    match try_all(&defects) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: the copy of the project cannot be tried: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Tries every mutant. Returns whether all were caught.
fn try_all(defects: &[Defect]) -> io::Result<bool> {
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .map_err(io::Error::other)?;
    let tree = Tree::copy(
        metadata.workspace_root.as_std_path(),
        metadata.target_directory.as_std_path(),
    )?;
    // All of these first: nothing has to be compiled again in between.
    let mut unchanged = BTreeMap::new();
    for test in defects
        .iter()
        .flat_map(|defect| &defect.mutants)
        .map(|mutant| &mutant.caught_by)
    {
        if !unchanged.contains_key(test) {
            unchanged.insert(test, time_unchanged(&tree, test)?);
        }
    }
    let (mut tried, mut caught) = (0, 0);
    for defect in defects {
        for mutant in &defect.mutants {
            let verdict = match &unchanged[&mutant.caught_by] {
                Ok(time) => judge(&tree, mutant, *time)?,
                Err(reason) => Verdict::Void(reason.clone()),
            };
            println!("{}: {}: {verdict}", defect.id, mutant.caught_by);
            tried += 1;
            caught += usize::from(verdict.is_caught());
        }
    }
    println!("{caught} of {tried} mutants were caught.");
    Ok(caught == tried)
}
