//! The record that is kept of one watched future.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, Weak},
};

use crate::{
    event::What,
    facts::Facts,
    mutex::own,
    recorder::{Recorder, Switches},
};

/// Shared by the future and by all its wakers, so that it outlives the future.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) name: String,
    facts: Mutex<Facts>,
    seen_by: Mutex<SeenBy>,
}

/// One `within` or one `record`, which wants to know of the futures that its closure makes.
#[derive(Clone, Debug)]
pub(crate) enum Watcher {
    Roll(Weak<Roll>),
    Recorder(Arc<Recorder>),
}

/// The tasks that one `within` watches, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    tasks: Mutex<Vec<Arc<Task>>>,
    /// Of the whole run, if it is traced.
    recorder: Option<Arc<Recorder>>,
}

impl Roll {
    pub(crate) fn with(recorder: Option<Arc<Recorder>>) -> Roll {
        let tasks = Mutex::default();
        Roll { tasks, recorder }
    }

    fn add(&self, task: Arc<Task>) {
        own(&self.tasks).push(task);
    }

    pub(crate) fn tasks(&self) -> Vec<Arc<Task>> {
        own(&self.tasks).clone()
    }
}

/// Who wants to know, and under which number.
#[derive(Debug, Default)]
struct SeenBy {
    rolls: Vec<Weak<Roll>>,
    recorders: Vec<(Arc<Recorder>, u32)>,
}

thread_local! {
    /// The tasks whose polls are on this thread's stack, the innermost last.
    static POLLED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
}

impl Task {
    pub(crate) fn new(name: String, watchers: Vec<Watcher>) -> Arc<Self> {
        let task = Arc::new(Self {
            name,
            facts: Mutex::default(),
            seen_by: Mutex::default(),
        });
        task.show_to(watchers);
        task
    }

    /// Shows the task to each of these that does not know it yet.
    pub(crate) fn show_to(self: &Arc<Self>, watchers: Vec<Watcher>) {
        let mut seen_by = own(&self.seen_by);
        for watcher in watchers {
            let recorder = match watcher {
                Watcher::Roll(roll) if !seen_by.knows_roll(&roll) => {
                    let there = roll.upgrade();
                    seen_by.rolls.push(roll);
                    let recorder = there.as_ref().and_then(|roll| roll.recorder.clone());
                    there.inspect(|roll| roll.add(self.clone()));
                    recorder
                }
                Watcher::Recorder(recorder) => Some(recorder),
                Watcher::Roll(_) => None,
            };
            if let Some(recorder) = recorder.filter(|it| seen_by.id_in(it).is_none()) {
                let id = recorder.add(&self.name);
                recorder.push(Switches::so_far(), id, What::Spawn);
                seen_by.recorders.push((recorder, id));
            }
        }
    }

    /// Those who watch this task. Futures that are made while it is polled are watched by the same.
    pub(crate) fn watchers(&self) -> Vec<Watcher> {
        let seen_by = own(&self.seen_by);
        let rolls = seen_by.rolls.iter().cloned().map(Watcher::Roll);
        let recorders = seen_by
            .recorders
            .iter()
            .map(|(recorder, _)| Watcher::Recorder(recorder.clone()));
        rolls.chain(recorders).collect()
    }

    pub(crate) fn facts(&self) -> Facts {
        own(&self.facts).clone()
    }

    /// Takes down what happened. A wake says by itself inside whose poll it was made.
    pub(crate) fn note(&self, what: What) {
        let so_far = Switches::so_far();
        let polled = innermost();
        let own_poll = polled
            .as_ref()
            .is_some_and(|polled| std::ptr::eq(&raw const **polled, self));
        own(&self.facts).note(&what, own_poll);
        let recorders = own(&self.seen_by).recorders.clone();
        for (recorder, id) in recorders {
            let mut what = what.clone();
            if let What::Wake { during, .. } = &mut what {
                *during = polled
                    .as_ref()
                    .and_then(|polled| own(&polled.seen_by).id_in(&recorder));
            }
            recorder.push(so_far, id, what);
        }
    }
}

impl SeenBy {
    fn knows_roll(&self, roll: &Weak<Roll>) -> bool {
        self.rolls.iter().any(|known| known.ptr_eq(roll))
    }

    fn id_in(&self, recorder: &Arc<Recorder>) -> Option<u32> {
        let known =
            |(known, id): &(Arc<Recorder>, u32)| Arc::ptr_eq(known, recorder).then_some(*id);
        self.recorders.iter().find_map(known)
    }
}

/// The task that the calling thread polls at this moment.
pub(crate) fn innermost() -> Option<Arc<Task>> {
    // A waker may be dropped by the destructor of a thread-local, when this one is gone already.
    POLLED_HERE
        .try_with(|polled| polled.borrow().last().cloned())
        .ok()
        .flatten()
}

/// Marks a poll as being on this thread's stack. A poll that ends without saying how has panicked.
pub(crate) struct Polling<'a> {
    task: &'a Arc<Task>,
    outcome: What,
}

impl<'a> Polling<'a> {
    pub(crate) fn begin(task: &'a Arc<Task>, waker: u32) -> Self {
        task.note(What::Poll { waker });
        let _ = POLLED_HERE.try_with(|polled| polled.borrow_mut().push(task.clone()));
        Self {
            task,
            outcome: What::Panic,
        }
    }

    pub(crate) fn end(mut self, outcome: What) {
        self.outcome = outcome;
    }
}

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        let _ = POLLED_HERE.try_with(|polled| polled.borrow_mut().pop());
        self.task.note(self.outcome.clone());
    }
}
