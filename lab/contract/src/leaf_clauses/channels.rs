//! Messages of a channel, its close, and events for all.

use std::{
    panic::{AssertUnwindSafe, resume_unwind},
    sync::Arc,
    task::{Context, Poll},
};

use probe::hostile::{Hostile, Moment};

use super::timers::poll_pending;
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Ends, Leaf, Level, Message, Receive, caught,
    fault::LeafFault, fixtures::comes_true, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "all_arrive",
        edition: Edition::E5,
        rule: "Each message arrives once, in the order in which they were sent.",
        why: "What is lost is waited for forever, and what arrives twice is done twice.",
        level: Level::Ecosystem,
        choice: Some(
            "A channel with priorities has another order, and one may keep the latest messages alone, if its documentation says so.",
        ),
        check: Check::Leaf(
            all_arrive,
            &[(
                LeafFault::LastMessageFirst,
                "another message than the next one",
            )],
        ),
    },
    Clause {
        name: "received_in_a_loop",
        edition: Edition::E5,
        rule: "No message is lost if each future that receives is dropped after one poll.",
        why: "That is what a `select!` in a loop does, and what it is used for.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            received_in_a_loop,
            &[(LeafFault::TakesItAndYields, "it hangs")],
        ),
    },
    Clause {
        name: "closed",
        edition: Edition::E5,
        rule: "The close wakes all that wait, and makes them ready.",
        why: "Nothing else will wake them. A worker that waits for the next job must learn that no job will come, or the program never ends.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            closed,
            &[
                (LeafFault::ClosesInSilence, "the close did not wake"),
                (LeafFault::KeepsSendersAtItsClose, "the close did not wake"),
            ],
        ),
    },
    Clause {
        name: "closed_at_last",
        edition: Edition::E5,
        rule: "What was sent before the close still arrives after it.",
        why: "A sender sends its last message and is dropped. The receiver may come to it later.",
        level: Level::Ecosystem,
        choice: Some("A channel may drop the rest at its close, if its documentation says so."),
        check: Check::Leaf(
            closed_at_last,
            &[(LeafFault::DropsTheRestAtItsClose, "of 3 messages arrived")],
        ),
    },
    Clause {
        name: "all_are_woken",
        edition: Edition::E5,
        rule: "An event for all wakes all that wait for it, and makes them ready.",
        why: "One that is passed over waits for an event that has happened.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            all_are_woken,
            &[(LeafFault::WakesTheFirstAlone, "of 99 listeners were woken")],
        ),
    },
    Clause {
        name: "all_but_one_panic",
        edition: Edition::E5,
        rule: "If the waker of one listener panics, the others are woken all the same.",
        why: "A waker is code of an executor, perhaps of another one. Its panic is no reason for the other tasks to wait forever.",
        level: Level::Quality,
        choice: Some("A waker that panics is broken, so an event may refuse to go on."),
        check: Check::Leaf(
            all_but_one_panic,
            &[(LeafFault::TrustsWakers, "of 2 other listeners were woken")],
        ),
    },
];

/// A hundred times one to three messages are sent before the first poll, so that a buffer that goes round does so. Then three more, one
/// by one, to a receiver that waits.
pub fn all_arrive(leaf: &'static dyn Leaf) -> Answer {
    let Ends {
        mut put,
        mut receive,
        ..
    } = leaf.channel()?;
    for round in 0..100 {
        let messages: Vec<Message> = (0..=round % 3).map(|_| Arc::default()).collect();
        messages.iter().for_each(|message| put(message.clone()));
        for message in &messages {
            assert_same(message, finish(&mut receive()));
        }
    }
    for _ in 0..3 {
        let (mut received, message) = (receive(), Message::default());
        assert!(
            WakeCounter::new().poll(&mut received).is_pending(),
            "a message arrives twice"
        );
        put(message.clone());
        assert_same(&message, finish(&mut received));
    }
    Ok(())
}

fn finish(received: &mut Receive) -> Option<Message> {
    WakeCounter::new().output(received).0
}

#[track_caller]
fn assert_same(sent: &Message, received: Option<Message>) {
    let received = received.expect("a message, and not the end");
    let same = Arc::ptr_eq(sent, &received);
    assert!(same, "another message than the next one arrives");
}

