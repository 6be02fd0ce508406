//! Standard output.

use std::io::{self, ErrorKind, Write};

/// Prints a text. If the output is closed, its reader has what it wants.
///
/// # Panics
///
/// If it cannot be printed for another reason.
pub fn print(text: &str) {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("standard output: {error}"),
        _ => {}
    }
}
