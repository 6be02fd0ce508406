//! # Is the course whole, and does it agree with itself?
//!
//! `README.md` says when you need it. To read on: [`Project`] is the files of the project, in memory. [`missing`] lists what a stage
//! lacks, [`derived`] writes what follows from others, [`carried`] compares copies, and [`pages`] sees that what pages include is there.

pub mod carried;
pub mod derived;
pub mod exercise;
pub mod missing;
pub mod pages;
mod project;

pub use exercise::Exercise;
pub use project::{Metadata, Project, Stage};

/// Everything that can be said without running a program.
pub fn complaints(project: &Project) -> Vec<String> {
    let missing = |stage| missing::missing(project, stage);
    let mut found: Vec<String> = project.stages.iter().flat_map(missing).collect();
    found.extend(derived::stale(project, false));
    found.extend(carried::complaints(project));
    found.extend(pages::complaints(project));
    found
}
