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
    /// Of those, try no more than this: a sample that is spread evenly, and another one after the next commit
    #[arg(long, value_name = "NUMBER", requires = "since")]
    at_most: Option<usize>,
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
        false => try_all(defects, &options),
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
fn try_all(mut defects: Vec<Defect>, options: &Options) -> Result<bool, Box<dyn Error>> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let root = metadata.workspace_root.as_std_path();
    if let Some(commit) = &options.since {
        let since = Since::commit(root, commit)?;
        since.keep(&mut defects);
        let most = options.at_most.unwrap_or(usize::MAX);
        let left_out = since.sample(&mut defects, most);
        if left_out > 0 {
            println!(
                "left out: {left_out} of {} mutants; the workflow tries all of them every Monday",
                left_out + most
            );
        }
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
