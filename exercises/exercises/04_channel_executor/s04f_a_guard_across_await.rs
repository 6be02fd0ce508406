//! s04f · repair · 12 minutes · chapter 04, "An executor on a channel"
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

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{watch, within};
    use std::time::Duration;
    use step04_channel_executor::{local, yield_now};

    /// A number that is there at the second poll.
    async fn arrives(number: u32) -> u32 {
        yield_now().await;
        number
    }

    #[test]
    fn three_tasks_add_to_one_total() {
        within(Duration::from_secs(2), || {
            let (executor, spawner) = local::executor();
            let total = Rc::new(Mutex::new(0));
            for number in [1, 10, 100] {
                let adds = add(Rc::clone(&total), arrives(number));
                spawner.spawn(watch(format!("adds {number}"), adds));
            }
            executor.run();
            let total = *total.lock().unwrap();
            assert!(
                total == 111,
                "1, 10 and 100 were added, and the total is {total}. Wanted: 111.\n\
                 Look at: when does `add` read the old total, and what may the other tasks have done since?"
            );
        });
    }

    #[test]
    fn the_total_is_free_while_a_number_has_not_arrived() {
        within(Duration::from_secs(2), || {
            let (executor, spawner) = local::executor();
            let total = Rc::new(Mutex::new(0));
            spawner.spawn(watch("adds 1", add(Rc::clone(&total), arrives(1))));
            let seen = Rc::clone(&total);
            spawner.spawn(async move {
                assert!(
                    seen.try_lock().is_ok(),
                    "`add` is suspended at its `.await`, and the total is locked.\n\
                     Wanted: no guard lives while `add` is suspended.\n\
                     Look at: where is the guard made, and where is it dropped?"
                );
                *seen.lock().unwrap() += 10;
            });
            executor.run();
            let total = *total.lock().unwrap();
            assert!(
                total == 11,
                "The total is {total}. Wanted: 11. If a task panicked, its message is above.\n\
                 Look at: when does `add` read the old total?"
            );
        });
    }
}
