//! The future: leaves its waker with the reactor, and takes it back when dropped.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, mpsc::Sender},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use crate::{Event, Id, Reactor, TimerError, Timers};

/// Becomes ready once `duration` has passed since the first poll. A zero duration is ready at once.
///
/// Dropping it early takes it out of the reactor. Polled after it was ready, it gives the same answer again.
#[derive(Debug)]
pub struct Timer {
    timers: Arc<Timers>,
    events: Sender<Event>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Not polled yet.
    New(Duration),
    /// In the reactor's map.
    Waiting(Id),
    /// Finished, and out of the map.
    Over(Result<(), TimerError>),
}

impl Timer {
    /// A timer that has not been started: its time runs from the first poll. It does not keep the reactor alive.
    pub fn new(reactor: &Reactor, duration: Duration) -> Timer {
        Timer {
            timers: Arc::clone(&reactor.timers),
            events: reactor.events.clone(),
            stage: if duration.is_zero() {
                Stage::Over(Ok(()))
            } else {
                Stage::New(duration)
            },
        }
    }

    // ANCHOR: start
    fn start(&self, duration: Duration, cx: &Context<'_>) -> Result<Id, TimerError> {
        // The waker first, the event second: a timer that is over at once finds somebody to
        // wake.
        let id = self.timers.register(cx.waker())?;
        // A deadline beyond what a clock can show will never come.
        if let Some(deadline) = Instant::now().checked_add(duration) {
            // If nobody receives, the reactor's thread has ended, and its end ends every
            // timer in the map: this one too.
            let _ = self.events.send(Event::Start { id, deadline });
        }
        Ok(id)
    }
    // ANCHOR_END: start

    /// Leaves the reactor.
    fn forget(&self, id: Id) {
        let waker = self.timers.remove(id);
        let _ = self.events.send(Event::Forget(id));
        // Last, because this is code that we don't control: if it panics, the reactor's thread
        // has been told all the same.
        drop(waker);
    }
}

impl Future for Timer {
    type Output = Result<(), TimerError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let id = match self.stage {
            Stage::New(duration) => match self.start(duration, cx) {
                Ok(id) => {
                    self.stage = Stage::Waiting(id);
                    return Poll::Pending;
                }
                Err(error) => {
                    self.stage = Stage::Over(Err(error));
                    return Poll::Ready(Err(error));
                }
            },
            Stage::Waiting(id) => id,
            Stage::Over(result) => return Poll::Ready(result),
        };
        let result = ready!(self.timers.poll(id, cx));
        self.forget(id);
        self.stage = Stage::Over(result);
        Poll::Ready(result)
    }
}

// ANCHOR: drop
impl Drop for Timer {
    fn drop(&mut self) {
        if let Stage::Waiting(id) = self.stage {
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

    /// A reactor without a thread: the test gets what the thread would be told.
    fn reactor() -> (Reactor, Receiver<Event>) {
        let (events, received) = mpsc::channel();
        let timers = Arc::default();
        (Reactor { events, timers }, received)
    }

    fn poll(timer: &mut Timer, waker: &Waker) -> Poll<Result<(), TimerError>> {
        Pin::new(timer).poll(&mut Context::from_waker(waker))
    }

    /// What the thread is told, without the deadline.
    fn told(received: &Receiver<Event>) -> Vec<(&'static str, Id)> {
        let told = received.try_iter().map(|event| match event {
            Event::Start { id, .. } => ("start", id),
            Event::Forget(id) => ("forget", id),
            Event::Close => panic!("the reactor was not dropped"),
        });
        told.collect()
    }

    #[test]
    fn a_finished_timer_is_forgotten_once() {
        let (reactor, received) = reactor();
        let mut timer = Timer::new(&reactor, LONG);
        assert!(poll(&mut timer, Waker::noop()).is_pending());
        reactor.timers.finish(0, Ok(()));
        assert_eq!(poll(&mut timer, Waker::noop()), Poll::Ready(Ok(())));
        drop(timer);
        assert_eq!(told(&received), [("start", 0), ("forget", 0)]);
    }

    #[test]
    fn a_timer_that_was_never_polled_is_never_mentioned() {
        let (reactor, received) = reactor();
        drop(Timer::new(&reactor, LONG));
        assert_eq!(told(&received), []);
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
        assert_eq!(told(&received), [("start", 0), ("forget", 0)]);
    }
}
