//! How many deadlines are in the heap while timers are forgotten one by one.

use std::time::Instant;

use step06_reactor::Deadlines;

// ANCHOR: program
fn program() -> Vec<usize> {
    let mut deadlines = Deadlines::default();
    let mut timers = vec![0, 1, 2, 3, 4, 5];
    for id in &timers {
        deadlines.add(Instant::now(), *id);
    }
    let mut lengths = Vec::new();
    while timers.pop().is_some() {
        deadlines.forget_one(|id| timers.contains(&id));
        lengths.push(deadlines.len());
    }
    lengths
}
// ANCHOR_END: program

#[test]
fn they_go_once_more_than_half_may_be_forgotten() {
    assert_eq!(program(), [6, 6, 6, 2, 2, 0]);
}
