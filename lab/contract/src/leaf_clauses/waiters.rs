//! What is given while a waiter is about to wait, or to a waiter that is about to go.

use std::{
    sync::{Arc, Mutex},
    task::Context,
    thread,
    time::Duration,
};

use probe::hostile::{Hostile, Moment};

use super::timers::poll_pending;
use crate::{
    Answer, BoxFuture, Check, Clause, Give, Leaf, Level, fault::LeafFault, fixtures::comes_true,
    lock::lock, rest, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "ready_as_it_registers",
        edition: 3,
        rule: "What happens between a future's check and the moment when its waker is stored is not missed.",
        why: "The future has found nothing and has not left its waker yet. If it does not check again, or hold a lock over both, the wake goes nowhere. A stress test may never meet that moment; a waker whose clone makes the future ready always does.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            ready_as_it_registers,
            &[(LeafFault::ChecksBeforeItClones, "pending, and never woken")],
        ),
    },
    Clause {
        name: "passed_on",
        edition: 3,
        rule: "What was given to a waiter that is dropped before it could take it goes to another waiter, which is woken.",
        why: "A time-out or a `select!` drops a future at any moment, also just after it was woken. If the permit goes with it, the semaphore has one less for good, and the other waiters wait forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(passed_on, &[(LeafFault::LosesWhatWasGiven, "it hangs")]),
    },
    Clause {
        name: "kept_for_the_next",
        edition: 3,
        rule: "What was given to a waiter that is dropped before it could take it is there for the next one to come.",
        why: "A message must not be lost with the future that was woken for it: the next receiver is to get it.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            kept_for_the_next,
            &[(LeafFault::LosesWhatWasGiven, "it hangs")],
        ),
    },
    Clause {
        name: "dropped_with_its_receiver",
        edition: 4,
        rule: "A message that is still in the channel when the last receiver is dropped is dropped too.",
        why: "No code can receive it any more. If it holds the sender of its answer, the task that waits for the answer waits until the last sender of the channel is gone, which may be that task's own (async-channel's issue 23).",
        level: Level::Ecosystem,
        choice: Some(
            "A channel may keep its messages as long as there is a sender, if its documentation says so.",
        ),
        check: Check::Leaf(
            dropped_with_its_receiver,
            &[(LeafFault::KeepsWhatIsQueued, "3 of 3 messages are kept")],
        ),
    },
];

/// Far more CPU time than it takes to make a future ready.
const A_FIFTH: Duration = Duration::from_millis(200);

/// As its waker is cloned, another thread makes the future ready. The clone waits until that thread has done so, or is blocked by
/// a lock that the future holds.
pub fn ready_as_it_registers(leaf: &'static dyn Leaf) -> Answer {
    let (mut future, trigger) = leaf.pending()?;
    let (hostile, trigger) = (Hostile::new(), Mutex::new(Some(trigger)));
    let waker = hostile.waker();
    hostile.arm(Moment::Clone, move || {
        let trigger = lock(&trigger).take();
        if let Some(thread) = trigger.map(thread::spawn) {
            // Where the future holds a spin lock, that thread spins now.
            let spins = probe::cpu_time() + A_FIFTH;
            let _ = comes_true(|| thread.is_finished() || probe::cpu_time() > spins);
        }
    });
    rest::polled();
    let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
    let woken = polled.is_ready() || !hostile.acted() || comes_true(|| hostile.wakes() > 0);
    hostile.disarm();
    assert!(
        woken,
        "pending, and never woken: it was ready while its waker was cloned"
    );
    Ok(())
}

/// Of two waiters, both of which wait, one is woken and dropped. The other is woken, and polled then.
pub fn passed_on(leaf: &'static dyn Leaf) -> Answer {
    let (mut waiters, mut give) = leaf.waiters(2)?;
    let mut counters = [(); 2].map(|()| WakeCounter::new()).to_vec();
    for (counter, waiter) in counters.iter().zip(&mut waiters) {
        poll_pending(counter, waiter);
    }
    let woken = give_one(&mut give, &counters);
    drop((waiters.remove(woken), counters.remove(woken)));
    counters[0].wait(0);
    counters[0].finish(&mut waiters[0]);
    Ok(())
}

/// A waiter is woken and dropped. Then another one is polled for the first time.
pub fn kept_for_the_next(leaf: &'static dyn Leaf) -> Answer {
    let (mut waiters, mut give) = leaf.waiters(2)?;
    let next: BoxFuture = waiters.remove(1);
    let counter = WakeCounter::new();
    poll_pending(&counter, &mut waiters[0]);
    give_one(&mut give, &[counter]);
    drop(waiters);
    WakeCounter::new().finish(&mut { next });
    Ok(())
}

/// Three messages are put into a channel whose receiver was not polled, and into one whose receiver waits. Then the receiver is
/// dropped, and the sender is not.
pub fn dropped_with_its_receiver(leaf: &'static dyn Leaf) -> Answer {
    for waits in [false, true] {
        let (mut receives, mut put) = leaf.queue()?;
        if waits {
            poll_pending(&WakeCounter::new(), &mut receives);
        }
        let message = Arc::new(());
        (0..3).for_each(|_| put(message.clone()));
        drop(receives);
        let kept = || Arc::strong_count(&message) - 1;
        let none = comes_true(|| kept() == 0);
        assert!(none, "{} of 3 messages are kept", kept());
    }
    Ok(())
}

/// Gives one of them what it waits for. Returns which of them was woken.
fn give_one(give: &mut Give, counters: &[Arc<WakeCounter>]) -> usize {
    give();
    let woken = || counters.iter().position(|counter| counter.wakes() > 0);
    assert!(comes_true(|| woken().is_some()), "no waiter is woken");
    woken().unwrap_or_default()
}
