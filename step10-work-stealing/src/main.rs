//! What a queue for all workers costs, where tasks run in each version of the scheduler, in which order, for how long one of
//! them may continue, who runs what a blocked worker has, and who sleeps.

mod demo {
    pub mod blocked;
    pub mod budget;
    pub mod idle;
    pub mod locks;
    pub mod slot;
    pub mod staged;
    pub mod stolen;
}

use std::{io, process::ExitCode};

fn main() -> ExitCode {
    if let Err(error) = show_all() {
        eprintln!("the demo: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn show_all() -> io::Result<()> {
    demo::locks::show();
    demo::stolen::show();
    demo::slot::show();
    demo::budget::show()?;
    demo::blocked::show();
    demo::idle::show();
    Ok(())
}
