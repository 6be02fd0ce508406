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
    let mut project = Project::read()?;
    loop {
        let mut found = parts::stale(&project, true);
        found.extend(carried::stale(&project, true));
        found.extend(derived::stale(&project, true));
        found.extend(pictures(true));
        let written = Project::read()?;
        if written.files == project.files {
            // What could not be written is stale, too. Here is why.
            for complaint in stale(&written) {
                if !found.contains(&complaint) {
                    found.push(complaint);
                }
            }
            return Ok(found);
        }
        project = written;
    }
}
