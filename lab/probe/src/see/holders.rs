//! Which thread holds which [`Mutex`](crate::Mutex), and which thread waits for it.

use std::{
    collections::BTreeMap,
    panic::Location,
    sync::{Arc, Mutex, MutexGuard},
    thread::ThreadId,
};

use crate::see::{
    facts::State,
    lock::own,
    place::{Line, Place},
    task::{self, Task},
};

/// Mutexes are known by their addresses.
struct Table {
    holders: BTreeMap<usize, Holder>,
    waits: Vec<(ThreadId, usize, Line)>,
}

#[derive(Clone)]
pub(crate) struct Holder {
    pub(crate) place: Arc<Place>,
    /// In whose poll it was taken.
    pub(crate) task: Option<Arc<Task>>,
    pub(crate) taken: Line,
}

impl Holder {
    /// The one in whose poll it was taken, if that poll is over: its guard lives across an await.
    pub(crate) fn task_that_waits(&self) -> Option<&Arc<Task>> {
        let waits = |task: &&Arc<Task>| matches!(task.facts().state, State::Pending);
        self.task.as_ref().filter(waits)
    }
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    holders: BTreeMap::new(),
    waits: Vec::new(),
});

fn table() -> MutexGuard<'static, Table> {
    own(&TABLE)
}

/// The calling thread has taken this mutex.
pub(crate) fn takes(mutex: usize, taken: &'static Location<'static>) {
    let holder = Holder {
        place: Place::here(),
        task: task::of_innermost(Arc::clone),
        taken,
    };
    table().holders.insert(mutex, holder);
}

/// Nobody holds this mutex any more. The result is who did.
pub(crate) fn releases(mutex: usize) -> Option<Holder> {
    table().holders.remove(&mutex)
}

/// Who has released this mutex has it again.
pub(crate) fn takes_again(mutex: usize, holder: Option<Holder>) {
    table().holders.extend(holder.map(|holder| (mutex, holder)));
}

/// Calls `lock`, for which the calling thread waits.
pub(crate) fn waiting<T>(mutex: usize, wanted: Line, lock: impl FnOnce() -> T) -> T {
    let thread = std::thread::current().id();
    table().waits.push((thread, mutex, wanted));
    let result = lock();
    table().waits.retain(|(waiting, ..)| *waiting != thread);
    result
}

/// A wait for a mutex, as it is at this moment.
#[derive(Clone)]
pub(crate) struct Wait {
    /// That waits.
    pub(crate) thread: ThreadId,
    pub(crate) holder: Holder,
    /// Where the other one waits for it.
    pub(crate) wanted: Line,
}

/// For which lock this thread waits, if it waits for one that has a holder.
pub(crate) fn wait_of(thread: ThreadId) -> Option<Wait> {
    let table = table();
    let mut waits = table.waits.iter();
    let &(_, mutex, wanted) = waits.find(|(waiting, ..)| *waiting == thread)?;
    let holder = table.holders.get(&mutex)?.clone();
    Some(Wait {
        thread,
        holder,
        wanted,
    })
}
