//! A place to sleep that records its calls.

use std::{
    mem,
    sync::{Arc, Mutex, Weak},
    task::Waker,
    time::Duration,
};

use step09_epoll_reactor::{Park, Parker, Runtime};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The executor sleeps, no longer than this.
    Park(Option<Duration>),
    Unpark,
}

pub use Call::{Park as Parked, Unpark as Unparked};

/// A look, without a sleep.
pub const LOOK: Call = Parked(Some(Duration::ZERO));

/// What happens while the executor sleeps for the first time, for the second time and so on.
type Events = dyn FnMut(usize, &mut Vec<Waker>) + Send;

struct Place {
    record: Arc<Record>,
    events: Mutex<Box<Events>>,
}

/// The calls so far. A look is no sleep, so it is not counted as one.
#[derive(Debug, Default)]
pub struct Record {
    parker: Parker,
    calls: Mutex<Vec<Call>>,
    sleeps: Mutex<usize>,
}

/// Creates a runtime. In each sleep, `events` happen before it is waited for, so they may end it, or hand back wakers.
pub fn recorded(
    events: impl FnMut(usize, &mut Vec<Waker>) + Send + 'static,
) -> (Runtime, Weak<Record>) {
    let record = Arc::<Record>::default();
    let weak = Arc::downgrade(&record);
    let events = Mutex::new(Box::new(events) as Box<Events>);
    (Runtime::with_park(Place { record, events }), weak)
}

/// The calls since this was last called.
pub fn calls(record: &Weak<Record>) -> Vec<Call> {
    let record = record.upgrade().expect("the runtime is there");
    let mut calls = record.calls.lock().unwrap();
    mem::take(&mut *calls)
}

impl Park for Place {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        self.record.calls.lock().unwrap().push(Parked(timeout));
        if timeout != Some(Duration::ZERO) {
            let mut sleeps = self.record.sleeps.lock().unwrap();
            *sleeps += 1;
            (self.events.lock().unwrap())(*sleeps, due);
        }
        if due.is_empty() {
            self.record.parker.park(timeout, due);
        }
    }

    fn unpark(&self) {
        self.record.calls.lock().unwrap().push(Unparked);
        self.record.parker.unpark();
    }
}
