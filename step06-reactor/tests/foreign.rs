//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, and the
//! reactor's thread goes on.

use std::{sync::Arc, task::Waker, time::Duration};

use probe::{
    foreign::{Foreign, Panics},
    hostile::Hostile,
    wait_until,
};
use properties::foreign::at_every_call;
use step06_reactor::{Reactor, Timer, Timers};

const HOUR: Duration = Duration::from_secs(3_600);
const MILLISECOND: Duration = Duration::from_millis(1);

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    at_every_call(&mut panics, the_map_is_closed);
    for reactor in [Reactor::new, Reactor::with_thread_per_timer] {
        at_every_call(&mut panics, |foreign| timers_end(foreign, &reactor()));
        at_every_call(&mut panics, |foreign| {
            the_reactor_is_dropped(foreign, reactor())
        });
    }
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/"]);
}

fn the_map_is_closed(foreign: &Foreign) {
    let timers = Timers::default();
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let hostile = foreign.waker();
            let id = timers.register(Waker::noop()).unwrap();
            let mut polled = std::future::poll_fn(|cx| timers.poll(id, cx));
            assert!(foreign.waits(&mut polled, &hostile));
            hostile
        })
        .collect();
    timers.close();
    for hostile in &waiting {
        assert_eq!((hostile.wakes(), hostile.live()), (1, 0));
    }
}

struct Waiting {
    timer: Timer,
    hostile: Hostile,
    /// Otherwise its deadline had come before the latest poll.
    is_pending: bool,
}

/// Three timers with foreign wakers, of which one is dropped early.
fn waiting(foreign: &Foreign, reactor: &Reactor, duration: Duration) -> Vec<Waiting> {
    let mut waiting: Vec<_> = (0..3)
        .map(|_| {
            let (mut timer, hostile) = (Timer::new(reactor, duration), foreign.waker());
            let is_pending = foreign.waits(&mut timer, &hostile);
            Waiting {
                timer,
                hostile,
                is_pending,
            }
        })
        .collect();
    let Waiting { timer, hostile, .. } = waiting.remove(1);
    foreign.on_its_own(|| drop(timer));
    wait_until(|| hostile.live() == 0);
    waiting
}

fn timers_end(foreign: &Foreign, reactor: &Arc<Reactor>) {
    let waiting = waiting(foreign, reactor, MILLISECOND);
    for timer in &waiting {
        wait_until(|| !timer.is_pending || timer.hostile.wakes() == 1);
    }
    // The thread still runs.
    let later = Timer::new(reactor, MILLISECOND);
    assert_eq!(futures::executor::block_on(later), Ok(()));
}

fn the_reactor_is_dropped(foreign: &Foreign, reactor: Arc<Reactor>) {
    let waiting = waiting(foreign, &reactor, HOUR);
    drop(reactor);
    for Waiting { hostile, .. } in &waiting {
        assert_eq!((hostile.wakes(), hostile.live()), (1, 0));
    }
}
