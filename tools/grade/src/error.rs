//! Why a program gives no result.

use std::{fmt, io, path::Path, process::ExitCode};

use clap::Parser;

/// Why a program of this crate gives no result, in one line.
#[derive(Debug)]
pub enum Error {
    /// It was called wrongly, or on a folder that is not what it should be.
    Usage(String),
    /// Something that it needs does not work.
    Failure(String),
}

impl Error {
    /// Says of which file or folder the system speaks.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |error| Error::Failure(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Error::Usage(text) | Error::Failure(text)) = self;
        f.write_str(text)
    }
}

/// For the errors of the kit, which say what they are about. Others need `at`.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Failure(error.to_string())
    }
}

/// Reads the arguments, and runs a program of this name with them. Why it gives no result is said in one line.
pub fn main<Options: Parser>(
    name: &str,
    program: impl FnOnce(Options) -> Result<ExitCode, Error>,
) -> ExitCode {
    program(Options::parse()).unwrap_or_else(|error| {
        eprintln!("{name}: {error}");
        ExitCode::from(match error {
            Error::Usage(_) => 2,
            Error::Failure(_) => 1,
        })
    })
}
