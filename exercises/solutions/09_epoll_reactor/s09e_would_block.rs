//! s09e · repair · 12 minutes · chapter 09, "Epoll and the reactor"
//!
//! A socket that never blocks is read in a loop: wait until it may be ready, try, and if the read would block, note that it
//! is not ready, and wait again. This kernel is edge-triggered, so it reports each arrival once. Now and then a byte
//! arrives, and the task that waits for it is never woken. A change of tokio that was proposed had this mistake.
//!
//! Find the moment at which an arrival is lost, and fix `Source`. It may keep more than it does now, and what `poll_ready`
//! returns, `Seen`, may carry it to `clear`.
//!
//! Run: `cargo test --bin s09e_would_block`, or save this file while `rustlings` runs.
//! Red: a test says at which moment the byte arrived, and what the task did then. The kernel is scripted, by
//! `given/s09e_would_block.rs`, so each test does the same in each run.

#[path = "../../given/s09e_would_block.rs"]
mod given;

use given::{Lock, Socket};
use std::task::{Context, Poll, Waker, ready};

/// What the runtime knows of a socket.
#[derive(Default)]
struct Source(Lock<State>);

#[derive(Default)]
struct State {
    /// Whether a read may be tried.
    ready: bool,
    /// How many reports there have been.
    tick: u64,
    waker: Option<Waker>,
}

/// What a task was told when it began to try.
struct Seen {
    /// How many reports there had been.
    tick: u64,
}

impl Source {
    /// Ready if a read may be tried. Otherwise, keeps the waker of this poll.
    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<Seen> {
        let waker = cx.waker().clone();
        let mut state = self.0.lock().unwrap();
        if state.ready {
            return Poll::Ready(Seen { tick: state.tick });
        }
        let earlier = state.waker.replace(waker);
        drop(state);
        drop(earlier);
        Poll::Pending
    }

    /// Notes that a read would have blocked.
    fn clear(&self, seen: Seen) {
        let mut state = self.0.lock().unwrap();
        // A report that came since may be of a byte that the read did not find.
        if state.tick == seen.tick {
            state.ready = false;
        }
    }

    /// Notes that the kernel has reported an arrival. The executor calls the waker.
    fn report(&self) -> Option<Waker> {
        let mut state = self.0.lock().unwrap();
        state.ready = true;
        state.tick += 1;
        state.waker.take()
    }
}

/// Reads a byte, and waits while there is none.
fn poll_read(source: &Source, socket: &Socket, cx: &mut Context<'_>) -> Poll<u8> {
    loop {
        let seen = ready!(source.poll_ready(cx));
        match socket.read() {
            Some(byte) => return Poll::Ready(byte),
            None => source.clear(seen), // it would block
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09e_would_block.rs"]
mod tests;
