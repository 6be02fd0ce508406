use super::*;
use std::{
    cell::{Cell, RefCell},
    mem::ManuallyDrop,
    sync::{Arc, mpsc},
    thread,
};
use step06_reactor::{Reactor, Timer};

fn boxed(timer: impl Future + 'static) -> BoxedTimer {
    Box::pin(async {
        timer.await;
    })
}

struct Good(Arc<Reactor>);

impl Timers for Good {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        boxed(Timer::new(&self.0, duration))
    }
    fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

struct WholeSeconds(Good);

impl Timers for WholeSeconds {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        self.0.timer(Duration::from_secs(duration.as_secs()))
    }
    fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

struct StayWhenDropped(Good);

impl Timers for StayWhenDropped {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        let mut timer = ManuallyDrop::new(self.0.timer(duration));
        Box::pin(async move { (*timer).as_mut().await })
    }
    fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

/// Each is checked only when those before it have finished.
#[derive(Clone)]
struct OneAfterTheOther {
    good: Arc<Good>,
    before: std::rc::Rc<RefCell<Duration>>,
}

impl Timers for OneAfterTheOther {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        let this = self.clone();
        Box::pin(async move {
            let before = *this.before.borrow();
            let after = Leaves(this.clone(), before);
            *this.before.borrow_mut() = before.max(duration);
            this.good.timer(before.max(duration)).await;
            drop(after);
        })
    }
    fn waiting(&self) -> usize {
        self.good.waiting()
    }
}

struct Leaves(OneAfterTheOther, Duration);

impl Drop for Leaves {
    fn drop(&mut self) {
        *self.0.before.borrow_mut() = self.1;
    }
}

/// Good timers, of which each other one is half a second late. Whether the next one is.
struct Late(Good, Cell<bool>);

impl Timers for Late {
    fn timer(&self, duration: Duration) -> BoxedTimer {
        let is_late = self.1.replace(!self.1.get());
        self.0
            .timer(duration + Duration::from_millis(500) * u32::from(is_late))
    }
    fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

/// Panics if the check lets these broken timers pass, or if it refuses the good ones as well.
fn must_catch<T: Timers + 'static>(timers: fn(Good) -> T, broken: &str, advice: &str) {
    // Before and after, because a check must not depend on how many times it was called.
    let passes = || {
        let refused = complaint(|good| good);
        assert!(
            refused.is_none(),
            "this test cannot tell whether your check catches {broken}, because the check does not let the good \
             timers pass either. Make `the_good_ones_pass` pass first.\n\
             If it passes now and then, a line of your check asks for something that depends on the machine, such as a \
             timer that is only a few milliseconds late."
        );
    };
    passes();
    // Three tries, because on a machine that stalls an early timer may look as if it were in time.
    let caught = (0..3).any(|_| complaint(timers).is_some());
    assert!(caught, "your check did not catch {broken}. {advice}");
    passes();
}

const PANICKED: &str = "it panicked, with the message above";

/// `None` if the check returned. A thread that hangs in it is left behind.
fn complaint<T: Timers + 'static>(timers: fn(Good) -> T) -> Option<&'static str> {
    let (over, is_over) = mpsc::channel();
    thread::spawn(move || {
        check(&timers(Good(Reactor::new())));
        over.send(()).unwrap();
    });
    // Many short waits, because a machine that keeps the check waiting makes each of these longer, too.
    for _ in 0..150 {
        match is_over.recv_timeout(Duration::from_millis(10)) {
            Ok(()) => return None,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return Some(PANICKED),
        }
    }
    Some("it did not return within a second and a half")
}

#[test]
fn the_good_ones_pass() {
    // Five times, because a line that asks for too much may still pass once.
    let refused = (0..5).find_map(|_| complaint(|good| good));
    // On a busy machine, some are half a second late, and the check may take longer.
    let late = [
        complaint(|good| Late(good, Cell::new(true))),
        complaint(|good| Late(good, Cell::new(false))),
    ];
    let is_refused = late.contains(&Some(PANICKED));
    let late = is_refused
        .then_some("some were half a second late, and it panicked, with the message above");
    if let Some(complaint) = refused.or(late) {
        panic!(
            "your check refused the good timers: {complaint}. They are never early, but they may be a little late. \
             Which line asks for more than `Timers` promises?"
        );
    }
}

#[test]
fn those_that_know_only_whole_seconds_are_caught() {
    must_catch(
        WholeSeconds,
        "the timers that know only whole seconds",
        "How much time passes while a timer of 20 ms runs?",
    );
}

#[test]
fn those_that_stay_when_they_are_dropped_are_caught() {
    must_catch(
        StayWhenDropped,
        "the timers that stay when they are dropped",
        "Drop one that the reactor knows of, and ask `waiting`.",
    );
}

#[test]
fn those_that_wait_for_each_other_are_caught() {
    let one_after_the_other = |good| OneAfterTheOther {
        good: Arc::new(good),
        before: Default::default(),
    };
    must_catch(
        one_after_the_other,
        "the timers that hold each other up",
        "Let a long one wait, and see whether a short one comes through.",
    );
}
