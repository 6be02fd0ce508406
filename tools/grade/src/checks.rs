//! An answer and the course's checks of it. `open` makes the answer public, `judge` writes the program of the checks, `package` builds both
//! as two crates, `run` runs each check apart, and `reason` finds the line that says why one has failed.

mod judge;
mod open;
mod package;
mod reason;
mod run;

pub use package::Package;
pub use run::Mark;

pub(crate) use judge::Judge;
pub(crate) use package::Program;
pub(crate) use run::{Ran, run};
