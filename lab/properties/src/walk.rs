//! Each change of a task's state is one atomic step, so whatever any number of threads do is some order of these steps.
//! This takes every order of them. Beside the real state it keeps a plain record of what must be true.
//!
//! An order of steps leads to one of finitely many situations, so the search ends. What it cannot see is the memory that
//! the steps order; loom is for that.

use std::{
    collections::{HashSet, VecDeque},
    fmt::Debug,
    hash::Hash,
};

use Step::*;

/// A task's state, and what a stage's state can do. Each method is one step, and is said to have been told what it returns.
pub trait State: Debug {
    /// The steps that there are in this stage.
    const STEPS: &'static [Step];

    /// The state of a task that is in a queue and has a handle.
    fn spawned() -> Self;

    /// There is one more reference, if the state counts them.
    fn add_reference(&self) {}

    /// Whether the caller must put the task into a queue.
    fn wake(&self) -> bool;

    /// Whether the caller must put the task into a queue.
    fn abort(&self) -> bool;

    /// `None`: there is nothing to do. Otherwise, whether the task was cancelled.
    fn start(&self) -> Option<bool>;

    /// What to do after a pending poll.
    fn idle(&self) -> Idle;

    /// Who is interested in the end of the task.
    fn finish(&self) -> Finish;

    /// Whether the caller must drop the future.
    fn claim(&self) -> bool {
        unreachable!("{Claim:?} is no step of this stage")
    }

    /// Whether the waker came too late, and is still the handle's.
    fn wait(&self) -> bool;

    /// Whether the handle has its waker back.
    fn unwait(&self) -> bool {
        unreachable!("{TakeWakerBack:?} is no step of this stage")
    }

    /// Whether the caller must drop the result.
    fn detach(&self) -> bool;

    /// Whether the result is there.
    fn is_finished(&self) -> bool;
}

/// What to do with a task whose poll is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// Nothing.
    Nothing,
    /// Put it into a queue.
    Schedule,
    /// Drop its future.
    Cancel,
}

/// Who is interested in a task that has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finish {
    /// There is a handle, to which the result is left.
    pub handle: bool,
    /// The handle has left a waker, which must be called.
    pub waiting: bool,
}

/// What a thread may do to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A waker is called.
    Wake,
    /// The handle aborts it.
    Abort,
    /// A worker takes it from the queue.
    TakeFromQueue,
    /// Its poll is pending.
    PollIsPending,
    /// Its future has been dropped, and the result stored.
    Finish,
    /// A shutdown takes its future.
    Claim,
    /// The handle has stored a waker.
    StoreWaker,
    /// The handle wants its waker back.
    TakeWakerBack,
    /// The handle is dropped.
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
fn is_possible<S: State>(step: Step, record: &Record) -> bool {
    // A handle that can take its waker back does so before it stores another one and before it is dropped.
    let stored = record.waiting && S::STEPS.contains(&TakeWakerBack);
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
fn make<S: State>(step: Step, state: &S, record: &mut Record) {
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
            assert_eq!(state.start(), expected, "is it cancelled?");
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
        TakeWakerBack => {
            assert_eq!(state.unwait(), !gone, "whose is the waker?");
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
    (entries..record.entries).for_each(|_| state.add_reference());
}

/// What must be true between any two steps.
fn check<S: State>(state: &S, record: &Record) {
    let gone = record.future == Future::Gone;
    assert_eq!(state.is_finished(), gone);
    let waits = record.future == Future::Free && (record.woken || record.cancelled);
    assert!(record.entries > 0 || !waits, "no worker will take it");
    let one = record.entries <= 1 || S::STEPS.contains(&Rescue);
    assert!(one, "it is in the queue twice");
    let dropped = usize::from(gone && record.detached);
    assert_eq!(record.results_dropped, dropped, "drops of the result");
}

/// Makes the steps of a path, which has been found to be possible, and returns where it leads.
fn after<S: State>(path: &[Step]) -> (S, Record) {
    let state = S::spawned();
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
pub fn situations<S: State>() -> usize {
    explore(|path| {
        let (state, record) = after::<S>(path);
        check(&state, &record);
        let steps = S::STEPS.iter().copied();
        let possible = steps
            .filter(|step| is_possible::<S>(*step, &record))
            .collect();
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
