//! What is given while a waiter is about to wait, or to a waiter that is about to go.

use std::{
    sync::{Arc, Mutex, mpsc},
    task::{Context, Waker},
    thread,
    time::Duration,
};

use probe::hostile::{Hostile, Moment};

use super::timers::poll_pending;
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Give, Leaf, Level, fault::LeafFault,
    fixtures::comes_true, lock::lock, rest, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "ready_as_it_registers",
        edition: Edition::E3,
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
        edition: Edition::E3,
        rule: "What was given to a waiter that is dropped before it could take it goes to another waiter, which is woken.",
        why: "A timeout or a `select!` drops a future at any moment, also just after it was woken. If the permit goes with it, the semaphore has one less for good, and the other waiters wait forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            passed_on,
            &[
                (
                    LeafFault::LosesWhatWasGiven,
                    "no other waiter is woken: of two",
                ),
                (
                    LeafFault::PassesOnOneOfTwo,
                    "no other waiter is woken: of three",
                ),
            ],
        ),
    },
    Clause {
        name: "kept_for_the_next",
        edition: Edition::E3,
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
        edition: Edition::E4,
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
    Clause {
        name: "there_when_it_wakes",
        edition: Edition::E5,
        rule: "What a wake is for is there when the waker is called.",
        why: "The task may be polled by another thread before `wake` has returned. If the value is stored only then, the poll finds nothing, and no other wake comes.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            there_when_it_wakes,
            &[(LeafFault::WakesBeforeItGives, "polled during its wake")],
        ),
    },
    Clause {
        name: "used_by_a_waker",
        edition: Edition::E5,
        rule: "While the waker of one waiter is woken or dropped, another waiter for the same thing can be polled.",
        why: "A waker's wake and drop run code of the executor, and the drop of the last waker may run the destructor of a task. If that uses the same channel or lock, the thread waits for itself (tokio's issue 5429).",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            used_by_a_waker,
            &[
                (
                    LeafFault::DropsUnderTheLockOfItsQueue,
                    "it hangs: the waker's drop",
                ),
                (
                    LeafFault::WakesUnderTheLockOfItsQueue,
                    "it hangs: the waker's wake",
                ),
            ],
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
            let spins = rest::cpu_time() + A_FIFTH;
            let _ = comes_true(|| thread.is_finished() || rest::cpu_time() > spins);
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

/// One that waits, and what gives it something. That is not dropped by giving: the drop of a last sender would wake, too.
pub(super) fn given_to_one(leaf: &'static dyn Leaf) -> Answer<(BoxFuture, Give)> {
    if let Ok((receives, mut put)) = leaf.queue() {
        return Ok((receives, Box::new(move || put(Arc::default()))));
    }
    if let Ok((mut waiters, give)) = leaf.waiters(1) {
        return Ok((waiters.remove(0), give));
    }
    let (future, trigger) = leaf.pending()?;
    let mut trigger = Some(trigger);
    Ok((
        future,
        Box::new(move || trigger.take().into_iter().for_each(|trigger| trigger())),
    ))
}

/// As it is woken, another thread polls it. The wake waits until that thread has done so, or is blocked by a lock that is held while it
/// wakes.
pub fn there_when_it_wakes(leaf: &'static dyn Leaf) -> Answer {
    let (mut future, mut give) = given_to_one(leaf)?;
    let (hostile, again) = (Hostile::new(), WakeCounter::new());
    let waker = hostile.waker();
    rest::polled();
    if future
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_ready()
    {
        return Ok(());
    }
    let (tell, polled) = mpsc::channel();
    let (place, counter) = (Mutex::new(Some((future, tell))), again.clone());
    hostile.arm(Moment::Wake, move || {
        let Some((mut future, tell)) = lock(&place).take() else {
            return;
        };
        let counter = counter.clone();
        let polls = thread::spawn(move || {
            let ready = counter.poll(&mut future).is_ready();
            let _ = tell.send((ready, future));
        });
        let spins = rest::cpu_time() + A_FIFTH;
        let _ = comes_true(|| polls.is_finished() || rest::cpu_time() > spins);
    });
    give();
    let (ready, _future) = polled.recv().expect("it is woken");
    let woken = ready || comes_true(|| again.wakes() > 0);
    hostile.disarm();
    assert!(
        woken,
        "pending when it was polled during its wake, and not woken again"
    );
    Ok(())
}

/// Two wait. When a waker of the first one is woken or dropped, the second one is polled. (Clones are not tried: tokio makes them under
/// its locks, and no executor's clone does more than count.)
pub fn used_by_a_waker(leaf: &'static dyn Leaf) -> Answer {
    for (moment, name) in [(Moment::Drop, "drop"), (Moment::Wake, "wake")] {
        rest::says(&format!("the waker's {name} polls another waiter"));
        let (mut waiters, mut give) = leaf.waiters(2)?;
        let other = Arc::new(Mutex::new(waiters.pop()));
        let mut first = waiters.remove(0);
        let hostile = [Hostile::new(), Hostile::new()];
        for hostile in &hostile {
            let other = other.clone();
            hostile.arm(moment, move || {
                // A waker that acts in a poll that it has made itself finds the place taken.
                if let Ok(mut other) = other.try_lock() {
                    let mut cx = Context::from_waker(Waker::noop());
                    let polled = other.as_mut().map(|other| other.as_mut().poll(&mut cx));
                    if polled.is_some_and(|polled| polled.is_ready()) {
                        *other = None;
                    }
                }
            });
            let waker = hostile.waker();
            let _ = first.as_mut().poll(&mut Context::from_waker(&waker));
        }
        give();
        let _ = first.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(first);
        hostile.iter().for_each(Hostile::disarm);
    }
    Ok(())
}

/// Of two waiters, both of which wait, one is woken and dropped. The other is woken, and polled then. Of three waiters, two are given
/// something, and one that is woken is dropped. The two others are woken, one after the other if need be.
pub fn passed_on(leaf: &'static dyn Leaf) -> Answer {
    for (count, gifts, what) in [
        (
            2,
            1,
            "of two waiters the one that was given something is dropped",
        ),
        (
            3,
            2,
            "of three waiters two are given something, and one of them is dropped",
        ),
    ] {
        rest::says(what);
        let (mut waiters, mut give) = leaf.waiters(count)?;
        let mut counters: Vec<_> = (0..count).map(|_| WakeCounter::new()).collect();
        for (counter, waiter) in counters.iter().zip(&mut waiters) {
            poll_pending(counter, waiter);
        }
        let woken = give_one(&mut give, &counters);
        (1..gifts).for_each(|_| give());
        drop((waiters.remove(woken), counters.remove(woken)));
        while !waiters.is_empty() {
            let woken = || counters.iter().position(|counter| counter.wakes() > 0);
            assert!(
                comes_true(|| woken().is_some()),
                "no other waiter is woken: {what}"
            );
            let woken = woken().unwrap_or_default();
            counters[woken].finish(&mut waiters[woken]);
            drop((waiters.remove(woken), counters.remove(woken)));
        }
    }
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
