//! Every combination of what the poll answers, when the task is aborted, and when its handle is dropped.

use std::task::Poll;

use probe::within;

use super::bench::{Bench, LIMIT, on_purpose};

/// What the poll answers; when the task is aborted; when its handle is dropped. Then what is seen after the run: polls,
/// drops of the future, drops of the output; what the handle answers; the drops of both when all is gone.
///
/// A task without a handle cannot be aborted, and in a task that was aborted before, no poll drops the handle. An abort after
/// the poll puts an idle task into the queue once more.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    [usize; 3],
    &'static str,
    [usize; 2],
);

const PANIC: &str = "the task panicked: this panic belongs to the test";
const CANCELLED: &str = "the task was cancelled";
const NO_HANDLE: &str = "";

#[rustfmt::skip]
const TABLE: [Row; 34] = [
    ("pending", "never",  "never",  [1, 0, 0], "pending",   [1, 0]),
    ("pending", "never",  "before", [1, 0, 0], NO_HANDLE,   [1, 0]),
    ("pending", "never",  "during", [1, 0, 0], NO_HANDLE,   [1, 0]),
    ("pending", "never",  "after",  [1, 0, 0], NO_HANDLE,   [1, 0]),
    ("pending", "before", "never",  [0, 1, 0], CANCELLED,   [1, 0]),
    ("pending", "before", "before", [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("pending", "before", "after",  [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("pending", "during", "never",  [1, 1, 0], CANCELLED,   [1, 0]),
    ("pending", "during", "during", [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("pending", "during", "after",  [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("pending", "after",  "never",  [1, 1, 0], CANCELLED,   [1, 0]),
    ("pending", "after",  "after",  [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("ready",   "never",  "never",  [1, 1, 1], "an output", [1, 1]),
    ("ready",   "never",  "before", [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("ready",   "never",  "during", [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("ready",   "never",  "after",  [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("ready",   "before", "never",  [0, 1, 0], CANCELLED,   [1, 0]),
    ("ready",   "before", "before", [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("ready",   "before", "after",  [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("ready",   "during", "never",  [1, 1, 1], "an output", [1, 1]),
    ("ready",   "during", "during", [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("ready",   "during", "after",  [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("ready",   "after",  "never",  [1, 1, 1], "an output", [1, 1]),
    ("ready",   "after",  "after",  [1, 1, 1], NO_HANDLE,   [1, 1]),
    ("panics",  "never",  "never",  [1, 1, 0], PANIC,       [1, 0]),
    ("panics",  "never",  "before", [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "never",  "during", [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "never",  "after",  [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "before", "never",  [0, 1, 0], CANCELLED,   [1, 0]),
    ("panics",  "before", "before", [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "before", "after",  [0, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "during", "never",  [1, 1, 0], PANIC,       [1, 0]),
    ("panics",  "during", "during", [1, 1, 0], NO_HANDLE,   [1, 0]),
    ("panics",  "during", "after",  [1, 1, 0], NO_HANDLE,   [1, 0]),
];

fn seen(&(poll, abort, drop_handle, ..): &Row) -> ([usize; 3], String, [usize; 2]) {
    let bench = Bench::new(move |_, handle| {
        let mut handle = handle.lock().unwrap();
        if abort == "during" {
            handle.as_ref().unwrap().abort();
        }
        let dropped = (drop_handle == "during").then(|| handle.take());
        drop(handle);
        drop(dropped);
        match poll {
            "pending" => Poll::Pending,
            "ready" => Poll::Ready(()),
            _ => on_purpose(),
        }
    });
    if abort == "before" {
        bench.abort();
    }
    if drop_handle == "before" {
        bench.drop_handle();
    }
    assert!(bench.tick());
    if abort == "after" {
        bench.abort();
        bench.abort();
        assert_eq!(
            bench.counts()[2],
            usize::from(poll == "ready"),
            "a worker drops it"
        );
        assert_eq!(bench.tick(), poll == "pending");
    }
    assert!(!bench.tick());
    let answer = match drop_handle {
        "never" => bench.answer(),
        _ => NO_HANDLE.to_owned(),
    };
    bench.drop_handle();
    let [_, polls, future, output] = bench.counts();
    ([polls, future, output], answer, bench.end())
}

#[test]
fn every_combination_of_poll_abort_and_handle() {
    for row in TABLE {
        let (poll, abort, drop_handle, counts, answer, at_the_end) = row;
        assert_eq!(
            within(LIMIT, || seen(&row)),
            (counts, answer.to_owned(), at_the_end),
            "poll: {poll}; aborted: {abort}; handle dropped: {drop_handle}"
        );
    }
}
