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
    registered: u64,
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
        self.registered += 1;
        let is_other = u64::from(self.kind == Kind::GoodToo);
        let first = self.registered * is_other;
        // Later sockets may have smaller keys.
        let generation = self.registered.abs_diff(1_000 * is_other);
        let is_free = |place: &u64| !self.sides.contains_key(&(*place, 0));
        let mut places = (first..first + 100).map(|place| place % 100);
        let place = places.find(is_free).expect("there are a hundred places");
        for direction in [Read, Write] {
            let side = Side {
                generation,
                tick: first * (40 + direction as u64),
                ..Side::default()
            };
            self.sides.insert((place, direction as u8), side);
        }
        Key(generation * 100 + place)
    }

    fn deregister(&mut self, key: Key) {
        for direction in [Read, Write] {
            self.sides.remove(&(place(key), direction as u8));
        }
    }

    fn poll_ready(&mut self, key: Key, direction: Direction, cx: &mut Context<'_>) -> Poll<Tick> {
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
        let step = if self.kind == Kind::GoodToo { 7 } else { 1 };
        for also in [Read, Write] {
            if both || also == direction {
                let side = self.side(key, also)?;
                (side.ready, side.tick) = (true, side.tick + step);
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
            registered: 0,
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
