//! The record that is kept of one watched future.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    panic::Location,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crate::{
    event::What,
    facts::{Facts, Parent, Seen, State},
    mutex::own,
    poke::Poke,
    raw_waker::Observed,
    recorder::{Recorder, Switches},
};

/// Shared by the future and by all its wakers, so that it outlives the future.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) name: Arc<str>,
    /// Where it was watched.
    pub(crate) made: &'static Location<'static>,
    facts: Mutex<Facts>,
    /// What came with the latest poll. Not kept alive by this: it may own the task.
    latest_waker: Mutex<Weak<Observed>>,
    pub(crate) poke: Poke,
    seen_by: Mutex<SeenBy>,
    /// Whether a recorder is among those.
    is_recorded: AtomicBool,
}

/// One `within` or one `record`, which wants to know of the futures that its closure makes.
#[derive(Clone, Debug)]
pub(crate) enum Watcher {
    Roll(Weak<Roll>),
    Recorder(Arc<Recorder>),
}

/// The tasks that one `within` watches. What is over is only counted.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    list: Mutex<List>,
    /// Of the whole run, if it is traced.
    recorder: Option<Arc<Recorder>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    /// By number, in the order in which they came.
    pub(crate) tasks: BTreeMap<usize, Arc<Task>>,
    /// How many there have been.
    pub(crate) made: usize,
    /// Of those that are not in `tasks` any more: they were ready.
    pub(crate) ready: usize,
    /// The others of those: they were dropped before.
    pub(crate) cancelled: usize,
    /// What was dropped before it was ready, by where it was made.
    pub(crate) given_up: BTreeMap<&'static Location<'static>, GivenUp>,
}

/// Futures of one line that were polled, and dropped before they were ready.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenUp {
    /// Of the last one.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) parent: Option<Arc<str>>,
    pub(crate) times: usize,
}

impl Roll {
    pub(crate) fn with(recorder: Option<Arc<Recorder>>) -> Roll {
        let list = Mutex::default();
        Roll { list, recorder }
    }

    fn add(&self, task: Arc<Task>) -> usize {
        let mut list = own(&self.list);
        list.made += 1;
        let number = list.made;
        list.tasks.insert(number, task);
        number
    }

    pub(crate) fn list(&self) -> List {
        own(&self.list).clone()
    }
}

impl List {
    /// The polls that have not returned, by their tasks and numbers.
    pub(crate) fn inside_a_poll(&self) -> BTreeSet<(usize, usize)> {
        let facts = self.tasks.iter().map(|(number, it)| (*number, it.facts()));
        let inside = facts.filter(|(_, it)| matches!(it.state, State::Polling(_)));
        inside.map(|(number, it)| (number, it.polls)).collect()
    }

    fn ends(&mut self, number: usize, task: &Task, facts: &Facts, is_now: bool) {
        if is_now && facts.cancelled() && facts.polls > 0 {
            let it = self.given_up.entry(task.made).or_default();
            it.times += 1;
            it.name = Some(task.name.clone());
            it.parent = facts.parent.as_ref().map(|it| it.name.clone());
        }
        if facts.is_over() && self.tasks.remove(&number).is_some() {
            match facts.state {
                State::Ready => self.ready += 1,
                _ => self.cancelled += 1,
            }
        }
    }
}

/// Who wants to know, and under which number.
#[derive(Debug, Default)]
struct SeenBy {
    /// Whether they are known to watch what made it or polled it first. All may be it otherwise.
    is_assigned: bool,
    rolls: Vec<(Weak<Roll>, usize)>,
    recorders: Vec<(Arc<Recorder>, u32)>,
}

thread_local! {
    /// The tasks whose polls are on this thread's stack, the innermost last.
    static POLLED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
}

impl Task {
    pub(crate) fn new(name: Arc<str>, made: &'static Location<'static>) -> Arc<Self> {
        Arc::new(Self {
            name,
            made,
            facts: Mutex::default(),
            latest_waker: Mutex::default(),
            poke: Poke::default(),
            seen_by: Mutex::default(),
            is_recorded: AtomicBool::new(false),
        })
    }

    /// It belongs to those who know it now.
    pub(crate) fn assign(&self) {
        own(&self.seen_by).is_assigned = true;
    }

    pub(crate) fn is_assigned(&self) -> bool {
        own(&self.seen_by).is_assigned
    }

