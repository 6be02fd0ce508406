//! The handle: starts the reactor's thread, and stops it when it is dropped.

use std::sync::{
    Arc,
    mpsc::{self, Receiver, Sender},
};

use crate::{
    Event, Timers,
    driver::{v1_thread_per_timer, v2_one_thread},
    threads,
};

/// Waits for timers on behalf of futures, on a thread of its own.
///
/// Dropping it stops that thread, and ends every timer that has not finished with
/// [`TimerError::ReactorGone`](crate::TimerError::ReactorGone). The drop itself calls the wakers of those timers, one
/// after the other, so it takes as long as they do. But it waits for no thread and holds no lock while it calls them,
/// which is why a reactor may be dropped anywhere: in a future, in a waker, on the reactor's own thread.
#[derive(Debug)]
// ANCHOR: struct
pub struct Reactor {
    pub(crate) events: Sender<Event>,
    pub(crate) timers: Arc<Timers>,
}
// ANCHOR_END: struct

impl Reactor {
    /// A reactor that needs one thread for any number of timers: version 2. It comes in an `Arc` because tasks on
    /// several threads may need it.
    ///
    /// # Panics
    ///
    /// If the operating system has no thread left, as [`std::thread::spawn`] does.
    pub fn new() -> Arc<Reactor> {
        Reactor::driven_by(v2_one_thread::drive)
    }

    /// A reactor that starts a thread for each timer: version 1.
    ///
    /// # Panics
    ///
    /// If the operating system has no thread left, as [`std::thread::spawn`] does.
    pub fn with_thread_per_timer() -> Arc<Reactor> {
        Reactor::driven_by(v1_thread_per_timer::drive)
    }

    // ANCHOR: new
    fn driven_by(drive: fn(&Receiver<Event>, &Arc<Timers>)) -> Arc<Reactor> {
        let (events, receiver) = mpsc::channel();
        let timers = Arc::new(Timers::default());
        let driven = CloseOnDrop(Arc::clone(&timers));
        let started = threads::spawn("reactor", move || drive(&receiver, &driven.0));
        started.expect("a thread for the reactor");
        Arc::new(Reactor { events, timers })
    }
    // ANCHOR_END: new

    /// How many timers the reactor waits for.
    pub fn waiting(&self) -> usize {
        self.timers.len()
    }

    /// How many threads all reactors of this process have started so far.
    pub fn threads_started() -> usize {
        threads::started()
    }
}

/// Closes the map when the reactor's thread ends, by a panic too, so that no timer is left waiting for it.
struct CloseOnDrop(Arc<Timers>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

// ANCHOR: drop
impl Drop for Reactor {
    fn drop(&mut self) {
        self.timers.close();
        let _ = self.events.send(Event::Close);
    }
}
// ANCHOR_END: drop

#[cfg(all(test, not(loom)))]
mod tests {
    use std::{
        task::{Context, Poll},
        time::Duration,
    };

    use probe::CountingWaker;

    use super::*;
    use crate::{Timer, TimerError};

    #[test]
    fn a_reactor_whose_thread_dies_leaves_no_timer_waiting() {
        probe::within(Duration::from_secs(10), || {
            let reactor = Reactor::driven_by(|_, _| panic!("this panic belongs to the test"));
            let timer = Timer::new(&reactor, Duration::from_secs(3_600));
            assert_eq!(
                futures::executor::block_on(timer),
                Err(TimerError::ReactorGone)
            );
        });
    }

    #[test]
    fn once_the_reactor_is_dropped_every_waker_has_been_called() {
        let (events, _received) = mpsc::channel();
        let timers = Arc::new(Timers::default());
        let reactor = Reactor {
            events,
            timers: Arc::clone(&timers),
        };
        let waker = CountingWaker::new();
        let id = timers.register(&waker.waker()).unwrap();
        // This reactor has no thread, so only the drop can call the waker.
        drop(reactor);
        assert_eq!(waker.wakes(), 1);
        let gone = timers.poll(id, &mut Context::from_waker(&waker.waker()));
        assert_eq!(gone, Poll::Ready(Err(TimerError::ReactorGone)));
    }
}
