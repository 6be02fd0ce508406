//! s06g · repair · 12 minutes · chapter 06, "One thread for all timers"
//!
//! `Lines` reads lines from a channel of bytes. A caller that gives each line a time limit loses half a line now and
//! then, and no error says so.
//!
//! Find out where the bytes go, and repair `Lines`. However often a call of `next` is cancelled, no byte may get lost. A
//! function that keeps this promise is called *cancel safe*.
//!
//! Run: `cargo test --bin s06g_half_a_line`, or save this file while `rustlings` runs.
//! Red: a test says how many bytes were sent and which line arrived.

use futures::channel::mpsc::UnboundedReceiver;

/// The lines of an input.
struct Lines {
    bytes: UnboundedReceiver<u8>,
}

impl Lines {
    fn new(bytes: UnboundedReceiver<u8>) -> Lines {
        Lines { bytes }
    }

    /// The next line, without its newline. At the end of the input, what is left; and `None` if nothing is.
    async fn next(&mut self) -> Option<Vec<u8>> {
        // TODO: at which line can this function be cancelled, and what is lost then?
        let mut line = Vec::new();
        loop {
            match self.bytes.recv().await {
                Ok(b'\n') => return Some(line),
                Ok(byte) => line.push(byte),
                Err(_) if line.is_empty() => return None,
                Err(_) => return Some(line),
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06g_half_a_line.rs"]
mod tests;
