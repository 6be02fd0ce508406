//! The heap of version 2: in order, and no larger than it must be.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use step06_reactor::Deadlines;

#[test]
fn they_come_out_in_the_order_of_time_and_not_before() {
    let now = Instant::now();
    let mut deadlines = Deadlines::default();
    for (id, ms) in [(1, 30), (2, 10), (3, 20)] {
        deadlines.add(now + Duration::from_millis(ms), id);
    }
    let taken: Vec<_> = (0..4)
        .map(|tens| {
            let then = now + Duration::from_millis(10 * tens);
            std::iter::from_fn(|| deadlines.take_due(then)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(taken, [vec![], vec![2], vec![3], vec![1]]);
    assert!(deadlines.is_empty());
}

#[test]
#[cfg_attr(
    miri,
    ignore = "safe code on one thread, which the next test runs with ten timers"
)]
fn forgotten_timers_are_at_most_half_of_it() {
    const TIMERS: u64 = 100_000;
    let later = Instant::now() + Duration::from_secs(3_600);
    let mut deadlines = Deadlines::default();
    let (mut wanted, mut most, asked) = (0, 0, Cell::new(0));
    for id in 0..TIMERS {
        deadlines.add(later, id);
        most = most.max(deadlines.len());
        if id % 1_000 == 0 {
            wanted += 1;
        } else {
            deadlines.forget_one(|id| {
                asked.set(asked.get() + 1);
                id % 1_000 == 0
            });
        }
    }
    assert_eq!(wanted, TIMERS as usize / 1_000);
    // The last one is there from its start until it is forgotten, and then the heap is cleared.
    assert_eq!(most, 2 * wanted + 1, "deadlines for {wanted} timers");
    // Two for each that is forgotten, however many there are. To go through the whole heap each time would be
    // a hundred for each.
    let asked = asked.get();
    assert!(
        asked <= 2 * TIMERS,
        "{asked} questions about {TIMERS} timers"
    );
}

#[test]
fn the_heap_is_cleared_when_half_of_it_may_be_forgotten() {
    let later = Instant::now() + Duration::from_secs(3_600);
    let mut deadlines = Deadlines::default();
    for id in 0..10 {
        deadlines.add(later, id);
    }
    let left: Vec<_> = (0..10)
        .map(|last| {
            assert!(!deadlines.is_empty());
            deadlines.forget_one(|id| id > last);
            deadlines.len()
        })
        .collect();
    assert_eq!(left, [10, 10, 10, 10, 10, 4, 4, 4, 1, 0]);
    assert!(deadlines.is_empty());
}
