//! The record that is kept of one watched future.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
    },
};

use crate::{
    event::What,
    facts::{Facts, Parent, Seen, State},
    mutex::own,
    poke::Poke,
    raw_waker::Observed,
    recorder::{Recorder, switches},
    resource::{Here, Use},
    scope,
};

/// Shared by the future and by all its wakers, so that it outlives the future.
#[derive(Debug)]
pub(crate) struct Task {
    /// `None`: it is called by the line that watches it.
    pub(crate) given: Option<Arc<str>>,
    pub(crate) made: Here,
    /// Of `spawn_blocking`: it has a thread of its own.
    pub(crate) is_closure: bool,
    pub(crate) poke: Poke,
    /// Those who watch what made it, and once it is polled, they and those who watch what polls it, if that is more.
    watchers: (Watchers, OnceLock<Watchers>),
    record: Mutex<Record>,
    /// Who waits for its end, and how.
    pub(crate) joiner: Mutex<Option<Use>>,
    /// Whether those who watch it are known to watch what made it or polled it first. All may be it otherwise.
    is_assigned: AtomicBool,
    /// Whether a recorder is among those who watch it.
    is_recorded: AtomicBool,
    /// 0 until nothing can happen to it any more that a message would tell. Then 1, or 2 if it was ready.
    end: AtomicU8,
}

#[derive(Debug, Default)]
struct Record {
    facts: Facts,
    /// What came with the latest poll. Not kept alive by this: it may own the task.
    latest_waker: Weak<Observed>,
    /// Its number in each recorder.
    ids: Vec<(Arc<Recorder>, u32)>,
}

/// Those who want to know of the futures that their closures make. Shared by all tasks that the same ones watch.
pub(crate) type Watchers = Arc<Vec<Weak<Roll>>>;

/// The tasks that one `within` or one `record` watches. What is over is only counted.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    pub(crate) list: Mutex<List>,
    /// Of the whole run, if it is recorded.
    pub(crate) recorder: Option<Arc<Recorder>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    /// With their numbers, in the order in which they came. Some may be over, until they are forgotten.
    pub(crate) tasks: Vec<(usize, Arc<Task>)>,
    /// How many there have been.
    pub(crate) made: usize,
    /// How many of those that are forgotten were ready. The others were dropped before.
    pub(crate) ready: usize,
    /// What was dropped before it was ready, by where it was made.
    pub(crate) given_up: BTreeMap<Here, GivenUp>,
}

/// Futures of one line that were polled, and dropped before they were ready.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenUp {
    pub(crate) name: String,
    pub(crate) parent: Option<Arc<Task>>,
    pub(crate) times: usize,
}

impl Roll {
    /// As it is now, without what is over.
    pub(crate) fn list(&self) -> List {
        let mut list = own(&self.list);
        list.forget();
        list.clone()
    }
}

impl List {
    /// The polls and closures that have not returned, by their tasks and numbers. No closure that may be of another `within`.
    pub(crate) fn inside_a_poll(&self) -> BTreeSet<(usize, usize)> {
        let is_mine = |it: &Task| !it.is_closure || it.rolls() == 1;
        let polled = self.tasks.iter().filter(|it| is_mine(&it.1));
        let facts = polled.map(|(number, it)| (*number, it.facts()));
        let inside = facts.filter(|(_, it)| matches!(it.state, State::Polling(_)));
        inside.map(|(number, it)| (number, it.polls)).collect()
    }

    /// Only here is looked for what is over: the end of a task takes no lock of the list.
    fn add(&mut self, task: Arc<Task>) {
        if self.tasks.len() == self.tasks.capacity() {
            self.forget();
            // As many again may come until it is worth to look for more.
            let room = self.tasks.len() + 100;
            self.tasks.shrink_to(self.tasks.len() + room);
            self.tasks.reserve_exact(room);
        }
        self.made += 1;
        self.tasks.push((self.made, task));
    }

    fn forget(&mut self) {
        self.tasks.retain(|(_, it)| {
            let end = it.end.load(Relaxed);
            self.ready += usize::from(end == 2);
            end == 0
        });
    }
}

thread_local! {
    /// The tasks whose polls are on this thread's stack, the innermost last.
    static POLLED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
    /// The closure that this thread runs.
    static RUNS_HERE: RefCell<Option<Arc<Task>>> = const { RefCell::new(None) };
}

impl Task {
    pub(crate) fn new(given: Option<Arc<str>>, made: Here, is_closure: bool) -> Arc<Self> {
        let known = scope::watchers();
        let task = Arc::new(Self {
            given,
            made,
            is_closure,
            poke: Poke::default(),
            is_assigned: AtomicBool::new(known.is_some()),
            watchers: (known.unwrap_or_else(scope::all), OnceLock::new()),
            record: Mutex::default(),
            joiner: Mutex::default(),
            is_recorded: AtomicBool::new(false),
            end: AtomicU8::new(0),
        });
        task.show_to(&task.watchers.0);
        task
    }

    pub(crate) fn name(&self) -> String {
        let by_line = || format!("{}:{}", self.made.file(), self.made.line());
        self.given.as_deref().map_or_else(by_line, str::to_owned)
    }

