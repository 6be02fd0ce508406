//! A reactor that waits for its running timers when it is dropped.
//!
//! The timer here runs for an hour, so the code that drops the reactor waits for an hour in a destructor, and the
//! future waits as long.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "dropped-with-a-timer-pending",
    title: "a reactor that is dropped waits for its last timer",
    was_in: "\"Parker and Reactor\", `Reactor::drop`",
    breaks: "a reactor that is dropped notifies its pending timers and waits for none of them",
    chapter: 6,
    fails: Fails::Hangs("returned Pending, and its waker was not called after that"),
    why: "`drop` joins the thread that sleeps for the timer, and nothing can end that sleep. In the fixed version \
          the thread sleeps in `recv_timeout`, so it notices that the reactor is gone, and wakes the future.",
    passes: "the reactor is dropped; the timer says: Err(Gone)",
    broken: || show(|done| Joins::start(HOUR, done)),
    repaired: || show(|done| HangsUp::start(HOUR, done)),
};

const HOUR: Duration = Duration::from_secs(3_600);

/// Why a timer ended before its time.
#[derive(Debug)]
struct Gone;

type Done = oneshot::Sender<Result<(), Gone>>;

// ANCHOR: broken
struct Joins(Option<JoinHandle<()>>);

impl Joins {
    fn start(duration: Duration, done: Done) -> Joins {
        Joins(Some(thread::spawn(move || {
            thread::sleep(duration);
            let _ = done.send(Ok(()));
        })))
    }
}

impl Drop for Joins {
    fn drop(&mut self) {
        self.0.take().unwrap().join().unwrap();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// Nothing is ever sent. That the sender is gone is all there is to hear.
struct HangsUp {
    _alive: Sender<()>,
}

impl HangsUp {
    fn start(duration: Duration, done: Done) -> HangsUp {
        let (alive, reactor) = mpsc::channel();
        thread::spawn(move || {
            let _ = match reactor.recv_timeout(duration) {
                Err(RecvTimeoutError::Disconnected) => done.send(Err(Gone)),
                _ => done.send(Ok(())),
            };
        });
        HangsUp { _alive: alive }
    }
}
// ANCHOR_END: repaired

fn show<R>(start: fn(Done) -> R) {
    let (done, timer) = oneshot::channel();
    let reactor = start(done);
    let mut reactor = Some(reactor);
    let mut timer = Box::pin(probe::watch("timer", timer));
    let result = block_on(std::future::poll_fn(|cx| {
        let poll = timer.as_mut().poll(cx);
        // After the first poll, when the timer is waited for.
        drop(reactor.take());
        poll
    }));
    let result = result.expect("the thread sends before it ends");
    println!("the reactor is dropped; the timer says: {result:?}");
}
