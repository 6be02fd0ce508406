use super::*;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    thread,
};

mod wait;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Good,
    /// Each other one is as late as it may be. `true`: the first one, too.
    Late(bool),
    WholeSeconds,
    StayWhenDropped,
    OneAfterTheOther,
}

/// A reactor whose clock is moved by hand.
struct Reactor {
    kind: Kind,
    now: Cell<Duration>,
    /// How many timers were made.
    made: Cell<usize>,
    /// The deadlines, by the numbers of their timers.
    deadlines: RefCell<BTreeMap<usize, Duration>>,
}

/// What a check is given.
struct Subject(Rc<Reactor>);

struct Timer {
    reactor: Rc<Reactor>,
    number: usize,
    duration: Duration,
    /// `None` before its first poll.
    deadline: Option<Duration>,
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let (now, mut deadlines) = (this.reactor.now.get(), this.reactor.deadlines.borrow_mut());
        let longest = deadlines.values().max().copied();
        let deadline = *this.deadline.get_or_insert(match this.reactor.kind {
            Kind::WholeSeconds => now + Duration::from_secs(this.duration.as_secs()),
            Kind::OneAfterTheOther => (now + this.duration).max(longest.unwrap_or_default()),
            _ => now + this.duration,
        });
        if now < deadline {
            deadlines.insert(this.number, deadline);
            return Poll::Pending;
        }
        deadlines.remove(&this.number);
        Poll::Ready(())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if self.reactor.kind != Kind::StayWhenDropped {
            self.reactor.deadlines.borrow_mut().remove(&self.number);
        }
    }
}

impl Timers for Subject {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        let number = self.0.made.replace(self.0.made.get() + 1);
        let is_late = matches!(self.0.kind, Kind::Late(first) if first == (number % 2 == 0));
        Box::pin(Timer {
            reactor: Rc::clone(&self.0),
            number,
            duration: duration + Duration::from_millis(500) * u32::from(is_late),
            deadline: None,
        })
    }

    fn waiting(&self) -> usize {
        self.0.deadlines.borrow().len()
    }

    fn now(&self) -> Duration {
        self.0.now.get()
    }

    fn block_on(&self, mut timer: BoxedTimer) {
        while poll_once(&mut timer).is_pending() {
            let mut deadlines = self.0.deadlines.borrow_mut();
            let next = deadlines.values().min().copied();
            self.0
                .now
                .set(next.expect("it waits, so it has a deadline"));
            // It has woken them, and waits for them no more.
            deadlines.retain(|_, it| *it > self.0.now.get());
        }
    }
}

/// Panics if the check lets these broken timers pass, or if it refuses the good ones as well.
fn must_catch(kind: Kind, broken: &str, advice: &str) {
    // Before and after, because a check must not depend on how many times it was called.
    let [before, caught, after] = [Kind::Good, kind, Kind::Good].map(complaint);
    assert!(
        before.or(after).is_none(),
        "this test cannot tell whether your check catches {broken}, because the check does not let the good \
         timers pass either. Make `the_good_ones_pass` pass first."
    );
    assert!(
        caught.is_some(),
        "your check did not catch {broken}. {advice}"
    );
}

/// `None` if the check returned. A thread that hangs in it is left behind.
fn complaint(kind: Kind) -> Option<&'static str> {
    let checking = thread::spawn(move || {
        let (now, made, deadlines) = Default::default();
        check(&Subject(Rc::new(Reactor {
            kind,
            now,
            made,
            deadlines,
        })));
    });
    if !wait::comes_true(|| checking.is_finished()) {
        return Some(
            "it did not return within a second and a half (time passes only in `block_on`)",
        );
    }
    let panicked = checking.join().is_err();
    panicked.then_some("it panicked, with the message above")
}

#[test]
fn the_good_ones_pass() {
    let good = [Kind::Good, Kind::Late(true), Kind::Late(false)];
    if let Some(complaint) = good.into_iter().find_map(complaint) {
        panic!(
            "your check refused the good timers: {complaint}. They are never early, but they may be half a second late. \
             Which line asks for more than `Timers` promises? Or does it ask another clock than `now`?"
        );
    }
}

#[test]
fn those_that_know_only_whole_seconds_are_caught() {
    must_catch(
        Kind::WholeSeconds,
        "the timers that know only whole seconds",
        "How much time passes while a timer of 20 ms runs?",
    );
}

#[test]
fn those_that_stay_when_they_are_dropped_are_caught() {
    must_catch(
        Kind::StayWhenDropped,
        "the timers that stay when they are dropped",
        "Drop one that the reactor knows of, and ask `waiting`.",
    );
}

#[test]
fn those_that_wait_for_each_other_are_caught() {
    must_catch(
        Kind::OneAfterTheOther,
        "the timers that hold each other up",
        "Let a long one wait, and see how late a short one is.",
    );
}
