//! s04f · repair · 10 minutes · chapter 04, "An executor on a channel"
//!
//! A poll that blocks its thread stops every other task on it. In *Inside async*, a read does that (D27); here it is a
//! lock. Tasks on a local executor wait for a number each, and add it to one total. On an executor that asks for `Send`,
//! this `add` would not compile, and not only because of its `Rc`. Here it compiles and hangs. Fix `add`. The total
//! stays in its `std::sync::Mutex`, which is all you need.
//!
//! Run: `cargo test --bin s04f_a_guard_across_await`
//! Red: the watchdog says which poll does not return; later, which total was wrong.

use std::rc::Rc;
use std::sync::Mutex;

/// Waits for a number, and adds it to the total.
async fn add(total: Rc<Mutex<u32>>, number: impl Future<Output = u32>) {
    // TODO: what happens if another task locks the total while this one is suspended?
    let mut total = total.lock().unwrap();
    *total += number.await;
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04f_a_guard_across_await.rs"]
mod tests;
