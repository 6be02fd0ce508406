//! s04f, solved: first the `.await`, then the lock.

use std::rc::Rc;
use std::sync::Mutex;

/// Waits for a number, and adds it to the total.
async fn add(total: Rc<Mutex<u32>>, number: impl Future<Output = u32>) {
    let number = number.await;
    // The guard is dropped at the end of this statement, so it never lives across an `.await`.
    *total.lock().unwrap() += number;
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04f_a_guard_across_await.rs"]
mod tests;
