//! The record that is kept of one watched future.

use std::{
    any,
    cell::RefCell,
    fmt, mem,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed},
    },
    task::Waker,
    thread::ThreadId,
};

use crate::see::{
    event::What,
    facts::{Actor, Facts, Parent, Seen, State, Use},
    lock::own,
    own_waker::task_of,
    place::{Line, Place},
    poke::Poke,
    recorder::{Recorder, switches},
    resource::Inner,
    roll::{Roll, Watchers},
};

/// Shared by the future and by all its wakers, so that it outlives the future.
#[derive(Debug)]
pub(crate) struct Task {
    /// `None`: it is called by the line that watches it.
    pub(crate) given: Option<Arc<str>>,
    pub(crate) made: Line,
    /// Of `spawn_blocking`: it has a thread of its own.
    pub(crate) is_closure: bool,
    pub(crate) types: Types,
    pub(crate) poke: Poke,
    pub(crate) maker: Maker,
    /// How many tasks had been made before it.
    pub(crate) age: usize,
    /// Those who watch what made it.
    watchers: Watchers,
    /// Once it is polled: the same, and those who watch what polls it, if that is more.
    more_watchers: OnceLock<Watchers>,
    record: Mutex<Record>,
    /// Who waits for its end, and how.
    pub(crate) joiner: Mutex<Option<Use>>,
    /// The last message that it sent. Most tasks send none.
    sent: OnceLock<Box<Mutex<Sent>>>,
    /// Whether those who watch it are known to watch what made it or polled it first. All may be it otherwise.
    is_assigned: AtomicBool,
    /// Whether a recorder is among those who watch it.
    is_recorded: AtomicBool,
    /// As a number: 0 while it goes on.
    end: AtomicU8,
}

/// Who made a task: the task, or outside of any the thread, in which it was made.
#[derive(Debug)]
pub(crate) enum Maker {
    Task(Weak<Task>),
    Thread(ThreadId),
}

impl Maker {
    fn here() -> Maker {
        of_here(Arc::downgrade).map_or_else(|| Maker::Thread(Place::here().id), Maker::Task)
    }

    /// Whether this is who uses something.
    pub(crate) fn is(&self, user: &Use) -> bool {
        match (self, &user.who) {
            (Maker::Task(maker), Actor::PollOf(task)) => maker.as_ptr() == Arc::as_ptr(task),
            (Maker::Thread(maker), Actor::Thread(place)) => *maker == place.id,
            _ => false,
        }
    }
}

/// What its types tell of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types {
    /// That of the future.
    pub(crate) future: &'static str,
    /// Whether its output may have a guard or an end of a channel in it.
    pub(crate) may_return_more: fn() -> bool,
}

impl Types {
    pub(crate) fn of<F, T>() -> Types {
        Types {
            future: any::type_name::<F>(),
            may_return_more: may_hold_more::<T>,
        }
    }

    /// Whether an async function may be in there, or `std::future::pending` itself. All else that returns `Pending` and keeps no waker
    /// has broken its promise.
    pub(crate) fn may_be_pending_on_purpose(&self) -> bool {
        let mut parts = parts(self.future).skip_while(|part| BOXES.contains(part));
        let is_one_closure = parts.clone().next() == Some("core::future::poll_fn::PollFn");
        let may = |part: &str| {
            part.ends_with("::{{closure}}") || part == "dyn" || PENDING.contains(&part)
        };
        !is_one_closure && parts.any(may)
    }
}

/// Around a future that is watched.
const BOXES: &[&str] = &["core::pin::Pin", "alloc::boxed::Box"];
/// What is pending on purpose.
const PENDING: &[&str] = &[
    "core::future::pending::Pending",
    "futures_util::future::pending::Pending",
];

/// The paths and words in the name of a type. Each path begins with its crate, so a program's own types are like no other ones, unless
/// the program is called as the other crate.
fn parts(type_name: &str) -> impl Iterator<Item = &str> + Clone {
    let is_of_path = |character: char| character.is_alphanumeric() || "_:{}#".contains(character);
    let parts = type_name.split(move |character| !is_of_path(character));
    parts.filter(|part| !part.is_empty())
}

/// Not a number, a string, or a list of those: a type of the program's own may hold a guard or an end of a channel, a trait object or a
/// closure may, and what a library has made.
pub(crate) fn may_hold_more<T>() -> bool {
    let is_standard = |part: &str| {
        let mut libraries = ["alloc::", "core::", "std::"].iter();
        libraries.any(|library| part.starts_with(library))
    };
    let may = |part: &str| part == "dyn" || part.contains("::") && !is_standard(part);
    mem::needs_drop::<T>() && parts(any::type_name::<T>()).any(may)
}

/// A message that a task has sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// The receiver of its channel.
    pub(crate) to: Weak<Inner>,
    pub(crate) at: Line,
    /// In which poll of the task.
    pub(crate) poll: usize,
}

/// What became of a task to which nothing can happen any more that a message would tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Dropped = 1,
    Ready = 2,
}

