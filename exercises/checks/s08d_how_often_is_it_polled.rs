use super::*;
use probe::within;
use std::{fmt::Debug, time::Duration};

fn check<T: PartialEq + Debug>(
    name: &str,
    predicted: Option<T>,
    run: impl FnOnce() -> T,
    how_to_find_out: &str,
) {
    let predicted = predicted.unwrap_or_else(|| {
        panic!("{name}: write down your prediction first, as `Some(…)` in place of `None`.")
    });
    let seen = within(Duration::from_secs(2), run);
    assert!(
        predicted == seen,
        "{name}: the run gives a different answer than {predicted:?}. {how_to_find_out}"
    );
}

#[test]
fn run_1_polls() {
    check(
        "POLLS_WHEN_WOKEN",
        POLLS_WHEN_WOKEN,
        || woken().0,
        "After which poll is the bit SCHEDULED set, and what does a wake do that finds it set? Read `wake` and `idle` in \
         step08-join-handle/src/v2_state_bits/state.rs.",
    );
}

#[test]
fn run_1_entries() {
    check(
        "ENTRIES_WHEN_WOKEN",
        ENTRIES_WHEN_WOKEN,
        || woken().1,
        "An entry is made by the spawn, by a wake, or by the worker after a poll. Which of the wakes finds the task idle? And \
         after which poll does the worker put the task back?",
    );
}

#[test]
fn run_2() {
    check(
        "POLLS_OF_THE_WAITING_TASK",
        POLLS_OF_THE_WAITING_TASK,
        waits,
        "Who wakes the first task, and when? A poll of the second task that is pending does not.",
    );
}

#[test]
fn run_3_entries() {
    check(
        "ENTRIES_OF_THE_ABORTED",
        ENTRIES_OF_THE_ABORTED,
        || aborted().0,
        "Count each task from its spawn. Which of the two has a worker taken before anything is aborted? And when they are \
         aborted, which is in the queue already, and which has to be put there? Read `abort` in \
         step08-join-handle/src/v2_state_bits/state.rs.",
    );
}

#[test]
fn run_3_polls() {
    check(
        "POLLS_OF_THE_ABORTED",
        POLLS_OF_THE_ABORTED,
        || aborted().1,
        "Count each task from its spawn. Which of the two is polled before it is aborted? And what does a worker do with a \
         task that was aborted? Read `run` in \
         step08-join-handle/src/v2_state_bits/task.rs.",
    );
}

#[test]
fn run_4() {
    check(
        "OUTPUT_OF_THE_LAST_POLL",
        OUTPUT_OF_THE_LAST_POLL,
        aborts_itself,
        "When does the worker look at the bit CANCELLED? Read `poll` in \
         step08-join-handle/src/v2_state_bits/task.rs.",
    );
}

#[test]
fn run_5() {
    check(
        "POLLS_WITHOUT_A_HANDLE",
        POLLS_WITHOUT_A_HANDLE,
        detached,
        "What becomes of a task whose handle is dropped? The documentation of `JoinHandle` says it.",
    );
}
