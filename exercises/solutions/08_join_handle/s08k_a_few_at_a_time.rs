//! s08k · complete · 20 minutes · chapter 08, "Deeper: a runtime around the task"
//!
//! This runs on tokio itself. A program fetches ten thousand pages, but the server allows only a few requests at a time.
//!
//! Write `fetch_all`, so that it keeps four rules:
//!
//! 1. At most `limit` futures of `fetch` are under way, and as long as pages are left, no fewer. So when one is ready, the
//!    next page begins, whichever it was: a slow page keeps no other waiting.
//! 2. The pages are begun in their order, and the answers are in the same order.
//! 3. The first error is returned as soon as it is there. Then those that are under way are dropped, and no other is begun.
//! 4. The same is true if the future of `fetch_all` is dropped. And if `fetch` panics, so does `fetch_all`.
//!
//! tokio has `JoinSet` and `Semaphore`, and `futures` has streams with `buffer_unordered`, for example.
//!
//! Run: `cargo test --bin s08k_a_few_at_a_time`, or save this file while `rustlings` runs.
//! Red: a test says which pages were under way, and what happened to one of them.

use futures::{StreamExt, TryStreamExt, stream};
use std::sync::Arc;
use tokio::{sync::Semaphore, task::JoinSet};

/// Why a page can't be had.
#[derive(Debug, PartialEq)]
struct Error(String);

/// Fetches these pages.
async fn fetch_all<F>(
    pages: Vec<u32>,
    limit: usize,
    fetch: impl Fn(u32) -> F,
) -> Result<Vec<String>, Error>
where
    F: Future<Output = Result<String, Error>> + Send + 'static,
{
    let fetch = &fetch;
    let numbered = stream::iter(pages.into_iter().enumerate());
    let answers =
        numbered.map(|(number, page)| async move { fetch(page).await.map(|it| (number, it)) });
    let mut answers: Vec<_> = answers.buffer_unordered(limit).try_collect().await?;
    answers.sort_by_key(|(number, _)| *number);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08k_a_few_at_a_time.rs"]
mod tests;
