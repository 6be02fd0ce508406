//! Numbers from a pipe while a task ticks, and a thousand connections on one thread. `stdin` reads the real standard input,
//! and `echo` serves until it is stopped.

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

use std::{env, error::Error, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["stdin"] => demo::numbers::read_stdin(),
        ["echo"] => demo::echo::serve(),
        [] => match show_all() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("the demo: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("unexpected arguments {arguments:?}: give none, or `stdin`, or `echo`");
            ExitCode::from(2)
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
