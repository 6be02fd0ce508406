//! The record that is kept of one watched future.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
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
    resource::{Has, Here},
};

/// Shared by the future and by all its wakers, so that it outlives the future.
#[derive(Debug)]
pub(crate) struct Task {
    /// `None`: it is called by the line that watches it.
    pub(crate) given: Option<Arc<str>>,
    /// Where it was watched.
    pub(crate) made: Here,
    pub(crate) poke: Poke,
    record: Mutex<Record>,
    /// Who waits for its end, and how.
    pub(crate) joiner: Mutex<Option<(Arc<Task>, Has)>>,
    /// Whether a recorder is among those who watch it.
    is_recorded: AtomicBool,
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct Record {
    facts: Facts,
    /// What came with the latest poll. Not kept alive by this: it may own the task.
    latest_waker: Weak<Observed>,
    watchers: Option<Watchers>,
    /// Whether they are known to watch what made it or polled it first. All may be it otherwise.
    is_assigned: bool,
    /// Its number in each recorder.
    ids: Vec<(Arc<Recorder>, u32)>,
}

/// One `within` or one `record`, which wants to know of the futures that its closure makes.
#[derive(Clone, Debug)]
pub(crate) enum Watcher {
    Roll(Weak<Roll>),
    Recorder(Arc<Recorder>),
}

/// Shared by all tasks that the same ones watch.
pub(crate) type Watchers = Arc<Vec<Watcher>>;

impl Watcher {
    fn key(&self) -> *const () {
        match self {
            Self::Roll(roll) => roll.as_ptr().cast(),
            Self::Recorder(recorder) => Arc::as_ptr(recorder).cast(),
        }
    }
}

/// The tasks that one `within` watches. What is over is only counted.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    pub(crate) list: Mutex<List>,
    /// Of the whole run, if it is traced.
    pub(crate) recorder: Option<Arc<Recorder>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    /// With their numbers, in the order in which they came, and some that are over.
    all: Vec<(usize, Arc<Task>)>,
    /// How many there have been.
    pub(crate) made: usize,
    /// Of those that are over: they were ready.
    pub(crate) ready: usize,
    /// The others of those: they were dropped before.
    pub(crate) cancelled: usize,
    /// How many of both are not in `all` any more.
    forgotten: usize,
    /// What was dropped before it was ready, by where it was made.
    pub(crate) given_up: BTreeMap<Here, GivenUp>,
}

/// Futures of one line that were polled, and dropped before they were ready.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenUp {
    /// Of the last one.
    pub(crate) name: String,
    pub(crate) parent: Option<Arc<Task>>,
    pub(crate) times: usize,
}

impl Roll {
    pub(crate) fn list(&self) -> List {
        own(&self.list).clone()
    }
}

impl List {
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &(usize, Arc<Task>)> {
        self.all.iter().filter(|it| !it.1.is_over.load(Relaxed))
    }

    /// The polls that have not returned, by their tasks and numbers.
    pub(crate) fn inside_a_poll(&self) -> BTreeSet<(usize, usize)> {
        let facts = self.tasks().map(|(number, it)| (*number, it.facts()));
        let inside = facts.filter(|(_, it)| matches!(it.state, State::Polling(_)));
        inside.map(|(number, it)| (number, it.polls)).collect()
    }

    fn add(&mut self, task: Arc<Task>) {
        self.made += 1;
        self.all.push((self.made, task));
    }

    /// It was dropped just now, or is over, or both.
    fn ends(&mut self, task: &Task, facts: &Facts, is_now: bool, is_over: bool) {
        if is_now && facts.cancelled() && facts.polls > 0 {
            let it = self.given_up.entry(task.made).or_default();
            it.times += 1;
            it.name = task.name();
            it.parent = facts.parent.as_ref().map(|it| it.task.clone());
        }
        if is_over {
            match facts.state {
                State::Ready => self.ready += 1,
                _ => self.cancelled += 1,
            }
            // Forgets them by the dozen.
            if (self.ready + self.cancelled - self.forgotten) * 2 > self.all.len() + 100 {
                self.all.retain(|it| !it.1.is_over.load(Relaxed));
                self.forgotten = self.ready + self.cancelled;
            }
        }
    }
}

thread_local! {
    /// The tasks whose polls are on this thread's stack, the innermost last.
    static POLLED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
}

impl Task {
    pub(crate) fn new(given: Option<Arc<str>>, made: Here) -> Arc<Self> {
        Arc::new(Self {
            given,
            made,
            poke: Poke::default(),
            record: Mutex::default(),
            joiner: Mutex::default(),
            is_recorded: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        })
    }

    pub(crate) fn name(&self) -> String {
        let by_line = || format!("{}:{}", self.made.file(), self.made.line());
        self.given.as_deref().map_or_else(by_line, str::to_owned)
    }

