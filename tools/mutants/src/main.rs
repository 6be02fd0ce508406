//! Tries the mutants, or writes the page of defects.

use std::{collections::BTreeMap, error::Error, process::ExitCode};

use cargo_metadata::MetadataCommand;
use clap::Parser;
use mutants::{Defect, Fate, Since, Tree, defects, fate, page, time_unchanged};

/// Puts each known defect into a copy of the project, and sees the test that catches it fail
#[derive(Debug, Parser)]
struct Options {
    /// The defects to try, such as D02; none: all of them
    ids: Vec<String>,
    /// Try only those that are new since this commit, or whose file or test has changed
    #[arg(long, value_name = "COMMIT")]
    since: Option<String>,
    /// Write `DEFECTS.md`, the page for reading, and try none
    #[arg(long, conflicts_with_all = ["ids", "since"])]
    write: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut defects = defects();
    let known = |id: &&String| defects.iter().any(|defect| defect.id == **id);
    if let Some(unknown) = options.ids.iter().find(|id| !known(id)) {
        eprintln!(
            "mutants: there is no defect `{unknown}`; `tools/mutants/DEFECTS.md` lists those that there are"
        );
        return ExitCode::from(2);
    }
    if !options.ids.is_empty() {
        defects.retain(|defect| options.ids.contains(&defect.id));
    }
    let done = match options.write {
        true => write(&defects),
        false => try_all(defects, options.since.as_deref()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(defects: &[Defect]) -> Result<bool, Box<dyn Error>> {
    let file = kit::files::root().join("tools/mutants/DEFECTS.md");
    kit::written::check(&file, &page(defects), true, "")?;
    Ok(true)
}

/// Tries every mutant. Returns whether all were caught.
fn try_all(mut defects: Vec<Defect>, since: Option<&str>) -> Result<bool, Box<dyn Error>> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let root = metadata.workspace_root.as_std_path();
    if let Some(commit) = since {
        Since::commit(root, commit)?.keep(&mut defects);
    }
    let tree = Tree::copy(root, metadata.target_directory.as_std_path())?;
    let mutants = || defects.iter().flat_map(|defect| &defect.mutants);
    // All of these first: nothing has to be compiled again in between.
    let mut unchanged = BTreeMap::new();
    for test in mutants().map(|mutant| &mutant.caught_by) {
        if !unchanged.contains_key(test) {
            unchanged.insert(test, time_unchanged(&tree, test)?);
        }
    }
    for defect in &defects {
        if defect.mutants.is_empty() {
            println!("{}: no mutant: {}", defect.id, defect.cannot);
        }
    }
    let mut caught = 0;
    for defect in &defects {
        for mutant in &defect.mutants {
            let fate = match &unchanged[&mutant.caught_by] {
                Ok(time) => fate(&tree, mutant, *time)?,
                Err(reason) => Fate::NotTried(reason.clone()),
            };
            println!("{}: {}: {fate}", defect.id, mutant.caught_by);
            caught += usize::from(fate.is_caught());
        }
    }
    let tried = mutants().count();
    match tried {
        0 => println!("There was no mutant to try."),
        _ => println!("{caught} of {tried} mutants were caught."),
    }
    Ok(caught == tried)
}
