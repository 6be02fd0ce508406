//! A small web server, for any runtime: what it answers, and what it puts up with.

pub mod answers;
pub mod options;
pub mod patient;
pub mod server;
pub mod stop;

use std::{
    future::Future,
    io::{self, Write as _},
};

use hyper::rt::{Read, Timer, Write};
use options::{Options, USAGE};

/// What the server asks of a runtime.
pub trait Platform: 'static {
    /// A connection, in hyper's manner.
    type Connection: Read + Write + Unpin + Send + 'static;
    /// How it waits.
    type Timer: Timer + Clone + Default + Send + Sync + Unpin + 'static;

    /// Runs a task on one of the workers.
    fn spawn(task: impl Future<Output = ()> + Send + 'static);

    /// Runs what takes long on a thread that may be blocked.
    fn spawn_blocking<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = T> + Send;
}

/// Runs the server, which says how many connections were not finished. Returns the status for the system.
pub fn run(
    arguments: impl Iterator<Item = String>,
    server: impl FnOnce(Options) -> io::Result<usize>,
) -> u8 {
    let arguments: Vec<_> = arguments.collect();
    if arguments.iter().any(|it| it == "--help" || it == "-h") {
        // It fails if the output is closed, and then nobody reads the help.
        let _ = writeln!(io::stdout(), "A web server. Usage: {USAGE}");
        return 0;
    }
    let options = match Options::parse(arguments.into_iter()) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error} (usage: {USAGE})");
            return 2;
        }
    };
    match server(options) {
        Ok(left) => {
            if left > 0 {
                eprintln!("connections that did not end in time: {left}");
            }
            0
        }
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}
