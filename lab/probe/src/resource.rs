//! What futures wait for, who waits, and who could end that.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    panic::Location,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, Weak},
    task::{Context, Poll},
};

use crate::{
    facts::Actor,
    mutex::own,
    place::Place,
    raw_waker,
    report::{Looks, called},
    task::{self, Task},
};

/// Something that futures wait for and that others hold, such as a lock, a permit or the other end of a channel. It tells
/// [`within`](crate::within) who holds what a stuck future waits for, and since which line.
///
/// [`probe::tokio`](crate) has those of tokio under feature `tokio`; this is for one of your own.
///
/// ```
/// use probe::Resource;
///
/// let printer = Resource::new("printer");
/// let hold = printer.hold();
/// // Elsewhere: `printer.wait(future).await`
/// drop(hold);
/// ```
#[derive(Clone)]
pub struct Resource(Arc<Inner>);

struct Inner {
    kind: &'static str,
    made: Here,
    uses: Mutex<Uses>,
}

#[derive(Default)]
pub(crate) struct Uses {
    made: usize,
    /// Whether it is among [`ALL`].
    is_known: bool,
    all: BTreeMap<usize, Use>,
    /// Of permits, of the tasks of a set, and of those who are to come to a barrier: how many there are.
    pub(crate) total: Option<usize>,
    /// How many have come to the barrier so far.
    pub(crate) come: usize,
}

pub(crate) type Here = &'static Location<'static>;

/// One that holds, or that waits.
#[derive(Clone)]
struct Use {
    /// Who has it, or who made what was not used yet.
    who: Actor,
    at: Here,
    has: Has,
    /// How many it has, or asks for.
    many: usize,
}

/// How sure it is who holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
#[cfg_attr(not(feature = "tokio"), expect(dead_code))]
pub(crate) enum Has {
    Now,
    /// An owned guard may have been given away since.
    Took,
    /// An end of a channel may have been given away since it was used.
    UsedLast,
    NotUsedYet,
    /// It is the thread that runs the closure.
    Runs,
    /// From here on nothing: it waits.
    Waits,
    /// The same, by the waker of a set of futures, which may wait for more.
    WaitsInSet,
}

impl Has {
    pub(crate) fn wait(cx: &Context<'_>) -> Has {
        let observed = raw_waker::observed(cx.waker());
        observed.map_or(Has::WaitsInSet, |_| Has::Waits)
    }
}

/// So many are named of those who have one thing.
const NAMED: usize = 10;

/// Those for which a task has waited, by their addresses.
static ALL: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

impl Use {
    /// Of the task that is polled here, or else of the thread.
    fn here(at: Here, has: Has, many: usize) -> Use {
        let thread = || Actor::Thread(Place::here());
        let who = task::innermost().map_or_else(thread, Actor::PollOf);
        Use { who, at, has, many }
    }

    /// The task itself, until it ends.
    fn of(task: &Arc<Task>) -> Use {
        let who = Actor::PollOf(task.clone());
        Use {
            who,
            ..Use::here(task.made, Has::Now, 1)
        }
    }

    fn task(&self) -> Option<&Arc<Task>> {
        match &self.who {
            Actor::PollOf(task) => Some(task),
            _ => None,
        }
    }

    fn text(&self, all: &[Looks]) -> String {
        let who = self.who(all);
        let how = match (self.has, &self.who) {
            // Even a guard that borrows may have been given away since, if the lock lives forever.
            (Has::Now | Has::Took, _) if self.many > 1 => &format!("took {} of it at", self.many),
            (Has::Now | Has::Took, _) => "took it at",
            (Has::UsedLast, _) => "used it last at",
            (Has::NotUsedYet, _) => "made it, and it was not used yet, at",
            (Has::Runs, Actor::Thread(thread)) => {
                let doing = thread.doing().map(|it| format!(", and {it}"));
                return format!("{who} is inside it{}", doing.unwrap_or_default());
            }
            _ => "waits for it at",
        };
        format!("{who} {how} {}", place(self.at))
    }

    fn who(&self, all: &[Looks]) -> String {
        match &self.who {
            Actor::Thread(place) => place.name.to_string(),
            Actor::PollOf(task) => called(task, all),
            Actor::OwnPoll => unreachable!("it is in a poll of a task"),
        }
    }
}

fn place(at: &Location<'_>) -> String {
    format!("{}:{}", at.file(), at.line())
}

