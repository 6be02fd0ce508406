//! s04h · repair · 20 minutes · chapter 04, "An executor on a channel"
//!
//! This runs on tokio itself, on a runtime with one thread. `Renderer` is around a library that draws a page. A call of it
//! computes for a second, and as long as it does, no other task is polled: requests time out that have nothing to do with pages.
//!
//! Repair `render`, so that it keeps four rules:
//!
//! 1. While the library draws, the runtime's thread polls other tasks.
//! 2. The library draws at most two pages at once, because it has memory for two. That's also true if a caller gives up: it
//!    may drop the future of `render` at any moment, for example in a timeout, but nobody can stop a call of the library.
//! 3. Whoever waits for its turn keeps no thread waiting. A caller that gives up before its turn leaves no call behind.
//! 4. If the library panics, the caller gets `Err(Failed)`, and the next one has its turn as usual.
//!
//! tokio's `Semaphore` has a number of permits. `acquire` waits for one, and gives it back when it's dropped.
//! `acquire_owned` does the same, with a permit that doesn't borrow the semaphore.
//!
//! Run: `cargo test --bin s04h_a_call_that_blocks`, or save this file while `rustlings` runs.
//! Red: a test says on which thread the library draws, or how many pages it draws at once, and who has given up.

use std::sync::Arc;
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Draws the page with this number. It blocks its thread meanwhile.
type Library = Arc<dyn Fn(u32) -> String + Send + Sync>;

/// The library has panicked.
#[derive(Debug, PartialEq)]
struct Failed;

/// Clones share the library and its turns.
#[derive(Clone)]
struct Renderer {
    library: Library,
    turns: Arc<Semaphore>,
}

impl Renderer {
    fn new(library: Library) -> Renderer {
        Renderer {
            library,
            turns: Arc::new(Semaphore::new(2)),
        }
    }

    async fn render(&self, page: u32) -> Result<String, Failed> {
        // TODO: which thread calls the library here, and how many may?
        Ok((self.library)(page))
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04h_a_call_that_blocks.rs"]
mod tests;
