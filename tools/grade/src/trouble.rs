//! Why there is no result at all.

use std::{fmt, io, process::ExitCode};

/// Why a program of this crate gives no result.
#[derive(Debug)]
pub enum Trouble {
    /// It was called wrongly, or on a folder that is not what it should be.
    Usage(String),
    /// Something that it needs does not work.
    Cannot(String),
}

impl Trouble {
    /// The status with which the program ends.
    pub fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Trouble::Usage(_) => 2,
            Trouble::Cannot(_) => 1,
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Trouble::Usage(text) | Trouble::Cannot(text)) = self;
        f.write_str(text)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Cannot(error.to_string())
    }
}
