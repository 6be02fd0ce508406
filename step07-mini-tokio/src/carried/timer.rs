//! The future: leaves its waker with the reactor, and takes it back when it is dropped.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, mpsc::Sender},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use crate::{Event, Id, Reactor, TimerError, Timers};

/// A future that is ready once its duration has passed since the first poll. A zero duration is ready at once.
///
/// Dropping it early takes it out of the reactor. Polled again after it was ready, it returns the same result.
#[derive(Debug)]
// ANCHOR: struct
pub struct Timer {
    timers: Arc<Timers>,
    events: Sender<Event>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not polled yet.
    New(Duration),
    /// In the reactor's map.
    Waiting(Id),
    /// Ready, and no longer in the map.
    Finished(Result<(), TimerError>),
}
// ANCHOR_END: struct

impl Timer {
    /// A timer that has not started, because its time runs from the first poll. It does not keep the reactor alive.
    pub fn new(reactor: &Reactor, duration: Duration) -> Timer {
        Timer {
            timers: Arc::clone(&reactor.timers),
            events: reactor.events.clone(),
            state: if duration.is_zero() {
                State::Finished(Ok(()))
            } else {
                State::New(duration)
            },
        }
    }

    /// Enters the reactor at the first poll.
    // ANCHOR: start
    fn start(&self, duration: Duration, cx: &Context<'_>) -> Result<Id, TimerError> {
        // Register before sending.
        let id = self.timers.register(cx.waker())?;
        // Without a deadline that a clock can show, the timer waits until it is dropped.
        if let Some(deadline) = Instant::now().checked_add(duration) {
            // This fails if the reactor's thread has ended. Then `close` has ended this timer,
            // or is about to.
            let _ = self.events.send(Event::Start { id, deadline });
        }
        Ok(id)
    }
    // ANCHOR_END: start

    /// Takes the timer out of the map, and tells the reactor's thread.
    // ANCHOR: forget
    fn forget(&self, id: Id) {
        let waker = self.timers.remove(id);
        let _ = self.events.send(Event::Forget(id));
        // The waker goes last, because dropping it may run code that we do not control. If that
        // panics, the event has been sent.
        drop(waker);
    }
    // ANCHOR_END: forget
}

impl Future for Timer {
    type Output = Result<(), TimerError>;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let id = match self.state {
            State::New(duration) => match self.start(duration, cx) {
                Ok(id) => {
                    self.state = State::Waiting(id);
                    return Poll::Pending;
                }
                Err(error) => {
                    self.state = State::Finished(Err(error));
                    return Poll::Ready(Err(error));
                }
            },
            State::Waiting(id) => id,
            State::Finished(result) => return Poll::Ready(result),
        };
        let result = ready!(self.timers.poll(id, cx));
        self.forget(id);
        self.state = State::Finished(result);
        Poll::Ready(result)
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl Drop for Timer {
    fn drop(&mut self) {
        if let State::Waiting(id) = self.state {
            self.forget(id);
        }
    }
}
// ANCHOR_END: drop

#[cfg(all(test, not(loom)))]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::mpsc::{self, Receiver},
        task::{Wake, Waker},
    };

    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    /// A reactor without a thread: the test receives the events in its place.
    fn reactor() -> (Reactor, Receiver<Event>) {
        let (events, received) = mpsc::channel();
        let timers = Arc::default();
        (Reactor { events, timers }, received)
    }

    fn poll(timer: &mut Timer, waker: &Waker) -> Poll<Result<(), TimerError>> {
        Pin::new(timer).poll(&mut Context::from_waker(waker))
    }

    /// The events so far, without their deadlines.
    fn sent(received: &Receiver<Event>) -> Vec<(&'static str, Id)> {
        let sent = received.try_iter().map(|event| match event {
            Event::Start { id, .. } => ("start", id),
            Event::Forget(id) => ("forget", id),
            Event::Close => panic!("the reactor was not dropped"),
        });
        sent.collect()
    }

    #[test]
    fn a_finished_timer_is_forgotten_once() {
        let (reactor, received) = reactor();
        let mut timer = Timer::new(&reactor, LONG);
        assert!(poll(&mut timer, Waker::noop()).is_pending());
        reactor.timers.finish(0, Ok(()));
        assert_eq!(poll(&mut timer, Waker::noop()), Poll::Ready(Ok(())));
        drop(timer);
        assert_eq!(sent(&received), [("start", 0), ("forget", 0)]);
    }

    #[test]
    fn a_timer_that_was_never_polled_sends_no_event() {
        let (reactor, received) = reactor();
        drop(Timer::new(&reactor, LONG));
        assert_eq!(sent(&received), []);
    }

    struct PanicsWhenDropped;

    impl Wake for PanicsWhenDropped {
        fn wake(self: Arc<Self>) {}
    }

    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic!("this panic belongs to the test");
        }
    }

    #[test]
    fn a_dropped_timer_is_forgotten_even_if_its_waker_panics() {
        let (reactor, received) = reactor();
        let mut timer = Timer::new(&reactor, LONG);
        let waker = Waker::from(Arc::new(PanicsWhenDropped));
        assert!(poll(&mut timer, &waker).is_pending());
        drop(waker);
        assert!(catch_unwind(AssertUnwindSafe(|| drop(timer))).is_err());
        assert_eq!(sent(&received), [("start", 0), ("forget", 0)]);
    }
}
