//! s09g · prove · 15 minutes · chapter 09, "Epoll and the reactor"
//!
//! Here you write the test. `check` is given what a reactor knows of its sockets, and plays both of its neighbours: the
//! tasks, which poll, and the kernel, which reports. It has to panic if a promise of `Sources` is broken, and to let the
//! good ones pass. Each of the broken ones passes the check below, and one day it would hang a server, or keep a core busy
//! for nothing.
//!
//! Run: `cargo test --bin s09g_catch_the_reactor`, or save this file while `rustlings` runs.
//! Red: a test says which sources your check did not catch, or that it refused the good ones. A check that hangs has not
//! caught them, because it does not say what is broken.

use probe::CountingWaker;
use std::task::{Context, Poll, Waker};

/// The name of a socket in the reports of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
}
use Direction::{Read, Write};

/// The moment at which a task was told to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tick(u64);

/// What a reactor knows of its sockets. It promises:
///
/// 1. A direction of a new socket is not ready until the kernel has reported it. Then it is, and `report` takes out and
///    returns the waker of the latest pending poll since the last report, if any.
/// 2. The two directions of a socket have nothing to do with each other. Each has a readiness and a waker of its own.
/// 3. `clear` ends the readiness, unless there has been a report since the task was told to try, with this tick.
/// 4. A report may come late. The key of a socket that is no longer registered does nothing, also if a new socket has
///    taken its place.
trait Sources {
    fn register(&mut self) -> Key;
    /// Not called twice with one key. No task uses the key after that.
    fn deregister(&mut self, key: Key);
    /// Ready if a task may try to read or to write.
    fn poll_ready(&mut self, key: Key, direction: Direction, cx: &mut Context<'_>) -> Poll<Tick>;
    /// The read or the write would have blocked.
    fn clear(&mut self, key: Key, direction: Direction, tick: Tick);
    /// The kernel reports a direction as ready. Returns the waker that the executor is to call.
    fn report(&mut self, key: Key, direction: Direction) -> Option<Waker>;
}

/// Panics if these sources break a promise.
fn check(sources: &mut dyn Sources) {
    let socket = sources.register();
    let task = CountingWaker::new();
    assert!(poll(sources, socket, Read, &task).is_pending());
    report(sources, socket, Read);
    assert!(task.wakes() > 0, "the task is not woken");
    assert!(poll(sources, socket, Read, &task).is_ready());
    // TODO: most of what is promised is not checked yet.
}

/// Polls, in a task that this waker wakes.
fn poll(
    sources: &mut dyn Sources,
    key: Key,
    direction: Direction,
    task: &CountingWaker,
) -> Poll<Tick> {
    sources.poll_ready(key, direction, &mut Context::from_waker(&task.waker()))
}

/// Lets the kernel report, and calls the waker.
fn report(sources: &mut dyn Sources, key: Key, direction: Direction) {
    sources
        .report(key, direction)
        .into_iter()
        .for_each(Waker::wake);
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        collections::BTreeMap,
        sync::mpsc::{self, RecvTimeoutError},
        thread,
        time::Duration,
    };

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Good,
        /// Good, with other keys and other ticks.
        GoodToo,
        FirstWaker,
        OneWaker,
        OneReadiness,
        NeverClears,
        ClearsLater,
        OldKeys,
    }

    /// Sources with a mistake.
    struct Subject {
        kind: Kind,
        /// By place and direction. A place is used again.
        sides: BTreeMap<(u64, u8), Side>,
        generation: u64,
    }

    #[derive(Default)]
    struct Side {
        generation: u64,
        ready: bool,
        tick: u64,
        waker: Option<Waker>,
    }

    /// A key is a place and a generation.
    fn place(key: Key) -> u64 {
        key.0 % 100
    }

    impl Subject {
        fn side(&mut self, key: Key, direction: Direction) -> Option<&mut Side> {
            let side = self.sides.get_mut(&(place(key), direction as u8))?;
            (self.kind == Kind::OldKeys || side.generation == key.0 / 100).then_some(side)
        }

        /// Where it keeps the waker of this direction.
        fn waker(&mut self, key: Key, direction: Direction) -> Option<&mut Option<Waker>> {
            let direction = if self.kind == Kind::OneWaker {
                Read
            } else {
                direction
            };
            self.side(key, direction).map(|side| &mut side.waker)
        }
    }

    impl Sources for Subject {
        fn register(&mut self) -> Key {
            self.generation += 1;
            let first = self.generation * u64::from(self.kind == Kind::GoodToo);
            let is_free = |place: &u64| !self.sides.contains_key(&(*place, 0));
            let mut places = (first..first + 100).map(|place| place % 100);
            let place = places.find(is_free).expect("there are a hundred places");
            for direction in [Read, Write] {
                let side = Side {
                    generation: self.generation,
                    tick: first * (40 + direction as u64),
                    ..Side::default()
                };
                self.sides.insert((place, direction as u8), side);
            }
            Key(self.generation * 100 + place)
        }

        fn deregister(&mut self, key: Key) {
            for direction in [Read, Write] {
                self.sides.remove(&(place(key), direction as u8));
            }
        }

        fn poll_ready(
            &mut self,
            key: Key,
            direction: Direction,
            cx: &mut Context<'_>,
        ) -> Poll<Tick> {
            let kind = self.kind;
            let side = self.side(key, direction).expect("it is registered");
            if side.ready {
                return Poll::Ready(Tick(side.tick));
            }
            let waker = self.waker(key, direction).expect("it is registered");
            if kind != Kind::FirstWaker || waker.is_none() {
                *waker = Some(cx.waker().clone());
            }
            Poll::Pending
        }

        fn clear(&mut self, key: Key, direction: Direction, tick: Tick) {
            let kind = self.kind;
            let side = self.side(key, direction).expect("it is registered");
            if kind != Kind::NeverClears && (kind == Kind::ClearsLater || side.tick == tick.0) {
                side.ready = false;
            }
        }

        fn report(&mut self, key: Key, direction: Direction) -> Option<Waker> {
            let both = self.kind == Kind::OneReadiness;
            for also in [Read, Write] {
                if both || also == direction {
                    let side = self.side(key, also)?;
                    (side.ready, side.tick) = (true, side.tick + 1);
                }
            }
            self.waker(key, direction)?.take()
        }
    }

    const HANGS: &str = "it did not return within two seconds";

    /// `None` if the check returned. A thread that hangs in it is left behind.
    fn complaint(kind: Kind) -> Option<&'static str> {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            check(&mut Subject {
                kind,
                sides: BTreeMap::new(),
                generation: 0,
            });
            over.send(()).unwrap();
        });
        match is_over.recv_timeout(Duration::from_secs(2)) {
            Ok(()) => None,
            Err(RecvTimeoutError::Timeout) => Some(HANGS),
            Err(RecvTimeoutError::Disconnected) => Some("it panicked, with the message above"),
        }
    }

    fn refusal() -> Option<&'static str> {
        complaint(Kind::Good).or_else(|| complaint(Kind::GoodToo))
    }

    #[test]
    fn the_good_ones_pass() {
        if let Some(complaint) = refusal() {
            panic!(
                "your check refused the good sources: {complaint}. Which line asks for more than `Sources` promises? There \
                 are two kinds of good ones, whose keys and ticks have other numbers."
            );
        }
    }

    fn is_caught(kind: Kind, which: &str, how: &str) {
        // The good ones before and after, because the answer of a check must not depend on how often it was called.
        let before = refusal();
        let caught = complaint(kind);
        assert!(
            before.or_else(refusal).is_none(),
            "not tried yet, because your check refuses the good sources. See `the_good_ones_pass`."
        );
        assert!(
            caught != Some(HANGS),
            "your check did not return within two seconds when it was given sources that {which}. A check that hangs does \
             not say what is broken. Poll once, and assert what has to be true."
        );
        assert!(
            caught.is_some(),
            "your check did not catch the sources that {which}. {how}"
        );
    }

    #[test]
    fn those_that_keep_the_first_waker_are_caught() {
        let how = "Two tasks poll in turn, and then comes the report. Which of them must be woken?";
        is_caught(Kind::FirstWaker, "keep the first waker", how);
    }

    #[test]
    fn those_that_mix_up_the_directions_are_caught() {
        let how = "Let one task wait until it can read, and another until it can write. Report first the direction that \
                   polled first. Whom does each report wake?";
        is_caught(Kind::OneWaker, "have one waker for both directions", how);
        let how = "Report one direction, and poll the other one.";
        is_caught(
            Kind::OneReadiness,
            "have one readiness for both directions",
            how,
        );
    }

    #[test]
    fn those_that_do_not_clear_are_caught() {
        let how = "Poll, clear with the tick that you got, and poll again.";
        is_caught(Kind::NeverClears, "never clear", how);
    }

    #[test]
    fn those_that_clear_too_much_are_caught() {
        let how = "Let a report come between the poll that is ready and `clear`.";
        is_caught(Kind::ClearsLater, "clear a report that came later", how);
    }

    #[test]
    fn those_that_take_an_old_key_are_caught() {
        let how = "Deregister a socket and register another, and let the kernel report the first one after that.";
        is_caught(
            Kind::OldKeys,
            "take an old key for that of the new socket",
            how,
        );
    }
}
