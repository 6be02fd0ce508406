use super::*;
use probe::within;
use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::Duration,
};

fn check(name: &str, predicted: Option<usize>, seen: usize, how_to_find_out: &str) {
    let predicted = predicted.unwrap_or_else(|| {
        panic!("{name}: write down your prediction first, as `Some(…)` in place of `None`.")
    });
    assert!(
        predicted == seen,
        "{name}: the run gives a different answer than {predicted:?}. {how_to_find_out}"
    );
}

/// What the run returns, and its kernel.
fn run<T>(run: impl FnOnce(&Kernel) -> T) -> (T, Arc<State>) {
    let kernel = Kernel::default();
    let answer = within(Duration::from_secs(2), || run(&kernel));
    (answer, kernel.0)
}

#[test]
fn run_1() {
    check(
        "NOTIFIES_FROM_ITS_OWN_THREAD",
        NOTIFIES_FROM_ITS_OWN_THREAD,
        run(ping_pong).1.notifies.load(SeqCst),
        "Which thread wakes the tasks here, and what is that thread not doing at this moment? Read `push` in \
         step09-epoll-reactor/src/executor/queue.rs.",
    );
}

#[test]
fn run_2() {
    check(
        "WAITS_OF_A_BUSY_TASK",
        WAITS_OF_A_BUSY_TASK,
        run(busy).1.waits.load(SeqCst),
        "The executor never sleeps here, but it looks at the kernel from time to time. Read `poll_some` and the constant at \
         the top in step09-epoll-reactor/src/executor.rs. Does a look come after the last poll?",
    );
}

#[test]
fn run_3() {
    check(
        "NOTIFIES_FROM_OUTSIDE",
        NOTIFIES_FROM_OUTSIDE,
        run(from_outside).1.notifies.load(SeqCst),
        "What does the second wake find in the queue's state, after the first? Read `push` in \
         step09-epoll-reactor/src/executor/queue.rs.",
    );
}

#[test]
fn run_4_tries() {
    check(
        "TRIES_FOR_THREE_READS",
        TRIES_FOR_THREE_READS,
        run(three_reads).0,
        "A task tries before it waits, and again after the report. Read `poll_io` in \
         step09-epoll-reactor/src/registered.rs.",
    );
}

#[test]
fn run_4_armed() {
    check(
        "ARMED_FOR_THREE_READS",
        ARMED_FOR_THREE_READS,
        run(three_reads).1.armed.load(SeqCst),
        "A report disarms the socket. When does the runtime arm it again: after the report, or when a task has to wait? Read \
         `arm` and the methods that call it in step09-epoll-reactor/src/reactor/source.rs.",
    );
}

#[test]
fn run_5() {
    check(
        "ARMED_FOR_BOTH_DIRECTIONS",
        ARMED_FOR_BOTH_DIRECTIONS,
        run(both_directions).1.armed.load(SeqCst),
        "The first report disarms the socket in both directions, and one of them is still waited for. Read `report` in \
         step09-epoll-reactor/src/reactor/source.rs.",
    );
}
