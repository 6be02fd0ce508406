//! A small web server, for any runtime: what it answers, and what it puts up with.

pub mod answers;
pub mod options;
pub mod patient;
pub mod server;
pub mod stop;

use std::{env, future::Future, io, process::ExitCode};

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

/// Reads the command line, and runs the server, which says how many connections were not finished.
pub fn run(server: impl FnOnce(Options) -> io::Result<usize>) -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error} (usage: {USAGE})");
            return ExitCode::from(2);
        }
    };
    match server(options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(left) => {
            eprintln!("{left} connections were not finished");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
