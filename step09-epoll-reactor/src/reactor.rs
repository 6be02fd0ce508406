//! The reactor: the place where the executor sleeps, and the slab of all sources that may end this sleep.

pub(crate) mod readiness;
pub(crate) mod selector;
pub(crate) mod slab;
pub(crate) mod source;
#[cfg(target_os = "linux")]
pub mod v2_epoll;
pub mod v3_polling;

use std::{
    fmt, io, mem,
    sync::{Arc, Mutex, MutexGuard},
    task::Waker,
    time::Duration,
};

use crate::{Park, contain::contain};

use selector::{BorrowedIo, Event, Selector, Trigger};
use slab::Slab;
use source::Source;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Sleeps in the kernel until one of its sources is ready.
pub struct Reactor {
    selector: Arc<dyn Selector>,
    sources: Mutex<Sources>,
    /// The reports of the latest wait. Kept, so that a wait allocates nothing.
    events: Mutex<Vec<Event>>,
}

struct Sources {
    watched: Slab<Arc<Source>>,
    /// The runtime has been dropped, so no event will come.
    closed: bool,
}

impl Reactor {
    /// A reactor without sources.
    pub fn new(selector: impl Selector + 'static) -> Reactor {
        Reactor {
            selector: Arc::new(selector),
            sources: Mutex::new(Sources {
                watched: Slab::new(),
                closed: false,
            }),
            events: Mutex::default(),
        }
    }

    pub(crate) fn selector(&self) -> &dyn Selector {
        &*self.selector
    }

    /// Starts to watch a descriptor. If it is `ready`, it is tried before it is waited for.
    // ANCHOR: register
    pub(crate) fn register(
        &self,
        io: BorrowedIo<'static>,
        trigger: Trigger,
        ready: bool,
    ) -> io::Result<Arc<Source>> {
        let selector = Arc::clone(&self.selector);
        let new = |key| Arc::new(Source::new(io, key, selector, trigger, ready));
        let mut sources = self.sources();
        if sources.closed {
            return Err(readiness::gone());
        }
        let source = Arc::clone(sources.watched.insert_with(new));
        drop(sources);
        // SAFETY: the destructor of `Registered` deletes the descriptor, and closes it after that.
        // If it cannot be deleted, the destructor leaves it open.
        #[expect(unsafe_code)]
        let added = unsafe { self.selector.add(io, source.key, trigger) };
        // The slab first and then the kernel, because the first event may come at once.
        if let Err(error) = added {
            self.sources().watched.remove(source.key);
            return Err(error);
        }
        Ok(source)
    }

    /// Stops watching a descriptor that is still open. If that fails, it must not be closed.
    pub(crate) fn deregister(&self, source: &Source) -> io::Result<()> {
        // This comes first. The executor's thread may be about to report an event of this source, and
        // if the source still had a waker, it would be armed after the descriptor has been deleted.
        let wakers = source.end();
        let deleted = self.selector.delete(source.io);
        let removed = self.sources().watched.remove(source.key);
        contain(|| drop((wakers, removed))); // a waker may panic, and the caller needs `deleted`
        deleted
    }
    // ANCHOR_END: register

    /// Lets every operation on a source fail, and adds the wakers of the tasks that wait to `due`.
    pub(crate) fn close(&self, due: &mut Vec<Waker>) {
        let mut sources = self.sources();
        sources.closed = true;
        for source in sources.watched.values() {
            source.close(due);
        }
    }

    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().expect(UNPOISONED)
    }

    fn events(&self) -> MutexGuard<'_, Vec<Event>> {
        self.events.lock().expect(UNPOISONED)
    }
}

// ANCHOR: park
impl Park for Reactor {
    /// # Panics
    ///
    /// If the selector's wait fails, which means that its own descriptor is closed.
    // ANCHOR: wait
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let mut events = mem::take(&mut *self.events());
        match self.selector.wait(timeout, &mut events) {
            // A signal, such as the one that continues a stopped program, is no error.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => result.expect("the selector is open"),
        }
        for event in events.drain(..) {
            // Another thread may have deregistered the source since the kernel reported it.
            let source = self.sources().watched.get(event.key).cloned();
            if let Some(source) = source {
                source.report(event, due);
            }
        }
        *self.events() = events;
    }
    // ANCHOR_END: wait

    fn unpark(&self) {
        self.selector.notify().expect("the selector is open");
    }
}
// ANCHOR_END: park

impl fmt::Debug for Reactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sources", self.sources().watched.len())
    }
}
