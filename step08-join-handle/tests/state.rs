//! Each change of a task's state is one atomic step, so whatever any number of threads do is some order of these steps.
//! This test takes every order of them. Beside the real state it keeps a plain record of what must be true.
//!
//! An order of steps leads to one of finitely many situations, so the search ends. What it cannot see is the memory that
//! the steps order; `tests/loom/` is about that.

use std::collections::HashSet;

use Step::*;
use step08_join_handle::v2_state_bits::state::{Idle, Start, State};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Wake,
    Abort,
    TakeFromQueue,
    PollIsPending,
    Finish,
    Claim,
    StoreWaker,
    DropHandle,
}

const STEPS: [Step; 8] = [
    Wake,
    Abort,
    TakeFromQueue,
    PollIsPending,
    Finish,
    Claim,
    StoreWaker,
    DropHandle,
];

/// Who may touch the future.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
enum Future {
    #[default]
    Free,
    Polled,
    BeingDropped,
    Gone,
}

/// What must be true, whatever the bits say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Record {
    /// How often the task is in the queue, or about to be put there.
    entries: usize,
    future: Future,
    /// Woken since it was last taken from the queue.
    woken: bool,
    cancelled: bool,
    /// The handle has stored a waker.
    waiting: bool,
    detached: bool,
    /// How often the result was taken or dropped by a thread that was told to.
    results_dropped: usize,
}

/// Whether another thread can make this step at all.
fn is_possible(step: Step, record: &Record) -> bool {
    match step {
        Wake | Claim => true,
        Abort | StoreWaker | DropHandle => !record.detached,
        TakeFromQueue => record.entries > 0,
        PollIsPending => record.future == Future::Polled,
        Finish => matches!(record.future, Future::Polled | Future::BeingDropped),
    }
}

/// Makes the step on both, and compares what the state says with what is true.
fn make(step: Step, state: &State, record: &mut Record) {
    let free = record.future == Future::Free;
    let gone = record.future == Future::Gone;
    match step {
        Wake => {
            record.woken = true;
            record.entries += usize::from(state.wake());
        }
        Abort => {
            record.cancelled |= !gone;
            record.entries += usize::from(state.abort());
        }
        TakeFromQueue => {
            record.entries -= 1;
            let expected = match (free, record.cancelled) {
                (false, _) => Start::Nothing,
                (true, true) => Start::Cancel,
                (true, false) => Start::Poll,
            };
            assert_eq!(state.start(), expected);
            match expected {
                Start::Nothing => {}
                Start::Cancel => record.future = Future::BeingDropped,
                Start::Poll => (record.future, record.woken) = (Future::Polled, false),
            }
        }
        PollIsPending => {
            let expected = match (record.cancelled, record.woken) {
                (true, _) => Idle::Cancel,
                (false, true) => Idle::Schedule,
                (false, false) => Idle::Nothing,
            };
            assert_eq!(state.idle(), expected);
            record.future = match expected {
                Idle::Cancel => Future::BeingDropped,
                Idle::Schedule | Idle::Nothing => Future::Free,
            };
            record.entries += usize::from(expected == Idle::Schedule);
        }
        Finish => {
            let finish = state.finish();
            assert_eq!(finish.handle, !record.detached, "who drops the result?");
            assert_eq!(finish.waiting, record.waiting, "is a waker to be called?");
            record.future = Future::Gone;
            record.results_dropped += usize::from(!finish.handle);
        }
        Claim => {
            assert_eq!(state.claim(), free, "the future is free");
            record.cancelled |= !gone;
            if free {
                record.future = Future::BeingDropped;
            }
        }
        StoreWaker => {
            assert_eq!(state.wait(), gone, "a waker stored too late is not called");
            record.waiting = true;
        }
        DropHandle => {
            let told = state.detach();
            assert_eq!(told, gone, "who drops the result?");
            record.detached = true;
            record.results_dropped += usize::from(told);
        }
    }
}

/// What must be true between any two steps.
fn check(state: &State, record: &Record) {
    let gone = record.future == Future::Gone;
    assert_eq!(state.is_finished(), gone);
    assert!(record.entries <= 1, "it is in the queue twice");
    if record.future == Future::Free && (record.woken || record.cancelled) {
        assert_eq!(record.entries, 1, "no worker will take it");
    }
    let dropped = usize::from(gone && record.detached);
    assert_eq!(record.results_dropped, dropped, "drops of the result");
}

/// Makes the steps of a path, which has been found to be possible, and returns where it leads.
fn after(path: &[Step]) -> (State, Record) {
    let state = State::spawned();
    let mut record = Record {
        entries: 1,
        woken: true,
        ..Record::default()
    };
    for &step in path {
        make(step, &state, &mut record);
    }
    (state, record)
}

#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in 20 seconds"
)]
#[test]
fn every_order_of_steps_keeps_one_owner_one_entry_and_one_result() {
    let mut seen = HashSet::new();
    let mut paths = vec![vec![]];
    while let Some(path) = paths.pop() {
        let (state, record) = after(&path);
        check(&state, &record);
        if !seen.insert((format!("{state:?}"), record.clone())) {
            continue;
        }
        let possible = STEPS.iter().filter(|step| is_possible(**step, &record));
        paths.extend(possible.map(|step| [&path[..], &[*step]].concat()));
    }
    // A search that ends early finds no mistake.
    assert_eq!(seen.len(), 104, "situations");
}
