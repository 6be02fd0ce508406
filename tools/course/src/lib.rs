//! # Is the course whole, and does it agree with itself?
//!
//! You need this when you change a stage, a page or an exercise. What can be derived from one place is written by
//! `cargo run -p course -- --write`; what cannot is checked by `cargo test -p course`. A complaint is one line: the file,
//! what is wrong, and what to do. `README.md` beside this crate says what is checked, and what only a reviewer can see.
//!
//! To read on: [`Project`] is the files of the project, in memory. [`missing`] lists what a stage lacks, [`derived`]
//! writes what follows from the stages' metadata and the list of exercises, [`carried`] compares the copies of files,
//! and [`pages`] sees that what the book names is there. [`errors`] compiles what must not compile.

pub mod carried;
pub mod derived;
pub mod errors;
pub mod exercise;
pub mod missing;
pub mod pages;
mod project;

pub use exercise::Exercise;
pub use project::{Metadata, Project, Stage};

/// Everything that can be said without running a program.
pub fn complaints(project: &Project) -> Vec<String> {
    let missing = project.stages.iter();
    let mut found: Vec<String> = missing
        .flat_map(|stage| missing::missing(project, stage))
        .collect();
    found.extend(derived::stale(project, false));
    found.extend(carried::complaints(project));
    found.extend(pages::complaints(project));
    found
}
