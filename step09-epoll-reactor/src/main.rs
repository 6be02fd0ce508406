//! Numbers from a pipe while a task ticks, and a thousand connections on one thread. `stdin` reads the real standard input,
//! and `echo` serves until it is stopped.

mod demo {
    #[cfg(target_os = "linux")]
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
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            if let Err(error) = show_all() {
                eprintln!("the demo: {error}");
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        [mode] if mode == "stdin" => demo::numbers::read_stdin(),
        [mode] if mode == "echo" => demo::echo::serve(),
        _ => {
            eprintln!("usage: step09-epoll-reactor [stdin | echo]");
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