#[derive(Debug, Default)]
struct Record {
    facts: Facts,
    /// What came with the latest poll. Not kept alive by this: it may own the task.
    latest_waker: Option<Weak<dyn Pokes>>,
    /// Its number in each recorder.
    ids: Vec<(Arc<Recorder>, u32)>,
}

/// A waker that can wake what is behind it without that being counted as a wake.
pub(crate) trait Pokes: fmt::Debug + Send + Sync {
    fn poke(&self);
}

thread_local! {
    /// The tasks whose polls are on this thread's stack, the innermost last.
    static POLLED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
    /// The closure that this thread runs.
    static RUNS_HERE: RefCell<Option<Arc<Task>>> = const { RefCell::new(None) };
}

static MADE: AtomicUsize = AtomicUsize::new(0);

/// How many tasks were made so far.
pub(crate) fn made() -> usize {
    MADE.load(Relaxed)
}

impl Task {
    /// `watchers`: those who watch the code that makes it, and whether they are sure to.
    pub(crate) fn new(
        given: Option<Arc<str>>,
        made: Line,
        is_closure: bool,
        types: Types,
        (watchers, is_assigned): (Watchers, bool),
    ) -> Arc<Self> {
        let task = Arc::new(Self {
            given,
            made,
            is_closure,
            types,
            poke: Poke::default(),
            maker: Maker::here(),
            age: MADE.fetch_add(1, Relaxed),
            watchers,
            more_watchers: OnceLock::new(),
            record: Mutex::default(),
            joiner: Mutex::default(),
            sent: OnceLock::new(),
            is_assigned: AtomicBool::new(is_assigned),
            is_recorded: AtomicBool::new(false),
            end: AtomicU8::new(0),
        });
        task.show_to(&task.watchers);
        task
    }

    pub(crate) fn name(&self) -> String {
        let by_line = || format!("{}:{}", self.made.file(), self.made.line());
        self.given.as_deref().map_or_else(by_line, str::to_owned)
    }

    /// Whether those who watch it are known to watch what made it or polled it first.
    pub(crate) fn is_assigned(&self) -> bool {
        self.is_assigned.load(Relaxed)
    }

