//! Each change of a task's state is one atomic step, so whatever any number of threads do is some order of these steps.
//! This takes every order of them. Beside the real state it keeps a plain record of what must be true.
//!
//! An order of steps leads to one of finitely many situations, so the search ends. What it cannot see is the memory that
//! the steps order; loom is for that.
//!
//! Stage 10 includes this file too. What a state can do is said around it.

use std::{
    collections::{HashSet, VecDeque},
    hash::Hash,
};

use Step::*;

use super::{Idle, STEPS, State, add_reference, claim, spawned, start, unwait};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Wake,
    Abort,
    TakeFromQueue,
    PollIsPending,
    Finish,
    Claim,
    StoreWaker,
    TakeWakerBack,
    DropHandle,
    /// A sleeper puts a second entry beside the one that a stuck worker has.
    Rescue,
}

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
    // A handle that can take its waker back does so before it stores another one and before it is dropped.
    let stored = record.waiting && STEPS.contains(&TakeWakerBack);
    match step {
        Wake | Claim => true,
        Abort => !record.detached,
        StoreWaker => !record.detached && !stored,
        TakeWakerBack => !record.detached && record.waiting,
        DropHandle => !record.detached && (!stored || record.future == Future::Gone),
        TakeFromQueue => record.entries > 0,
        Rescue => record.entries == 1,
        PollIsPending => record.future == Future::Polled,
        Finish => matches!(record.future, Future::Polled | Future::BeingDropped),
    }
}

/// Makes the step on both, and compares what the state says with what is true.
fn make(step: Step, state: &State, record: &mut Record) {
    let free = record.future == Future::Free;
    let gone = record.future == Future::Gone;
    let entries = record.entries;
    match step {
        Wake => {
            let idle = free && !record.woken && !record.cancelled;
            record.woken = true;
            assert_eq!(state.wake(), idle, "one entry for each poll");
            record.entries += usize::from(idle);
        }
        Abort => {
            let idle = free && !record.woken && !record.cancelled;
            record.cancelled |= !gone;
            assert_eq!(state.abort(), idle, "one entry for each poll");
            record.entries += usize::from(idle);
        }
        TakeFromQueue => {
            record.entries -= 1;
            let waits = free && (record.woken || record.cancelled);
            let expected = waits.then_some(record.cancelled);
            assert_eq!(start(state), expected, "is it cancelled?");
            match expected {
                None => {}
                Some(true) => record.future = Future::BeingDropped,
                Some(false) => (record.future, record.woken) = (Future::Polled, false),
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
            assert_eq!(claim(state), free, "the future is free");
            record.cancelled |= !gone;
            if free {
                record.future = Future::BeingDropped;
            }
        }
        StoreWaker => {
            assert_eq!(state.wait(), gone, "a waker stored too late is not called");
            record.waiting = true;
        }
        TakeWakerBack => {
            assert_eq!(unwait(state), !gone, "whose is the waker?");
            record.waiting = gone;
        }
        DropHandle => {
            let told = state.detach();
            assert_eq!(told, gone, "who drops the result?");
            record.detached = true;
            record.results_dropped += usize::from(told);
        }
        Rescue => record.entries += 1,
    }
    // A new entry is a reference. The worker that polls gives its own up in `idle`.
    (entries..record.entries).for_each(|_| add_reference(state));
}

/// What must be true between any two steps.
fn check(state: &State, record: &Record) {
    let gone = record.future == Future::Gone;
    assert_eq!(state.is_finished(), gone);
    let waits = record.future == Future::Free && (record.woken || record.cancelled);
    assert!(record.entries > 0 || !waits, "no worker will take it");
    let one = record.entries <= 1 || STEPS.contains(&Rescue);
    assert!(one, "it is in the queue twice");
    let dropped = usize::from(gone && record.detached);
    assert_eq!(record.results_dropped, dropped, "drops of the result");
}

/// Makes the steps of a path, which has been found to be possible, and returns where it leads.
fn after(path: &[Step]) -> (State, Record) {
    let state = spawned();
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

/// Makes the steps in every order that is possible, and returns how many situations there are.
pub fn situations() -> usize {
    explore(|path| {
        let (state, record) = after(path);
        check(&state, &record);
        let steps = STEPS.iter().copied();
        let possible = steps.filter(|step| is_possible(*step, &record)).collect();
        ((format!("{state:?}"), record), possible)
    })
}

/// Goes every way from situation to situation, and returns how many there are. `after` goes a way from the start, and returns
/// the situation that it leads to and the steps that are possible there.
pub fn explore<Step: Copy, Situation: Eq + Hash>(
    after: impl Fn(&[Step]) -> (Situation, Vec<Step>),
) -> usize {
    let (mut seen, mut ways) = (HashSet::new(), VecDeque::from([vec![]]));
    while let Some(way) = ways.pop_front() {
        let (situation, possible) = after(&way);
        if seen.insert(situation) {
            ways.extend(possible.iter().map(|step| [&way[..], &[*step]].concat()));
        }
    }
    seen.len()
}
