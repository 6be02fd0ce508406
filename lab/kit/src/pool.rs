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
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::{Duration, Instant},
    };

    use super::*;

    #[test]
    fn as_many_run_at_once_as_may() {
        let (here, start) = (AtomicUsize::new(0), Instant::now());
        let all_met = each(3, 0..3, |_| {
            here.fetch_add(1, Ordering::SeqCst);
            while here.load(Ordering::SeqCst) < 3 && start.elapsed() < Duration::from_secs(10) {
                thread::yield_now();
            }
            here.load(Ordering::SeqCst) == 3
        });
        assert_eq!(all_met, [true; 3]);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        each(2, 0..4, |number| assert_ne!(number, 2));
    }
}
