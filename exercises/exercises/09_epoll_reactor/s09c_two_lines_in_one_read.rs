//! s09c · complete · 12 minutes · chapter 09, "Epoll and the reactor"
//!
//! The standard input stays a blocking descriptor, because other programs share it. So the runtime reports that there is
//! something to read, and a report allows for one `read`. What this read returns need not be a line. It may be half a line,
//! or two lines, or half a letter, because a letter such as `é` is two bytes.
//!
//! Write `poll_line`. It is ready with the next line, without its newline (`\n`) and otherwise as it arrived, and with
//! `None` at the end of the input. The last line need not have a newline. You may add fields.
//!
//! Run: `cargo test --bin s09c_two_lines_in_one_read`, or save this file while `rustlings` runs.
//! Red: a test says which bytes arrived, and what `poll_line` returned.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker, ready},
};

#[derive(Default)]
struct Lines {
    input: Input,
}

impl Lines {
    fn poll_line(&mut self, cx: &mut Context<'_>) -> Poll<Option<String>> {
        ready!(self.input.poll_report(cx));
        let bytes = self.input.read();
        // TODO: these bytes need not be a line.
        Poll::Ready(Some(text(bytes)))
    }
}

/// The bytes of a whole line as text.
fn text(line: Vec<u8>) -> String {
    String::from_utf8(line).expect("the tests send UTF-8")
}

/// The standard input, as the runtime shows it.
#[derive(Clone, Default)]
struct Input(Arc<Mutex<Kernel>>);

impl Input {
    /// Ready if there is a report: there are bytes to read, or the input has ended. Otherwise it keeps the waker of this
    /// poll, and calls it when there is one.
    fn poll_report(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut kernel = self.0.lock().unwrap();
        kernel.reported = kernel.ended || !kernel.chunks.is_empty();
        if !kernel.reported {
            kernel.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Returns some of the bytes that have arrived, and no bytes at the end of the input. If nothing has arrived, it blocks
    /// the thread.
    fn read(&self) -> Vec<u8> {
        let mut kernel = self.0.lock().unwrap();
        let allowed = mem::take(&mut kernel.reported);
        assert!(
            allowed,
            "`read` was called without a report of its own. If nothing has arrived, that call blocks the thread, and every \
             task on it, until the user presses Return.\n\
             Look at: which call comes before each `read`?"
        );
        kernel.chunks.pop_front().unwrap_or_default()
    }
}

/// The other end of the input, which the tests hold.
#[derive(Default)]
struct Kernel {
    /// What has arrived. Each of these is what one `read` returns.
    chunks: VecDeque<Vec<u8>>,
    ended: bool,
    reported: bool,
    waker: Option<Waker>,
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s09c_two_lines_in_one_read.rs"]
mod tests;
