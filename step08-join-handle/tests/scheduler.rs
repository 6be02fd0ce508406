//! What the figures of *You are the scheduler* show of chapter 08 beside the stage: two polls, and an `idle` that loses wakes.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    task::{Poll, Waker},
};

use probe::CountingWaker;
use step08_join_handle::v2_state_bits::state::{Idle, State};

const SCHEDULED: usize = 1 << 0;
const RUNNING: usize = 1 << 1;

// ANCHOR: polls
/// What a poll of the sender does.
fn send(data: &AtomicBool, task: &Waker) {
    data.store(true, Ordering::Release);
    task.wake_by_ref();
}

/// What a poll of the task does.
fn receive(data: &AtomicBool) -> Poll<()> {
    if data.load(Ordering::Acquire) {
        return Poll::Ready(());
    }
    Poll::Pending
}
// ANCHOR_END: polls

#[test]
fn the_sender_stores_the_data_and_wakes_the_task_which_finds_it() {
    let (data, wakes) = (AtomicBool::new(false), CountingWaker::new());
    assert!(receive(&data).is_pending());
    send(&data, &wakes.waker());
    assert_eq!((receive(&data), wakes.wakes()), (Poll::Ready(()), 1));
}

/// What `idle` must not be: two steps. Returns whether the worker has to put the task into the queue.
// ANCHOR: two_steps
fn idle_in_two_steps(word: &AtomicUsize, other_threads: impl FnOnce()) -> bool {
    let scheduled = word.load(Ordering::Acquire) & SCHEDULED != 0;
    other_threads(); // Here you may let worker 2 run.
    word.fetch_and(!RUNNING, Ordering::AcqRel);
    scheduled
}
// ANCHOR_END: two_steps

#[test]
fn a_wake_between_two_steps_leaves_the_task_in_no_queue() {
    let word = AtomicUsize::new(RUNNING);
    let wake = || _ = word.fetch_or(SCHEDULED, Ordering::AcqRel);
    assert!(!idle_in_two_steps(&word, wake));
    assert_eq!(word.into_inner(), SCHEDULED);
}

/// What `idle` is, without the bit of a task that is cancelled: one step. Returns whether the worker has to put the task into the queue.
// ANCHOR: one_step
fn idle_in_one_step(word: &AtomicUsize) -> bool {
    // Clears the bit, and returns all bits as they were in that moment.
    let before = word.fetch_and(!RUNNING, Ordering::AcqRel);
    before & SCHEDULED != 0
}
// ANCHOR_END: one_step

#[test]
fn idle_in_one_step_answers_as_the_stage_does() {
    for is_woken in [false, true] {
        let (word, state) = (AtomicUsize::new(RUNNING), State::spawned());
        assert!(state.start());
        if is_woken {
            word.fetch_or(SCHEDULED, Ordering::AcqRel);
            assert!(!state.wake());
        }
        assert_eq!(idle_in_one_step(&word), state.idle() == Idle::Schedule);
    }
}