impl Resource {
    /// A resource of this kind, which is named by the line that calls this.
    #[track_caller]
    pub fn new(kind: &'static str) -> Resource {
        Resource::new_at(kind, Location::caller())
    }

    pub(crate) fn new_at(kind: &'static str, made: Here) -> Resource {
        let uses = Mutex::default();
        Resource(Arc::new(Inner { kind, made, uses }))
    }

    /// The task that calls this, or else the thread, holds the resource until the result is dropped.
    #[track_caller]
    pub fn hold(&self) -> Hold {
        self.hold_at(Location::caller(), Has::Now)
    }

    pub(crate) fn hold_at(&self, at: Here, has: Has) -> Hold {
        self.hold_many(1, at, has)
    }

    pub(crate) fn hold_many(&self, many: usize, at: Here, has: Has) -> Hold {
        self.add(Use::here(at, has, many))
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn held_by(&self, task: &Arc<Task>) -> Hold {
        self.add(Use::of(task))
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        own(&self.0.uses)
    }

    fn add(&self, it: Use) -> Hold {
        let mut uses = self.uses();
        uses.made += 1;
        let number = uses.made;
        uses.all.insert(number, it);
        Hold(self.clone(), number)
    }

    /// Awaits `future`, and waits for this resource as long as it is pending.
    #[track_caller]
    pub fn wait<F: Future>(&self, future: F) -> impl Future<Output = F::Output> {
        self.wait_many(1, future, Location::caller())
    }

    pub(crate) async fn wait_many<F: Future>(&self, asks: usize, it: F, at: Here) -> F::Output {
        let (mut it, mut waits) = (pin!(it), None);
        std::future::poll_fn(|cx| self.poll(it.as_mut(), &mut waits, (asks, at), cx)).await
    }

    /// Polls what waits for this resource, and asks for so many. `waits` notes that it does.
    pub(crate) fn poll<F: Future>(
        &self,
        future: Pin<&mut F>,
        waits: &mut Option<Hold>,
        (asks, at): (usize, Here),
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let poll = future.poll(cx);
        if poll.is_ready() {
            *waits = None;
        } else if waits.is_none() {
            // Nobody asks about a resource for which none waits.
            own(&ALL).insert(Arc::as_ptr(&self.0).addr(), Arc::downgrade(&self.0));
            self.uses().is_known = true;
            *waits = Some(self.hold_many(asks, at, Has::wait(cx)));
        }
        poll
    }
}

impl Inner {
    fn name(&self) -> String {
        match self.made.file() {
            // By a `default()` that the standard library calls.
            file if file.starts_with("/rustc/") => format!("a {}", self.kind),
            _ => format!("the {} of {}", self.kind, place(self.made)),
        }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if own(&self.uses).is_known {
            own(&ALL).remove(&std::ptr::from_ref(self).addr());
        }
    }
}

/// A hold on a [`Resource`], or a wait for it.
#[derive(Debug)]
pub struct Hold(pub(crate) Resource, usize);

impl Hold {
    /// One more of its kind.
    #[cfg(feature = "tokio")]
    pub(crate) fn again(&self, at: Here) -> Hold {
        self.0.hold_at(at, Has::NotUsedYet)
    }

