//! The reactor: the place where the executor sleeps, and the slab of all sources that may end this sleep.

use std::{
    fmt, io,
    sync::{Arc, Mutex, MutexGuard},
    task::Waker,
    time::Duration,
};

use crate::{
    Park,
    selector::{AsIo, Selector, Trigger, borrow},
    slab::Slab,
    source::{Event, Source},
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Sleeps in the kernel until one of its sources is ready.
// ANCHOR: struct
pub struct Reactor {
    selector: Box<dyn Selector>,
    sources: Mutex<Slab<Arc<Source>>>,
    /// The reports of the latest wait. Kept, so that a wait allocates nothing.
    events: Mutex<Vec<Event>>,
}
// ANCHOR_END: struct

impl Reactor {
    /// A reactor without sources.
    pub fn new(selector: impl Selector + 'static) -> Reactor {
        Reactor {
            selector: Box::new(selector),
            sources: Mutex::new(Slab::new()),
            events: Mutex::default(),
        }
    }

    pub(crate) fn selector(&self) -> &dyn Selector {
        &*self.selector
    }

    /// The number of sources.
    pub fn len(&self) -> usize {
        self.sources().len()
    }

    /// Whether there is no source.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts to watch a descriptor. If it is `ready`, it is tried before it is waited for.
    // ANCHOR: register
    pub(crate) fn register(
        &self,
        io: Arc<dyn AsIo + Send + Sync>,
        trigger: Trigger,
        ready: bool,
    ) -> io::Result<Arc<Source>> {
        let source = Arc::clone(
            self.sources()
                .insert_with(|key| Arc::new(Source::new(Arc::clone(&io), key, trigger, ready))),
        );
        // The source first, because the first event may come at once.
        if let Err(error) = self.selector.add(borrow(&*io), source.key, trigger) {
            self.sources().remove(source.key);
            return Err(error);
        }
        Ok(source)
    }

    /// Stops watching a descriptor. To be called while it is open.
    pub(crate) fn deregister(&self, io: &dyn AsIo, source: &Source) {
        let removed = self.sources().remove(source.key);
        // An error would mean that the kernel does not watch it, which is what is wanted.
        let _ = self.selector.delete(borrow(io));
        drop(source.take_wakers());
        drop(removed);
    }
    // ANCHOR_END: register

    /// Lets every operation on a source fail, and adds the wakers of the tasks that wait to `due`.
    pub(crate) fn close(&self, due: &mut Vec<Waker>) {
        for source in self.sources().values() {
            source.close(due);
        }
    }

    fn sources(&self) -> MutexGuard<'_, Slab<Arc<Source>>> {
        self.sources.lock().expect(UNPOISONED)
    }
}

// ANCHOR: park
impl Park for Arc<Reactor> {
    /// # Panics
    ///
    /// If the selector's wait fails, which means that its own descriptor is closed.
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let mut events = self.events.lock().expect(UNPOISONED);
        self.selector
            .wait(timeout, &mut events)
            .expect("the selector is open");
        for event in events.drain(..) {
            // There may be none: the source was deregistered on another thread since.
            let source = self.sources().get(event.key).cloned();
            if let Some(source) = source {
                source.report(event, &*self.selector, due);
            }
        }
    }

    fn unpark(&self) {
        self.selector.notify().expect("the selector is open");
    }
}
// ANCHOR_END: park

impl fmt::Debug for Reactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sources", self.len())
    }
}
