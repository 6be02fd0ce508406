//! Numbers from a pipe while a task ticks, and a thousand connections on one thread. `stdin` reads the real standard input,
//! and `echo` serves until it is stopped.

#[path = "../../lab/demo.rs"]
mod command_line;
mod demo {
    pub mod cancelled;
    pub mod connections;
    pub mod counted;
    pub mod echo;
    pub mod limit;
    pub mod numbers;
    pub mod places;
    #[cfg(target_os = "linux")]
    pub mod triggers;
}

use std::{error::Error, process::ExitCode};

fn main() -> ExitCode {
    match command_line::begin(&["stdin", "echo"]) {
        Some("stdin") => demo::numbers::read_stdin(),
        Some(_) => demo::echo::serve(),
        None => {
            if let Err(error) = show_all() {
                eprintln!("the demo: {error}");
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
    }
}

fn show_all() -> Result<(), Box<dyn Error>> {
    demo::numbers::show()?;
    demo::connections::show()?;
    demo::places::show()?;
    demo::cancelled::show()?;
    Ok(())
}
