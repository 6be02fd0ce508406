//! A reactor that waits in its destructor for its own thread.
//!
//! The thread wakes a task, the task ends and drops the last handle of the reactor. So the destructor runs on the
//! reactor's own thread, which now waits for itself.

use std::{
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use futures::{channel::oneshot, executor::block_on};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "reactor-joins-itself",
    title: "a reactor that is dropped on its own thread waits for itself",
    was_in: "\"Parker and Reactor\", `Reactor::drop`",
    breaks: "a destructor may run on any thread, so it must not wait for one that may be its own",
    chapter: 6,
    fails: Fails::Hangs("returned Pending, and waits for an event that has not come"),
    why: "the code that holds the last handle drops the reactor, and that may happen on any thread. The fixed \
          version only closes its channel. The thread notices that, and ends by itself.",
    passes: "the last handle was dropped on the reactor's thread; main goes on",
    broken: || show(Joined::new()),
    repaired: || show(HungUp::new()),
};

type Work = Box<dyn FnOnce() + Send>;

/// What the reactor's thread does until no sender is left.
fn drive(events: Receiver<Work>) {
    events.into_iter().for_each(|work| work());
}

// ANCHOR: broken
struct Joined {
    /// `None` once it is being dropped.
    events: Option<Sender<Work>>,
    /// In a lock because the handle is shared.
    ended: Mutex<Receiver<()>>,
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.events = None;
        // Until the thread is at its end. It cannot be `join` here: some systems refuse that
        // to the thread itself. In document 003 a second thread is in between.
        let _ = self.ended.get_mut().unwrap().recv();
    }
}
// ANCHOR_END: broken

impl Joined {
    fn new() -> Joined {
        let (events, receiver) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        thread::spawn(move || {
            drive(receiver);
            let _ = end.send(());
        });
        Joined {
            events: Some(events),
            ended: Mutex::new(ended),
        }
    }
}

// ANCHOR: repaired
struct HungUp {
    /// Dropped with the handle. Then `drive` has no sender any more, and returns.
    events: Sender<Work>,
}
// ANCHOR_END: repaired

impl HungUp {
    fn new() -> HungUp {
        let (events, receiver) = mpsc::channel();
        thread::spawn(move || drive(receiver));
        HungUp { events }
    }
}

trait Reactor: Send + Sync + 'static {
    fn send(&self, work: Work);
}

impl Reactor for Joined {
    fn send(&self, work: Work) {
        let _ = self.events.as_ref().expect("not dropped").send(work);
    }
}

impl Reactor for HungUp {
    fn send(&self, work: Work) {
        let _ = self.events.send(work);
    }
}

/// The reactor's thread gets the last handle, drops it, and then wakes main.
fn show<R: Reactor>(reactor: R) {
    let reactor = Arc::new(reactor);
    let last = Arc::clone(&reactor);
    let (go, may_go) = mpsc::channel();
    let (fire, fired) = oneshot::channel();
    reactor.send(Box::new(move || {
        let _ = may_go.recv();
        drop(last);
        let _ = fire.send(());
    }));
    drop(reactor);
    let _ = go.send(());
    let _ = block_on(probe::watch("main", fired));
    println!("the last handle was dropped on the reactor's thread; main goes on");
}