    /// It is polled for the first time. Those who watch the code that does that are shown it too.
    pub(crate) fn begins(self: &Arc<Self>) {
        let here = scope::watchers();
        if here.is_none() && self.is_assigned.load(Relaxed) {
            return;
        }
        self.is_assigned.store(here.is_some(), Relaxed);
        let here = here.unwrap_or_else(scope::all);
        let known = &self.watchers.0;
        if !Arc::ptr_eq(known, &here) {
            let is_new = |roll: &&Weak<Roll>| !known.iter().any(|it| it.ptr_eq(roll));
            let new: Vec<_> = here.iter().filter(is_new).cloned().collect();
            self.show_to(&new);
            let _ = self.watchers.1.set(Arc::new([&known[..], &new].concat()));
        }
    }

    fn show_to(self: &Arc<Self>, rolls: &[Weak<Roll>]) {
        for roll in rolls.iter().filter_map(Weak::upgrade) {
            own(&roll.list).add(self.clone());
            if let Some(recorder) = &roll.recorder {
                let id = recorder.add(&self.name());
                recorder.push(switches(), id, What::Spawn);
                own(&self.record).ids.push((recorder.clone(), id));
                self.is_recorded.store(true, Relaxed);
            }
        }
    }

    /// Those who watch this task. Futures that are made while it is polled are watched by the same.
    pub(crate) fn watchers(&self) -> &Watchers {
        self.watchers.1.get().unwrap_or(&self.watchers.0)
    }

    pub(crate) fn latest_waker(&self) -> Option<Arc<Observed>> {
        own(&self.record).latest_waker.upgrade()
    }

    /// To how many it may belong.
    pub(crate) fn rolls(&self) -> usize {
        if self.is_assigned.load(Relaxed) {
            return 1;
        }
        self.watchers().len()
    }

    pub(crate) fn facts(&self) -> Facts {
        own(&self.record).facts.clone()
    }

    pub(crate) fn polls(&self) -> usize {
        own(&self.record).facts.polls
    }

    /// What a closure is doing.
    pub(crate) fn doing(&self) -> Option<String> {
        match self.is_closure.then(|| self.facts().state)? {
            State::New => Some("it has not begun".to_owned()),
            State::Polling(on) => Some(format!("its {} {}", on.name, on.doing().unwrap_or("runs"))),
            _ => Some("it has by now".to_owned()),
        }
    }

    /// Takes down what happened, perhaps to the waker of a watched future inside this one.
    pub(crate) fn note(&self, what: What, in_child: bool) {
        self.take_down(what, in_child, |_| ());
    }

    fn take_down(&self, what: What, in_child: bool, mut also: impl FnMut(&mut Record)) {
        if self.is_recorded.load(Relaxed) {
            // Before the probe's own locks, which may put the thread to sleep.
            let so_far = switches();
            let polled = of_innermost(Arc::clone);
            let ids = own(&self.record).ids.clone();
            for (recorder, id) in ids {
                let mut what = what.clone();
                if let What::Wake { during, .. } = &mut what {
                    let polled = polled.as_ref().map(|it| own(&it.record));
                    let mut ids = polled.iter().flat_map(|it| &it.ids);
                    *during = ids.find(|it| Arc::ptr_eq(&it.0, &recorder)).map(|it| it.1);
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
            let facts = &mut record.facts;
            if matches!(what, What::Drop) && facts.cancelled() && facts.polls > 0 {
                for roll in self.watchers().iter().filter_map(Weak::upgrade) {
                    let given_up = &mut own(&roll.list).given_up;
                    let it = given_up.entry(self.made).or_default();
                    it.times += 1;
                    it.name = self.name();
                    it.parent = facts.parent.as_ref().map(|it| it.task.clone());
                }
            }
            if facts.dropped {
                facts.forget();
            }
            if facts.is_over() {
                let was_ready = matches!(facts.state, State::Ready);
                self.end.store(1 + u8::from(was_ready), Relaxed);
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

/// The task that the calling thread polls at this moment.
fn of_innermost<T>(f: impl FnOnce(&Arc<Task>) -> T) -> Option<T> {
    let found = POLLED_HERE.try_with(|polled| polled.borrow().last().map(f));
    found.ok().flatten()
}

/// The same, or the closure that it runs.
pub(crate) fn of_here<T>(f: impl Fn(&Arc<Task>) -> T) -> Option<T> {
    let closure = || RUNS_HERE.try_with(|it| it.borrow().as_ref().map(&f));
    of_innermost(&f).or_else(|| closure().ok().flatten())
}

/// Runs a closure of `spawn_blocking`.
#[cfg(feature = "tokio")]
pub(crate) fn run<T>(task: &Arc<Task>, f: impl FnOnce() -> T) -> T {
    struct Runs<'a>(&'a Task);
    impl Drop for Runs<'_> {
        fn drop(&mut self) {
            RUNS_HERE.take();
            self.0.note(What::Ready, false);
        }
    }
    task.note(What::Poll { waker: 1 }, false);
    RUNS_HERE.set(Some(task.clone()));
    let _runs = Runs(task);
    f()
}

/// Marks a poll as being on this thread's stack. A poll that ends without saying how has panicked.
pub(crate) struct Polling<'a> {
    task: &'a Arc<Task>,
    observed: &'a Arc<Observed>,
    pub(crate) outcome: What,
}

impl<'a> Polling<'a> {
    /// `given_by`: the task whose own waker came with the poll.
    pub(crate) fn begin(
        task: &'a Arc<Task>,
        waker: u32,
        observed: &'a Arc<Observed>,
        given_by: Option<&Arc<Task>>,
    ) -> Self {
        let mut parent = of_innermost(|task| Parent {
            task: task.clone(),
            polls: task.polls(),
            lends: given_by.is_some_and(|it| Arc::ptr_eq(it, task)),
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

#[cfg(test)]
#[path = "../tests/inside/listed.rs"]
mod listed;