    /// Shows the task to each of these that does not know it yet. If it `is_assigned`, it belongs to them; else it does if it belongs to none.
    pub(crate) fn show_to(self: &Arc<Self>, watchers: &Watchers, is_assigned: bool) {
        let mut record = own(&self.record);
        let is_known = record
            .watchers
            .as_ref()
            .is_some_and(|it| Arc::ptr_eq(it, watchers));
        if is_known || record.is_assigned && !is_assigned {
            return;
        }
        record.is_assigned = is_assigned;
        let mut known = record.watchers.take().unwrap_or_else(|| watchers.clone());
        let is_first = Arc::ptr_eq(&known, watchers);
        for watcher in watchers.iter() {
            if !is_first && known.iter().any(|it| it.key() == watcher.key()) {
                continue;
            }
            let recorder = match watcher {
                Watcher::Roll(roll) => roll.upgrade().and_then(|roll| {
                    own(&roll.list).add(self.clone());
                    roll.recorder.clone()
                }),
                Watcher::Recorder(recorder) => Some(recorder.clone()),
            };
            if !is_first {
                Arc::make_mut(&mut known).push(watcher.clone());
            }
            if let Some(recorder) = recorder.filter(|it| record.id_in(it).is_none()) {
                let id = recorder.add(&self.name());
                recorder.push(Switches::so_far(), id, What::Spawn);
                record.ids.push((recorder, id));
                self.is_recorded.store(true, Relaxed);
            }
        }
        record.watchers = Some(known);
    }

    /// Those who watch this task. Futures that are made while it is polled are watched by the same.
    pub(crate) fn watchers(&self) -> Option<Watchers> {
        own(&self.record).watchers.clone()
    }

    pub(crate) fn latest_waker(&self) -> Option<Arc<Observed>> {
        own(&self.record).latest_waker.upgrade()
    }

    /// To how many it may belong.
    pub(crate) fn rolls(&self) -> usize {
        let record = own(&self.record);
        let is_roll = |it: &&Watcher| matches!(it, Watcher::Roll(_));
        let watchers = record.watchers.iter().flat_map(|it| it.iter());
        if record.is_assigned {
            1
        } else {
            watchers.filter(is_roll).count()
        }
    }

    pub(crate) fn facts(&self) -> Facts {
        own(&self.record).facts.clone()
    }

    /// Takes down what happened. A wake says by itself inside whose poll it was made.
    pub(crate) fn note(&self, what: What) {
        self.note_of(what, false);
    }

    /// The same, for what may have happened to the waker of a watched future inside this one.
    pub(crate) fn note_of(&self, what: What, in_child: bool) {
        self.take_down(what, in_child, |_| ());
    }

    fn take_down(&self, what: What, in_child: bool, mut also: impl FnMut(&mut Record)) {
        if self.is_recorded.load(Relaxed) {
            // Before the probe's own locks, which may put the thread to sleep.
            let so_far = Switches::so_far();
            let polled = innermost();
            let ids = own(&self.record).ids.clone();
            for (recorder, id) in ids {
                let mut what = what.clone();
                if let What::Wake { during, .. } = &mut what {
                    let polled = polled.as_ref();
                    *during = polled.and_then(|it| own(&it.record).id_in(&recorder));
                }
                recorder.push(so_far, id, what);
            }
        }
        let mut note = |polled: &[Arc<Task>]| {
            let record = &mut *own(&self.record);
            also(record);
            record.facts.note(&Seen {
                what: &what,
                own_poll: polled.iter().any(|it| std::ptr::eq(&**it, self)),
                poll_of: polled.last(),
                in_child,
            });
            if record.facts.dropped {
                let facts = &record.facts;
                let is_over = facts.is_over() && !self.is_over.swap(true, Relaxed);
                for watcher in record.watchers.iter().flat_map(|it| it.iter()) {
                    if let Watcher::Roll(roll) = watcher {
                        let (roll, is_now) = (roll.upgrade(), what == What::Drop);
                        roll.inspect(|it| own(&it.list).ends(self, facts, is_now, is_over));
                    }
                }
                record.facts.forget();
            }
        };
        // A waker may be dropped by the destructor of a thread-local, when this one is gone already.
        let is_wakers = matches!(what, What::Wake { .. } | What::Release { .. });
        let mut on_stack = || POLLED_HERE.try_with(|polled| note(&polled.borrow()));
        if !is_wakers || on_stack().is_err() {
            note(&[]);
        }
    }
}

impl Record {
    fn id_in(&self, recorder: &Arc<Recorder>) -> Option<u32> {
        let known =
            |(known, id): &(Arc<Recorder>, u32)| Arc::ptr_eq(known, recorder).then_some(*id);
        self.ids.iter().find_map(known)
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
    observed: &'a Arc<Observed>,
    outcome: What,
}

impl<'a> Polling<'a> {
    /// `given_by`: the task whose own waker came with the poll.
    pub(crate) fn begin(
        task: &'a Arc<Task>,
        waker: u32,
        observed: &'a Arc<Observed>,
        given_by: Option<&Arc<Task>>,
    ) -> Self {
        let mut parent = innermost().map(|task| {
            let polls = own(&task.record).facts.polls;
            let lends = given_by.is_some_and(|it| Arc::ptr_eq(it, &task));
            Parent { task, polls, lends }
        });
        task.take_down(What::Poll { waker }, false, |record| {
            record.facts.parent = parent.take();
        });
        let _ = POLLED_HERE.try_with(|polled| polled.borrow_mut().push(task.clone()));
        Self {
            task,
            observed,
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
        // Else nothing can wake it by this.
        let is_kept = Arc::strong_count(self.observed) > 1;
        self.task.take_down(self.outcome.clone(), false, |record| {
            let latest = is_kept.then(|| Arc::downgrade(self.observed));
            record.latest_waker = latest.unwrap_or_default();
        });
    }
}
