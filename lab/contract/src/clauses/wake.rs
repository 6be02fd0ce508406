//! A wake leads to a poll: all the ways in which a task can be woken.

use std::{task::Waker, thread};

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{
        A_MOMENT, act, compute, run_one, wake_by_value, wake_elsewhere, woken_after, woken_when,
        yields,
    },
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "woken_in_poll",
        edition: Edition::E1,
        rule: "A wake made inside poll leads to another poll.",
        why: "This is how a task yields. An executor that marks the task as not woken after the poll forgets the wake.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(woken_in_poll, &[(Fault::ForgetsWakesInPoll, "it hangs")]),
    },
    Clause {
        name: "woken_in_poll_by_another",
        edition: Edition::E1,
        rule: "A wake by another thread during a poll leads to another poll.",
        why: "The event may come between the moment at which the future checks for it and the moment at which it returns Pending.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(
            woken_in_poll_by_another,
            &[
                (Fault::HearsItsOwnThreadOnly, "it hangs"),
                (Fault::PanicsWhenWokenInPoll, "tasks are not done"),
            ],
        ),
    },
    Clause {
        name: "woken_asleep",
        edition: Edition::E1,
        rule: "A wake by another thread ends the executor's sleep.",
        why: "Putting the task in the queue is not enough if the executor sleeps and never checks the queue.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(woken_asleep, &[(Fault::SleepsThroughWakes, "it hangs")]),
    },
    Clause {
        name: "by_value_and_by_reference",
        edition: Edition::E1,
        rule: "wake and wake_by_ref, of a waker and of its clones, all lead to a poll.",
        why: "A vtable that is written by hand has a function for each of them, and one may be wrong.",
        level: Level::VTABLE_WAKES,
        choice: None,
        check: Check::Runtime(
            by_value_and_by_reference,
            &[
                (Fault::WakesByValueOnly, "it hangs"),
                (Fault::WakesByReferenceOnly, "it hangs"),
                (Fault::ClonesWakeByValueOnly, "it hangs"),
            ],
        ),
    },
    Clause {
        name: "woken_twice",
        edition: Edition::E1,
        rule: "A task that is woken twice is polled.",
        why: "Two wakes must not cancel each other out.",
        level: Level::EACH_WAKE,
        choice: None,
        check: Check::Runtime(woken_twice, &[(Fault::TogglesWhenWoken, "it hangs")]),
    },
    Clause {
        name: "a_million_wakes",
        edition: Edition::E1,
        rule: "A million wakes before the next poll lead to one poll.",
        why: "Otherwise each wake adds an entry to the queue. Memory grows, and the task is polled for nothing.",
        level: Level::Quality,
        choice: Some(
            "The documentation of Future allows polls without a wake, but each of them costs time.",
        ),
        check: Check::Runtime(
            a_million_wakes,
            &[(Fault::QueuesEveryWake, "polls, of which 3 had a reason")],
        ),
    },
    Clause {
        name: "an_earlier_waker",
        edition: Edition::E1,
        rule: "A waker kept from an earlier poll still wakes its task if will_wake says so.",
        why: "A future keeps the waker of its first poll as long as will_wake says that the new waker wakes the same task. So a poll in which no waker is cloned proves nothing.",
        level: Level::SAME_TASK,
        choice: None,
        check: Check::Runtime(
            an_earlier_waker,
            &[(Fault::ExpectsACloneInEachPoll, "it hangs")],
        ),
    },
];

/// A task wakes itself in each of three polls.
pub fn woken_in_poll(runtime: &'static dyn Runtime) -> Answer {
    run_one(runtime, yields(3))?;
    Ok(())
}

/// In each of three polls another thread wakes the task, and has done so before the poll returns.
pub fn woken_in_poll_by_another(runtime: &'static dyn Runtime) -> Answer {
    run_one(runtime, act(3, wake_elsewhere))?;
    Ok(())
}

/// Three times another thread wakes the task a moment after it was polled.
pub fn woken_asleep(runtime: &'static dyn Runtime) -> Answer {
    run_one(runtime, async {
        for _ in 0..3 {
            woken_after(A_MOMENT).await;
        }
    })?;
    Ok(())
}

/// One way to wake for each poll.
pub fn by_value_and_by_reference(runtime: &'static dyn Runtime) -> Answer {
    let ways: [fn(&Waker); 4] = [
        |waker| waker.wake_by_ref(),
        wake_by_value,
        |waker| waker.clone().wake_by_ref(),
        |waker| {
            let first = waker.clone();
            let second = first.clone();
            drop(first);
            second.wake();
        },
    ];
    let mut ways = ways.into_iter();
    run_one(
        runtime,
        act(4, move |waker| {
            let way = ways.next().expect("one for each poll");
            way(waker);
        }),
    )?;
    Ok(())
}

/// A task is woken twice in each of three polls.
pub fn woken_twice(runtime: &'static dyn Runtime) -> Answer {
    run_one(
        runtime,
        act(3, |waker| {
            waker.wake_by_ref();
            wake_by_value(waker);
        }),
    )?;
    Ok(())
}

/// A task wakes itself a million times in one poll, and then waits for something else.
pub fn a_million_wakes(runtime: &'static dyn Runtime) -> Answer {
    let storm = |waker: &Waker| (0..1_000_000).for_each(|_| waker.wake_by_ref());
    let counts = run_one(runtime, async move {
        act(1, storm).await;
        woken_when(|| compute(2 * A_MOMENT)).await;
    })?;
    assert!(
        counts.polls() <= 3,
        "{} polls, of which 3 had a reason",
        counts.polls()
    );
    Ok(())
}

/// After the second poll, the waker of the first poll is called, or the second one if they differ.
pub fn an_earlier_waker(runtime: &'static dyn Runtime) -> Answer {
    let mut earlier: Option<Waker> = None;
    run_one(
        runtime,
        act(2, move |waker| match earlier.take() {
            None => {
                earlier = Some(waker.clone());
                waker.wake_by_ref();
            }
            Some(mut earlier) => {
                earlier.clone_from(waker);
                thread::spawn(move || {
                    thread::sleep(A_MOMENT);
                    earlier.wake();
                });
            }
        }),
    )?;
    Ok(())
}