/// A future that receives is polled and dropped; a message is sent; another is polled and dropped, until the message has arrived. If
/// none of four has it after one poll, the fifth is polled for as long as it takes.
pub fn received_in_a_loop(leaf: &'static dyn Leaf) -> Answer {
    let Ends {
        mut put,
        mut receive,
        ..
    } = leaf.channel()?;
    for _ in 0..3 {
        let mut once = || match WakeCounter::new().poll(&mut receive()) {
            Poll::Ready(message) => Some(message),
            Poll::Pending => None,
        };
        assert!(once().is_none(), "a message arrives twice");
        let message = Message::default();
        put(message.clone());
        let received = (0..4).find_map(|_| once());
        assert_same(&message, received.unwrap_or_else(|| finish(&mut receive())));
    }
    Ok(())
}

/// Three wait, or one where there is only one. Another one is polled for the first time after the close.
pub fn closed(leaf: &'static dyn Leaf) -> Answer {
    let (mut waiters, close) = leaf.close(4)?;
    let late = (waiters.len() == 4).then(|| waiters.remove(3));
    let counters = wait_all(&mut waiters);
    close();
    for (counter, waiter) in counters.iter().zip(&mut waiters) {
        let woken = comes_true(|| counter.wakes() > 0);
        assert!(woken, "the close did not wake a waiter");
        counter.finish(waiter);
    }
    late.map(|mut late| WakeCounter::new().finish(&mut late));
    Ok(())
}

fn wait_all(waiters: &mut [BoxFuture]) -> Vec<Arc<WakeCounter>> {
    let polled = waiters.iter_mut().map(|waiter| {
        let counter = WakeCounter::new();
        poll_pending(&counter, waiter);
        counter
    });
    polled.collect()
}

/// Three messages are sent, and the sender is dropped. Then the receiver is polled for the first time, or again.
pub fn closed_at_last(leaf: &'static dyn Leaf) -> Answer {
    for waits in [false, true] {
        let Ends {
            mut put,
            mut receive,
            ..
        } = leaf.channel()?;
        let mut received = receive();
        if waits {
            let pending = WakeCounter::new().poll(&mut received).is_pending();
            assert!(pending, "ready before there was a message");
        }
        (0..3).for_each(|_| put(Message::default()));
        drop(put);
        let mut arrived = 0;
        while finish(&mut received).is_some() {
            arrived += 1;
            received = receive();
        }
        assert!(arrived == 3, "{arrived} of 3 messages arrived");
    }
    Ok(())
}

/// A hundred wait, and one of them is dropped before the event.
pub fn all_are_woken(leaf: &'static dyn Leaf) -> Answer {
    let (mut listeners, happens) = leaf.listeners(100)?;
    let mut counters = wait_all(&mut listeners);
    drop((listeners.remove(1), counters.remove(1)));
    happens();
    let woken = || {
        counters
            .iter()
            .filter(|counter| counter.wakes() > 0)
            .count()
    };
    let all = comes_true(|| woken() == 99);
    assert!(all, "{} of 99 listeners were woken", woken());
    for (counter, listener) in counters.iter().zip(&mut listeners) {
        counter.finish(listener);
    }
    Ok(())
}

/// Three wait, once each in the place of the one whose waker panics.
pub fn all_but_one_panic(leaf: &'static dyn Leaf) -> Answer {
    for bad in 0..3 {
        let (mut listeners, happens) = leaf.listeners(3)?;
        let hostile = Hostile::new();
        let mut counters = Vec::new();
        for (number, listener) in listeners.iter_mut().enumerate() {
            if number == bad {
                let waker = hostile.waker();
                let _ = listener.as_mut().poll(&mut Context::from_waker(&waker));
            } else {
                let counter = WakeCounter::new();
                poll_pending(&counter, listener);
                counters.push(counter);
            }
        }
        hostile.arm(Moment::Wake, || resume_unwind(Box::new("a waker")));
        let _ = caught(AssertUnwindSafe(happens));
        hostile.disarm();
        let woken = || {
            counters
                .iter()
                .filter(|counter| counter.wakes() > 0)
                .count()
        };
        let all = comes_true(|| woken() == 2);
        assert!(all, "{} of 2 other listeners were woken", woken());
    }
    Ok(())
}
