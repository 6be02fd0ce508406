//! The same work on many things, several at a time.

use std::{
    num::NonZero,
    sync::{Mutex, PoisonError},
    thread,
};

/// How many things the machine can do at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Calls `work` with each of the items, on `at_once` threads, and returns the answers in the order of the items.
///
/// ```
/// let squares = kit::pool::each(3, 1..=5, |number: u32| number * number);
/// assert_eq!(squares, [1, 4, 9, 16, 25]);
/// ```
///
/// # Panics
///
/// If `work` panics, once the other threads have done what is left.
pub fn each<Item: Send, Answer: Send>(
    at_once: usize,
    items: impl IntoIterator<Item = Item>,
    work: impl Fn(Item) -> Answer + Sync,
) -> Vec<Answer> {
    let items: Vec<_> = items.into_iter().enumerate().collect();
    let (left, answers) = (Mutex::new(items.into_iter()), Mutex::new(Vec::new()));
    // Poisoned or not, an iterator and a list are as they were.
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            scope.spawn(|| {
                while let Some((place, item)) = next() {
                    let answer = work(item);
                    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                    answers.push((place, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use std::{sync::Condvar, time::Duration};

    use super::*;

    /// Has four pieces of work wait for each other, and says of each whether three or more of them were there at once.
    fn three_meet(at_once: usize, limit: Duration) -> Vec<bool> {
        let (here, comes) = (Mutex::new(0), Condvar::new());
        each(at_once, 0..4, |_| {
            let mut count = here.lock().unwrap();
            *count += 1;
            comes.notify_all();
            let missing = |count: &mut i32| (1..3).contains(count);
            let (mut count, _) = comes.wait_timeout_while(count, limit, missing).unwrap();
            let met = *count >= 3;
            if !met {
                *count -= 1;
            }
            met
        })
    }

    #[test]
    fn as_many_run_at_once_as_may_and_no_more() {
        assert_eq!(three_meet(3, Duration::from_secs(10)), [true; 4]);
        assert_eq!(three_meet(2, Duration::from_millis(10)), [false; 4]);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        each(2, 0..4, |number| assert_ne!(number, 2));
    }
}
