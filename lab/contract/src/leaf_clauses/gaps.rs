//! What another thread does in a gap between two critical sections of what is tested, if that takes its locks from `why_pending`.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{timers::poll_pending, waiters::given_to_one};
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Give, Leaf, Level, Unsupported, fault::LeafFault,
    fixtures::comes_true, lock::lock, rest, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "ready_in_any_gap",
        edition: Edition::E6,
        rule: "What makes a future ready in any gap of its poll is not missed, nor is a poll in any gap of what makes it ready.",
        why: "Between two critical sections another thread may do anything. A stress test meets such a gap by luck; a lock that calls the other side as it is released always does.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            ready_in_any_gap,
            &[
                (LeafFault::StoresItsWakerLate, "pending, and never woken"),
                (LeafFault::WakesBeforeItGives, "pending, and never woken"),
            ],
        ),
    },
    Clause {
        name: "dropped_in_any_gap",
        edition: Edition::E6,
        rule: "If a waiter is dropped in any gap of a gift, or is given something in any gap of its drop, the next waiter gets that.",
        why: "A timeout comes at any moment. What goes to a waiter that is just leaving goes to nobody, and the others wait forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            dropped_in_any_gap,
            &[
                (LeafFault::LeavesInTwoSteps, "the other waiter is not woken"),
                (
                    LeafFault::LosesWhatWasGiven,
                    "the other waiter is not woken",
                ),
            ],
        ),
    },
];

/// Far more CPU time than it takes to poll a future or to make one ready.
const A_FIFTH: Duration = Duration::from_millis(200);
/// More gaps than one operation has.
const GAPS: usize = 64;

type Act = Box<dyn FnOnce() + Send>;

/// Calls `act` and, in its gap with this number, `other` on another thread, which may have to wait for `act`. Whether there was such a
/// gap.
fn in_its_gap(gap: usize, other: Act, act: Act) -> bool {
    let place = Arc::new(Mutex::new(None::<JoinHandle<()>>));
    let started = place.clone();
    let start = move || {
        let other = thread::spawn(other);
        // Where `act` holds a spin lock, that thread spins now.
        let spins = rest::cpu_time() + A_FIFTH;
        let _ = comes_true(|| other.is_finished() || rest::cpu_time() > spins);
        *lock(&started) = Some(other);
    };
    let ((), gaps) = probe::in_gap(gap, start, act);
    if let Some(other) = lock(&place).take() {
        assert!(other.join().is_ok(), "the other thread panicked");
    }
    gap < gaps
}

/// A future that two threads can reach, and what came of its latest poll.
struct Polled {
    future: Mutex<BoxFuture>,
    counter: Arc<WakeCounter>,
    seen: Mutex<usize>,
    is_ready: AtomicBool,
}

impl Polled {
    fn new(future: BoxFuture) -> Arc<Polled> {
        Arc::new(Polled {
            future: Mutex::new(future),
            counter: WakeCounter::new(),
            seen: Mutex::default(),
            is_ready: AtomicBool::new(false),
        })
    }

    fn poll(&self) {
        *lock(&self.seen) = self.counter.wakes();
        let polled = self.counter.poll(&mut lock(&self.future));
        self.is_ready.store(polled.is_ready(), SeqCst);
    }

    /// Polls it whenever it is woken, until it is ready. `false` if no wake comes any more.
    fn comes_to_its_end(&self) -> bool {
        while !self.is_ready.load(SeqCst) {
            let seen = *lock(&self.seen);
            if !comes_true(|| self.counter.wakes() > seen) {
                return false;
            }
            self.poll();
        }
        true
    }
}

/// A message or the close comes in each gap of the first poll and of a second one, which brings another waker. And the other way round:
/// it is polled in each gap of these.
pub fn ready_in_any_gap(leaf: &'static dyn Leaf) -> Answer {
    let given: fn(&'static dyn Leaf) -> Answer<(BoxFuture, Give)> = |leaf| given_to_one(leaf);
    let closed = |leaf: &'static dyn Leaf| -> Answer<(BoxFuture, Give)> {
        let (mut waiters, closes) = leaf.close(1)?;
        let mut closes = Some(closes);
        let close = move || closes.take().into_iter().for_each(|closes| closes());
        Ok((waiters.remove(0), Box::new(close)))
    };
    if leaf.home().is_some() {
        return Err(Unsupported); // its thread does one thing after the other
    }
    let mut gaps = 0;
    for (make, what) in [(given, "made ready"), (closed, "closed")] {
        for (polls_before, polls_first) in [(0, true), (1, true), (0, false), (1, false)] {
            for gap in 0..GAPS {
                let Ok((mut future, mut give)) = make(leaf) else {
                    break;
                };
                let place = Arc::new(Mutex::new(None));
                let keeps = place.clone();
                let gives: Act = Box::new(move || {
                    give();
                    *lock(&keeps) = Some(give); // its drop may wake, too
                });
                (0..polls_before).for_each(|_| poll_pending(&WakeCounter::new(), &mut future));
                let polled = Polled::new(future);
                let polls = polled.clone();
                let poll: Act = Box::new(move || polls.poll());
                let (act, other) = if polls_first {
                    (poll, gives)
                } else {
                    (gives, poll)
                };
                if !in_its_gap(gap, other, act) {
                    break;
                }
                gaps += 1;
                let (one, another) = if polls_first {
                    ("its poll", what)
                } else {
                    ("what made it ready", "polled")
                };
                let woken = polled.comes_to_its_end();
                assert!(
                    woken,
                    "pending, and never woken: it was {another} in gap {gap} of {one}"
                );
            }
        }
    }
    if gaps == 0 { Err(Unsupported) } else { Ok(()) }
}

/// Two wait. The first is dropped in each gap of a gift, or the gift is made in each gap of its drop. The second one gets it.
pub fn dropped_in_any_gap(leaf: &'static dyn Leaf) -> Answer {
    if leaf.home().is_some() {
        return Err(Unsupported); // its thread does one thing after the other
    }
    let mut gaps = 0;
    for drops_first in [true, false] {
        for gap in 0..GAPS {
            let (mut waiters, mut give) = leaf.waiters(2)?;
            let mut first = waiters.remove(0);
            poll_pending(&WakeCounter::new(), &mut first);
            let second = Polled::new(waiters.remove(0));
            second.poll();
            let place = Arc::new(Mutex::new(None));
            let keeps = place.clone();
            let gives: Act = Box::new(move || {
                give();
                *lock(&keeps) = Some(give); // its drop may wake, too
            });
            let drops: Act = Box::new(move || drop(first));
            let (act, other, what) = if drops_first {
                (drops, gives, "a gift came as the first of two was dropped")
            } else {
                (
                    gives,
                    drops,
                    "the first of two was dropped as a gift was made",
                )
            };
            if !in_its_gap(gap, other, act) {
                break;
            }
            gaps += 1;
            let woken = second.comes_to_its_end();
            assert!(
                woken,
                "the other waiter is not woken: {what}, in gap {gap} of that"
            );
        }
    }
    if gaps == 0 { Err(Unsupported) } else { Ok(()) }
}