    /// From now on the task that calls this has it.
    #[cfg(feature = "tokio")]
    pub(crate) fn is_here(&self, at: Here, has: Has) {
        let it = Use::here(at, has, 1);
        own(&self.0.0.uses).all.insert(self.1, it);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        own(&self.0.0.uses).all.remove(&self.1);
    }
}

/// For what a task waits, and those of whom one could end that.
pub(crate) struct WaitsFor {
    what: Arc<Inner>,
    wait: Use,
    total: Option<usize>,
    holders: Vec<Use>,
    /// Said if there are none of these.
    none: Option<String>,
    /// Who else is at the barrier. Of all else: who waits first, if that is another one.
    others: Vec<Use>,
}

/// For which resources a task waits now.
pub(crate) fn of(task: &Arc<Task>) -> Vec<WaitsFor> {
    let all: Vec<_> = own(&ALL).values().filter_map(Weak::upgrade).collect();
    let waits = all.into_iter().filter_map(|what| {
        let uses = own(&what.uses);
        let waiters = uses.all.values().filter(|it| it.has >= Has::Waits);
        let is_its = |it: &&Use| it.task().is_some_and(|it| Arc::ptr_eq(it, task));
        let wait = waiters.clone().rfind(is_its)?.clone();
        let earlier = waiters.clone().find(is_its)?.at;
        let holders = uses.all.values().filter(|it| it.has < Has::Waits);
        let holders: Vec<_> = holders.cloned().collect();
        let none = match what.kind {
            "closure" => "it has not begun",
            "tasks" => "a task that is not watched",
            _ if earlier != wait.at => &format!("its own wait at {} may have it", place(earlier)),
            _ => "nobody has it",
        };
        let (mut none, mut most) = (none.to_owned(), 1);
        if let ("barrier", Some(total)) = (what.kind, uses.total) {
            let (come, there) = (uses.come % total, waiters.clone().count());
            none = format!("{come} of {total} have come");
            if come > there {
                none += &format!(", counting {} whose wait was dropped", come - there);
            }
            most = NAMED;
        }
        let others = waiters.take(most).filter(|it| !is_its(it));
        let (others, total) = (others.cloned().collect(), uses.total);
        drop(uses);
        let none = holders.is_empty().then_some(none);
        Some(WaitsFor {
            what,
            wait,
            total,
            holders,
            none,
            others,
        })
    });
    waits.collect()
}

impl WaitsFor {
    /// `has`: how it waits.
    pub(crate) fn end_of(task: &Arc<Task>, has: Has) -> WaitsFor {
        let it = Use::of(task);
        WaitsFor {
            what: Resource::new_at("tasks", task.made).0,
            wait: Use { has, ..it.clone() },
            total: None,
            holders: vec![it],
            none: None,
            others: Vec::new(),
        }
    }

    /// `all`: those that have a number in the message.
    pub(crate) fn text(&self, all: &[Looks]) -> String {
        let (asks, is_end) = (self.wait.many, self.what.kind == "tasks");
        let say = |it: &Use| if is_end { it.who(all) } else { it.text(all) };
        let others = self.others.iter().filter(|_| self.none.is_some());
        let those = self.holders.iter().chain(others).take(NAMED);
        let mut list: Vec<_> = self.none.iter().cloned().chain(those.map(say)).collect();
        if self.holders.len() > NAMED {
            list.push(format!("{} more", self.holders.len() - NAMED));
        }
        if is_end {
            let list = list.join(if asks == 1 { " or " } else { " and " });
            return format!("waits for the end of {list}");
        }
        let mut what = self.what.name();
        if asks > 1 {
            what = format!("{asks} of {what}");
        }
        if self.wait.at != self.what.made {
            what += &format!(" at {}", place(self.wait.at));
        }
        format!("waits for {what}; {}", list.join("; "))
    }

    /// Whether one waits at one end of a channel, and the other at the other end.
    pub(crate) fn is_other_end(&self, other: &WaitsFor) -> bool {
        let kinds = (self.what.kind, other.what.kind);
        kinds == ("receiver", "sender") && self.what.made == other.what.made
    }

    /// Whom of those that are `stuck` it needs, if all that others may give back is not enough, and how sure that is. `waiter` is the
    /// one that waits, and `alone` if it waits for nothing else.
    pub(crate) fn needs(
        &self,
        waiter: usize,
        alone: bool,
        stuck: impl Fn(&Arc<Task>) -> Option<usize>,
    ) -> Option<(BTreeSet<usize>, usize)> {
        let is_counted = self.total.is_some();
        let alone = alone && self.wait.has == Has::Waits;
        let is_given = |it: &&Use| it.task().is_some_and(|it| it.facts().wakes_of_latest > 0);
        let given = self.others.iter().filter(|it| !is_counted && is_given(it));
        let have: Vec<_> = self.holders.iter().chain(given).collect();
        let kept = have.iter().filter_map(|it| {
            let task = stuck(it.task()?)?;
            // Another part of the waiter may have it. And a loop that takes one in each turn gives them to others.
            let is_elsewhere = !alone || is_counted && it.at == self.wait.at;
            let is_known = !matches!(it.has, Has::Took | Has::NotUsedYet);
            (is_known && (task != waiter || !is_elsewhere)).then_some((task, it.many))
        });
        let kept: Vec<_> = kept.collect();
        let many: usize = kept.iter().map(|it| it.1).sum();
        let is_enough = self.wait.many + many <= self.total.unwrap_or(have.len());
        let is_sure = alone && self.holders.iter().all(|it| it.has == Has::Now);
        let is_stuck = many > 0 && !is_enough && (alone || !is_counted);
        let is_task = self.what.kind == "tasks";
        let doubt = if is_sure { usize::from(!is_task) } else { 2 };
        is_stuck.then(|| (kept.into_iter().map(|it| it.0).collect(), doubt))
    }
}
