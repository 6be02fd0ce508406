//! Who was polled when: a wrapper that writes down every poll of a future.

use std::{
    cell::RefCell,
    fmt,
    time::{Duration, Instant},
};

use crate::{Poll, SimpleFuture};

/// The polls of several futures, in the order in which they happened.
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
    polls: RefCell<Vec<(Duration, String)>>,
}

impl Trace {
    /// An empty trace, whose clock begins now.
    pub fn start() -> Trace {
        Trace {
            start: Instant::now(),
            polls: RefCell::default(),
        }
    }

    /// The polls without their times: the future's name, and `pending` or `ready`.
    pub fn order(&self) -> Vec<String> {
        let polls = self.polls.borrow();
        polls.iter().map(|(_, poll)| poll.clone()).collect()
    }

    /// How long ago the trace began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, poll) in &*self.polls.borrow() {
            writeln!(f, "   {:4} ms  {poll}", at.as_millis())?;
        }
        Ok(())
    }
}

/// A future that writes each of its polls into a [`Trace`].
#[derive(Debug)]
pub struct Traced<'a, F> {
    name: &'static str,
    future: F,
    trace: &'a Trace,
}

impl<'a, F> Traced<'a, F> {
    /// The same future, under observation.
    pub fn new(name: &'static str, future: F, trace: &'a Trace) -> Self {
        Traced {
            name,
            future,
            trace,
        }
    }
}

impl<F: SimpleFuture> SimpleFuture for Traced<'_, F> {
    type Output = F::Output;

    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        let at = self.trace.elapsed();
        let answer = self.future.poll(wake);
        let word = match answer {
            Poll::Ready(_) => "ready",
            Poll::Pending => "pending",
        };
        let line = (at, format!("{} {word}", self.name));
        self.trace.polls.borrow_mut().push(line);
        answer
    }
    // ANCHOR_END: poll
}
