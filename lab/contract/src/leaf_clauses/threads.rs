//! Two threads at one leaf future, again and again: what luck decides is found by many tries. The verdict on a sound one never depends on
//! luck.

use std::{
    hint,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
    thread,
    time::Duration,
};

use super::waiters::given_to_one;
use crate::{
    Answer, Check, Clause, Edition, Ends, Leaf, Level, Message, Receivers, Unsupported,
    fault::LeafFault, jitter::jitter, lock::lock, rest, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "ready_while_it_is_polled",
        edition: Edition::E6,
        rule: "What makes a future ready on one thread while another thread polls it is not missed.",
        why: "The future looks, finds nothing, and leaves its waker. Where these are two steps, the event may come between them and find no waker to wake.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            ready_while_it_is_polled,
            &[(LeafFault::StoresItsWakerLate, "it hangs: made ready by one")],
        ),
    },
    Clause {
        name: "received_on_threads",
        edition: Edition::E6,
        rule: "Each message reaches one of the threads that receive, and the close reaches all of them.",
        why: "A message that is sent as a receiver goes to sleep, or that wakes a receiver which another one has overtaken, is easily left in the queue with nobody awake.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            received_on_threads,
            &[
                (
                    LeafFault::StoresItsWakerLate,
                    "it hangs: two threads receive",
                ),
                (LeafFault::ClosesInSilence, "it hangs: two threads receive"),
            ],
        ),
    },
    Clause {
        name: "dropped_on_threads",
        edition: Edition::E6,
        rule: "The same where each thread drops some of its futures while they wait.",
        why: "That is what a `select!` in a loop does. A message that was meant for a future which is just being dropped must go to another one.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            dropped_on_threads,
            &[
                (
                    LeafFault::LosesWhatWasGiven,
                    "it hangs: two threads receive",
                ),
                (LeafFault::LeavesInTwoSteps, "it hangs: two threads receive"),
            ],
        ),
    },
];

/// Enough for a thousand tries on most machines.
const CPU_TIME: Duration = Duration::from_millis(150);

/// Up to a thousand times, one thread polls a future while another one makes it ready. Sometimes the one begins a little earlier, and
/// sometimes the other.
pub fn ready_while_it_is_polled(leaf: &'static dyn Leaf) -> Answer {
    if leaf.home().is_some() {
        return Err(Unsupported); // its thread does one thing after the other
    }
    rest::says("made ready by one thread while another one polls");
    let start = rest::cpu_time();
    for round in 0..1_000 {
        let (mut future, mut give) = given_to_one(leaf)?;
        let counter = WakeCounter::new();
        let (is_here, may_go) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            let gives = scope.spawn(|| {
                is_here.store(true, SeqCst);
                while !may_go.load(SeqCst) {
                    thread::yield_now();
                }
                (0..round % 32 * 8).for_each(|_| hint::spin_loop());
                give();
                give // its drop may wake, too
            });
            while !is_here.load(SeqCst) {
                thread::yield_now();
            }
            may_go.store(true, SeqCst);
            (0..round / 32 * 8).for_each(|_| hint::spin_loop());
            counter.finish(&mut future);
            drop(gives.join());
        });
        if rest::cpu_time() > start + CPU_TIME {
            break;
        }
    }
    Ok(())
}

/// Two threads receive, or one where there is only one receiver, and another one sends. At most three messages are on their way. At the
/// end the channel is closed. Up to fifty channels.
pub fn received_on_threads(leaf: &'static dyn Leaf) -> Answer {
    on_threads(leaf, false)
}

/// The same, where every third future is polled once and dropped if it is pending.
pub fn dropped_on_threads(leaf: &'static dyn Leaf) -> Answer {
    on_threads(leaf, true)
}

const MESSAGES: usize = 40;
/// For so many messages there is room.
const ROOM: usize = 3;

fn on_threads(leaf: &'static dyn Leaf, drops: bool) -> Answer {
    if leaf.home().is_some() {
        return Err(Unsupported);
    }
    rest::says("two threads receive what another one sends, until it closes the channel");
    let start = rest::cpu_time();
    for _ in 0..50 {
        let Ends {
            mut put,
            receive,
            receivers,
        } = leaf.channel()?;
        let receive = Mutex::new(receive);
        let (arrives, arrived) = mpsc::channel();
        let threads = match receivers {
            Receivers::One => 1,
            Receivers::Several => 2,
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                let (arrives, receive) = (arrives.clone(), &receive);
                scope.spawn(move || {
                    let counter = WakeCounter::new();
                    for number in 0.. {
                        jitter();
                        let mut received = lock(receive)();
                        let seen = counter.wakes();
                        let message = match counter.poll(&mut received) {
                            Poll::Ready(message) => message,
                            Poll::Pending if drops && number % 3 == 0 => {
                                (0..number % 4).for_each(|_| thread::yield_now());
                                continue;
                            }
                            Poll::Pending => {
                                counter.wait(seen);
                                counter.output(&mut received).0
                            }
                        };
                        match message {
                            Some(_) => _ = arrives.send(()),
                            None => return,
                        }
                    }
                });
            }
            for sent in 0..MESSAGES + ROOM {
                if sent >= ROOM {
                    let _ = arrived.recv();
                }
                if sent < MESSAGES {
                    jitter();
                    put(Message::default());
                }
            }
            drop(put);
        });
        if rest::cpu_time() > start + CPU_TIME {
            break;
        }
    }
    Ok(())
}
