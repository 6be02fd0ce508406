//! # Is the course whole, and does it agree with itself?
//!
//! `README.md` says when you need it. To read on: [`Project`] is the files of the project, in memory. [`missing`] lists what a stage
//! lacks, [`derived`] writes what follows from others, [`carried`] and [`parts`] compare copies, [`unnamed`] finds files that are never
//! compiled, and [`pages`] sees that what pages include is there. [`stale`] asks the tools of the pictures and of the known mistakes,
//! too, and [`review`] asks what no program can answer.

pub mod carried;
pub mod derived;
pub mod exercise;
mod git;
mod made;
pub mod missing;
pub mod pages;
pub mod parts;
mod project;
pub mod review;
pub mod unnamed;

use std::io;

pub use exercise::Exercise;
pub use project::{Metadata, Project, Stage};

/// Everything of the stages, the book and the exercises that can be said without running a program.
pub fn complaints(project: &Project) -> Vec<String> {
    let missing = |stage| missing::missing(project, stage);
    let mut found: Vec<String> = project.stages.iter().flat_map(missing).collect();
    found.extend(derived::stale(project, false));
    found.extend(carried::stale(project, false));
    found.extend(parts::stale(project, false));
    found.extend(pages::complaints(project));
    found.extend(unnamed::complaints(project));
    found
}

/// All that is stale: that, and what the pictures and the known mistakes say of the code. Each line names the file, what is wrong, and
/// what to do.
pub fn stale(project: &Project) -> Vec<String> {
    let mut found = complaints(project);
    found.extend(pictures(false));
    found.extend(mutants::complaints().unwrap_or_else(|error| vec![error.to_string()]));
    found
}

fn pictures(write: bool) -> Vec<String> {
    picture::complaints(write).unwrap_or_else(|why| vec![why])
}

/// Writes all that follows from other files: copies, lists and minutes, and then the pictures, which show code. A copy may have copies
/// of its own, so it goes on until nothing changes any more. Returns all that is stale then, which is left to do by hand.
///
/// # Errors
///
/// If the project can't be read.
pub fn write() -> io::Result<Vec<String>> {
    let write = |project: &Project| {
        let mut found = parts::stale(project, true);
        found.extend(carried::stale(project, true));
        found.extend(derived::stale(project, true));
        found.extend(pictures(true));
        found
    };
    let (project, mut found) = until_settled(Project::read, write)?;
    // What could not be written is stale, too. Here is why.
    for complaint in stale(&project) {
        if !found.contains(&complaint) {
            found.push(complaint);
        }
    }
    Ok(found)
}

/// A copy in each stage, each of the one before, and what is derived from the last.
const ROUNDS: usize = 16;

/// Reads and writes in turns until nothing is written any more. Returns the project as it is then, and what the last round could not
/// write, with the files that are written anew in each round.
fn until_settled(
    mut read: impl FnMut() -> io::Result<Project>,
    write: impl Fn(&Project) -> Vec<String>,
) -> io::Result<(Project, Vec<String>)> {
    let mut project = read()?;
    for _ in 1..ROUNDS {
        let found = write(&project);
        let written = read()?;
        if written.files == project.files {
            return Ok((written, found));
        }
        project = written;
    }
    let mut found = write(&project);
    let written = read()?;
    for (path, text) in &written.files {
        if project.text(path) != Some(text) {
            found.push(format!(
                "{path}: is written anew in each round: see whether what it is derived from is derived from it"
            ));
        }
    }
    Ok((written, found))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A project whose file `a` has this number in it.
    fn project(number: usize) -> io::Result<Project> {
        let files = [
            ("a", number.to_string()),
            ("exercises/info.toml", "exercises = []".to_owned()),
        ];
        Project::of(files.map(|(path, text)| (path.to_owned(), text)).into())
    }

    #[test]
    fn what_is_written_ends_when_nothing_changes_or_says_what_does() {
        for (last, says) in [(5, 0), (usize::MAX, 1)] {
            let rounds = Cell::new(0);
            let read = || project(rounds.get().min(last));
            let write = |_: &Project| {
                rounds.set(rounds.get() + 1);
                Vec::new()
            };
            let (_, found) = until_settled(read, write).unwrap();
            assert_eq!(found.len(), says);
            assert!(
                found
                    .iter()
                    .all(|fault| fault.starts_with("a: is written anew")),
                "{found:?}"
            );
            assert_eq!(rounds.get(), (last.saturating_add(1)).min(ROUNDS));
        }
    }
}
