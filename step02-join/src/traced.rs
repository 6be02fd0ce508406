//! A wrapper that notes every poll of a future, and its drop if that comes before it is ready.

use std::{
    cell::RefCell,
    fmt,
    time::{Duration, Instant},
};

use crate::{Poll, SimpleFuture};

/// What happened to several futures, in the order in which it happened.
///
/// ```
/// use step02_join::{RunLoop, Timer, Trace, Traced};
/// use std::time::Duration;
///
/// let trace = Trace::start();
/// RunLoop::new([Traced::new("nap", Timer::new(Duration::from_millis(5)), &trace)]).run();
/// assert_eq!(trace.order(), ["nap pending", "nap ready"]);
/// ```
#[derive(Debug)]
pub struct Trace {
    start: Instant,
    events: RefCell<Vec<(Duration, String)>>,
}

impl Trace {
    /// An empty trace, whose clock begins now.
    pub fn start() -> Trace {
        Trace {
            start: Instant::now(),
            events: RefCell::default(),
        }
    }

    /// The events without their times: the future's name, and `pending`, `ready` or `dropped`.
    pub fn order(&self) -> Vec<String> {
        let events = self.events.borrow();
        events.iter().map(|(_, event)| event.clone()).collect()
    }

    /// How many futures were dropped before they were ready.
    pub fn dropped(&self) -> usize {
        let events = self.events.borrow();
        let dropped = |(_, event): &&(Duration, String)| event.ends_with(" dropped");
        events.iter().filter(dropped).count()
    }

    /// How long ago the trace began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn note(&self, at: Duration, name: &str, word: &str) {
        self.events
            .borrow_mut()
            .push((at, format!("{name} {word}")));
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, event) in &*self.events.borrow() {
            writeln!(f, "   {:4} ms  {event}", at.as_millis())?;
        }
        Ok(())
    }
}

/// A future whose polls are noted in a [`Trace`], and whose drop is noted too if it was not ready by then.
// ANCHOR: struct
#[derive(Debug)]
pub struct Traced<'a, F> {
    name: &'static str,
    future: F,
    ready: bool,
    trace: &'a Trace,
}
// ANCHOR_END: struct

impl<'a, F> Traced<'a, F> {
    /// The same future, with its events noted under `name`.
    pub fn new(name: &'static str, future: F, trace: &'a Trace) -> Self {
        Traced {
            name,
            future,
            ready: false,
            trace,
        }
    }
}

impl<F: SimpleFuture> SimpleFuture for Traced<'_, F> {
    type Output = F::Output;

    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        let at = self.trace.elapsed();
        let poll = self.future.poll(wake);
        self.ready = matches!(poll, Poll::Ready(_));
        let word = if self.ready { "ready" } else { "pending" };
        self.trace.note(at, self.name, word);
        poll
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl<F> Drop for Traced<'_, F> {
    fn drop(&mut self) {
        if !self.ready {
            self.trace.note(self.trace.elapsed(), self.name, "dropped");
        }
    }
}
// ANCHOR_END: drop
