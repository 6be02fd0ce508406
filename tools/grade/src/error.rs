//! Why a program gives no result, and what it was called with.

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

    /// The status with which the program ends.
    pub fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Error::Usage(_) => 2,
            Error::Failure(_) => 1,
        })
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

/// Reads the arguments. `--help` ends the program.
///
/// # Errors
///
/// If they are not understood: in one line, what clap says in several.
pub fn options<T: Parser>() -> Result<T, Error> {
    T::try_parse().map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let text = error.to_string();
        let first = text.lines().take_while(|line| !line.trim().is_empty());
        let what = first.map(str::trim).collect::<Vec<_>>().join(" ");
        let what = what.strip_prefix("error: ").unwrap_or(&what);
        Error::Usage(format!("{what} (see --help)"))
    })
}