    /// Shows the task to each of these that does not know it yet.
    pub(crate) fn show_to(self: &Arc<Self>, watchers: &[Watcher]) {
        let mut seen_by = own(&self.seen_by);
        for watcher in watchers {
            let recorder = match watcher {
                Watcher::Roll(roll) if !seen_by.knows_roll(roll) => {
                    let Some(there) = roll.upgrade() else {
                        continue;
                    };
                    seen_by.rolls.push((roll.clone(), there.add(self.clone())));
                    there.recorder.clone()
                }
                Watcher::Recorder(recorder) => Some(recorder.clone()),
                Watcher::Roll(_) => None,
            };
            if let Some(recorder) = recorder.filter(|it| seen_by.id_in(it).is_none()) {
                let id = recorder.add(&self.name);
                recorder.push(Switches::so_far(), id, What::Spawn);
                seen_by.recorders.push((recorder, id));
                self.is_recorded.store(true, Relaxed);
            }
        }
    }

    /// Those who watch this task. Futures that are made while it is polled are watched by the same.
    pub(crate) fn watchers(&self) -> Vec<Watcher> {
        let seen_by = own(&self.seen_by);
        let rolls = seen_by.rolls.iter();
        let rolls = rolls.map(|(roll, _)| Watcher::Roll(roll.clone()));
        let recorders = seen_by.recorders.iter();
        let recorders = recorders.map(|(recorder, _)| Watcher::Recorder(recorder.clone()));
        rolls.chain(recorders).collect()
    }

    pub(crate) fn latest_waker(&self) -> Option<Arc<Observed>> {
        own(&self.latest_waker).upgrade()
    }

    /// To how many it may belong.
    pub(crate) fn rolls(&self) -> usize {
        let seen_by = own(&self.seen_by);
        if seen_by.is_assigned {
            1
        } else {
            seen_by.rolls.len()
        }
    }

    pub(crate) fn facts(&self) -> Facts {
        own(&self.facts).clone()
    }

    /// Takes down what happened. A wake says by itself inside whose poll it was made.
    pub(crate) fn note(&self, what: What) {
        self.note_of(what, false);
    }

    /// The same, for what may have happened to the waker of a watched future inside this one.
    pub(crate) fn note_of(&self, what: What, in_child: bool) {
        // Before the probe's own locks, which may put the thread to sleep.
        let so_far = self.is_recorded.load(Relaxed).then(Switches::so_far);
        let is_self = |polled: &Arc<Task>| std::ptr::eq(Arc::as_ptr(polled), self);
        // A waker may be dropped by the destructor of a thread-local, when this one is gone already.
        let own_poll = POLLED_HERE.try_with(|polled| polled.borrow().iter().any(is_self));
        let polled = innermost();
        if let Some(so_far) = so_far {
            let recorders = own(&self.seen_by).recorders.clone();
            for (recorder, id) in recorders {
                let mut what = what.clone();
                if let What::Wake { during, .. } = &mut what {
                    let polled = polled.as_ref();
                    *during = polled.and_then(|it| own(&it.seen_by).id_in(&recorder));
                }
                recorder.push(so_far, id, what);
            }
        }
        let mut facts = own(&self.facts);
        facts.note(&Seen {
            what: &what,
            own_poll: own_poll.unwrap_or_default(),
            poll_of: polled.as_ref().map(|polled| &polled.name),
            in_child,
        });
        if facts.dropped {
            for (roll, number) in &own(&self.seen_by).rolls {
                if let Some(roll) = roll.upgrade() {
                    own(&roll.list).ends(*number, self, &facts, what == What::Drop);
                }
            }
        }
    }
}

impl SeenBy {
    fn knows_roll(&self, roll: &Weak<Roll>) -> bool {
        self.rolls.iter().any(|(known, _)| known.ptr_eq(roll))
    }

    fn id_in(&self, recorder: &Arc<Recorder>) -> Option<u32> {
        let known =
            |(known, id): &(Arc<Recorder>, u32)| Arc::ptr_eq(known, recorder).then_some(*id);
        self.recorders.iter().find_map(known)
    }
}

/// The task that the calling thread polls at this moment.
pub(crate) fn innermost() -> Option<Arc<Task>> {
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
    /// `given_by`: the task whose own waker came with the poll.
    pub(crate) fn begin(
        task: &'a Arc<Task>,
        waker: u32,
        observed: &Arc<Observed>,
        given_by: Option<&Arc<Task>>,
    ) -> Self {
        *own(&task.latest_waker) = Arc::downgrade(observed);
        let parent = innermost().map(|parent| Parent {
            polls: own(&parent.facts).polls,
            own_waker: given_by.is_some_and(|it| Arc::ptr_eq(it, &parent)),
            task: Arc::downgrade(&parent),
            name: parent.name.clone(),
        });
        own(&task.facts).parent = parent;
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
