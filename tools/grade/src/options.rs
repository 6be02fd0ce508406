//! What a program was called with.

use clap::Parser;

use crate::Error;

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