    /// These watch it too, and are sure to if it `is_assigned` to them.
    pub(crate) fn add_watchers(self: &Arc<Self>, here: &Watchers, is_assigned: bool) {
        self.is_assigned.store(is_assigned, Relaxed);
        let known = &self.watchers;
        if !Arc::ptr_eq(known, here) {
            let is_new = |roll: &&Weak<Roll>| !known.iter().any(|other| other.ptr_eq(roll));
            let new: Vec<_> = here.iter().filter(is_new).cloned().collect();
            self.show_to(&new);
            let _ = self
                .more_watchers
                .set(Arc::new([&known[..], &new].concat()));
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
        self.more_watchers.get().unwrap_or(&self.watchers)
    }

    /// To how many it may belong.
    pub(crate) fn rolls(&self) -> usize {
        if self.is_assigned() {
            return 1;
        }
        self.watchers().len()
    }

    pub(crate) fn latest_waker(&self) -> Option<Arc<dyn Pokes>> {
        own(&self.record).latest_waker.as_ref()?.upgrade()
    }

    pub(crate) fn facts(&self) -> Facts {
        own(&self.record).facts.clone()
    }

    #[cfg_attr(not(feature = "tokio"), allow(dead_code))]
    pub(crate) fn sends(&self, to: Weak<Inner>, at: Line) {
        let poll = self.polls();
        let sent = Sent { to, at, poll };
        match self.sent.get() {
            Some(last) => *own(last) = sent,
            None => drop(self.sent.set(Box::new(Mutex::new(sent)))),
        }
    }

    pub(crate) fn sent_last(&self) -> Option<Sent> {
        self.sent.get().map(|sent| own(sent).clone())
    }

    pub(crate) fn polls(&self) -> usize {
        own(&self.record).facts.polls
    }

    pub(crate) fn end(&self) -> Option<End> {
        let ends = [End::Dropped, End::Ready];
        let end = self.end.load(Relaxed);
        ends.into_iter().find(|known| *known as u8 == end)
    }

    /// Takes down what happened, perhaps to the waker of a watched future inside this one.
    pub(crate) fn note(&self, what: What, in_child: bool) {
        self.tell_recorders(&what);
        let note = |polled: &[Arc<Task>]| {
            let mut record = own(&self.record);
            record.facts.note(&Seen {
                what: &what,
                own_poll: polled.iter().any(|task| std::ptr::eq(&**task, self)),
                poll_of: polled.last(),
                in_child,
            });
            if record.facts.dropped {
                self.ends_perhaps(&mut record.facts, matches!(what, What::Drop));
            }
        };
        // A waker may be dropped by the destructor of a thread-local, when this one is gone already.
        let is_wakers = matches!(what, What::Wake { .. } | What::Release { .. });
        let on_stack = || POLLED_HERE.try_with(|polled| note(&polled.borrow()));
        if !is_wakers || on_stack().is_err() {
            note(&[]);
        }
    }

    fn poll_begins(&self, waker: u32, parent: Option<Parent>, is_provoked: bool) {
        self.tell_recorders(&What::Poll { waker });
        let mut record = own(&self.record);
        record.facts.parent = parent;
        record.facts.begin_poll(waker, is_provoked);
    }

    fn poll_ends(&self, outcome: &What, kept: Option<Weak<dyn Pokes>>) {
        self.tell_recorders(outcome);
        let mut record = own(&self.record);
        record.latest_waker = kept;
        record.facts.end_poll(outcome);
    }

    /// If there are any.
    #[inline]
    fn tell_recorders(&self, what: &What) {
        if self.is_recorded.load(Relaxed) {
            self.tell_each(what);
        }
    }

    fn tell_each(&self, what: &What) {
        // Before this crate's own locks, which may put the thread to sleep.
        let so_far = switches();
        let polled = of_innermost(Arc::clone);
        let ids = own(&self.record).ids.clone();
        for (recorder, id) in ids {
            let mut what = what.clone();
            if let What::Wake { during, .. } = &mut what {
                let polled = polled.as_ref().map(|task| own(&task.record));
                let mut ids = polled.iter().flat_map(|record| &record.ids);
                let known = ids.find(|(other, _)| Arc::ptr_eq(other, &recorder));
                *during = known.map(|(_, id)| *id);
            }
            recorder.push(so_far, id, what);
        }
    }

    /// It is dropped, and over if none of its wakers is left.
    fn ends_perhaps(&self, facts: &mut Facts, is_drop: bool) {
        if is_drop && facts.cancelled() && facts.polls > 0 {
            for roll in self.watchers().iter().filter_map(Weak::upgrade) {
                let mut list = own(&roll.list);
                let given_up = list.given_up.entry(self.made).or_default();
                given_up.times += 1;
                given_up.name = self.name();
                given_up.parent = facts.parent.as_ref().map(|parent| parent.task.clone());
            }
        }
        facts.forget();
        if facts.is_over() {
            let end = match facts.state {
                State::Ready => End::Ready,
                _ => End::Dropped,
            };
            self.end.store(end as u8, Relaxed);
        }
    }
}

/// The task that the calling thread polls at this moment.
pub(crate) fn of_innermost<T>(f: impl FnOnce(&Arc<Task>) -> T) -> Option<T> {
    let found = POLLED_HERE.try_with(|polled| polled.borrow().last().map(f));
    found.ok().flatten()
}

/// The same, or the closure that it runs.
pub(crate) fn of_here<T>(f: impl Fn(&Arc<Task>) -> T) -> Option<T> {
    let closure = || RUNS_HERE.try_with(|closure| closure.borrow().as_ref().map(&f));
    of_innermost(&f).or_else(|| closure().ok().flatten())
}

/// All tasks whose polls are on this thread's stack, and the closure that it runs.
pub(crate) fn all_here() -> Vec<Weak<Task>> {
    let weak = |tasks: &[Arc<Task>]| tasks.iter().map(Arc::downgrade).collect::<Vec<_>>();
    let polled = POLLED_HERE.try_with(|polled| weak(&polled.borrow()));
    let closure = RUNS_HERE.try_with(|closure| weak(closure.borrow().as_slice()));
    [closure, polled].into_iter().flatten().flatten().collect()
}

/// Runs a closure of `spawn_blocking`.
#[cfg(feature = "tokio")]
pub(crate) fn run<T>(task: &Arc<Task>, f: impl FnOnce() -> T) -> T {
    struct Runs<'a>(&'a Task);
    impl Drop for Runs<'_> {
        fn drop(&mut self) {
            RUNS_HERE.take();
            let end = if std::thread::panicking() {
                What::Panic
            } else {
                What::Ready
            };
            self.0.poll_ends(&end, None);
        }
    }
    task.poll_begins(1, None, false);
    RUNS_HERE.set(Some(task.clone()));
    let _runs = Runs(task);
    f()
}

/// A poll begins here, for which the future gets a waker of this number. `executors`: the waker that came with the poll.
/// `is_provoked`: the watchdog itself is the reason for it.
pub(crate) fn begin_poll(task: &Arc<Task>, waker: u32, executors: &Waker, is_provoked: bool) {
    let parent = of_innermost(|outer| Parent {
        task: outer.clone(),
        polls: outer.polls(),
        lends: task_of(executors, |giver| Arc::ptr_eq(giver, outer)) == Some(true),
    });
    task.poll_begins(waker, parent, is_provoked);
    let _ = POLLED_HERE.try_with(|polled| polled.borrow_mut().push(task.clone()));
}

/// The innermost poll here is over, with this outcome. `kept`: its waker, if something has kept that.
pub(crate) fn end_poll(task: &Task, outcome: &What, kept: Option<Weak<dyn Pokes>>) {
    let _ = POLLED_HERE.try_with(|polled| polled.borrow_mut().pop());
    task.poll_ends(outcome, kept);
}

#[cfg(test)]
#[path = "../../tests/inside/listed.rs"]
mod listed;

#[cfg(test)]
#[path = "../../tests/inside/types.rs"]
mod types;
