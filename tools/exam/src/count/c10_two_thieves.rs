//! Who has how many tasks after three steals.

use crossbeam_deque::Worker;

// ANCHOR: program
fn program() -> [usize; 6] {
    let [victim, a, b] = [Worker::new_fifo(), Worker::new_fifo(), Worker::new_fifo()];
    (1..=21).for_each(|task| victim.push(task));

    // Takes half of a queue, rounded up. Returns the first of these tasks, and puts the others
    // into the thief's own queue.
    let first_of_a = victim.stealer().steal_batch_and_pop(&a).success();
    let first_of_b = a.stealer().steal_batch_and_pop(&b).success();
    let second_of_a = victim.stealer().steal_batch_and_pop(&a).success();
    let polled = [first_of_a, first_of_b, second_of_a].map(Option::unwrap);
    [
        victim.len(),
        a.len(),
        b.len(),
        polled[0],
        polled[1],
        polled[2],
    ]
}
// ANCHOR_END: program

#[test]
fn a_steal_takes_the_front_half_and_polls_the_first() {
    assert_eq!(program(), [5, 9, 4, 1, 2, 12]);
}
