//! What futures wait for, who waits, and who could end that.

use std::{
    collections::BTreeMap,
    fmt,
    panic::Location,
    pin::{Pin, pin},
    sync::{Arc, Mutex, Weak},
    task::{Context, Poll},
};

use crate::{
    facts::Actor,
    mutex::own,
    place::Place,
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
struct Uses {
    made: usize,
    /// Whether it is among [`ALL`].
    is_known: bool,
    all: BTreeMap<usize, Use>,
}

pub(crate) type Here = &'static Location<'static>;

/// One that holds, or that waits.
#[derive(Clone)]
struct Use {
    /// Who has it, or who made what was not used yet.
    who: Actor,
    at: Here,
    has: Has,
}

/// How sure it is who holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Has {
    Now,
    /// An end of a channel may have been given away since it was used.
    #[cfg_attr(not(feature = "tokio"), expect(dead_code))]
    UsedLast,
    NotUsedYet,
    /// Nothing: it waits.
    Waits,
}

/// Those for which a task has waited, by their addresses.
static ALL: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

impl Use {
    /// Of the task that is polled here, or else of the thread.
    fn here(at: Here, has: Has) -> Use {
        let thread = || Actor::Thread(Place::here());
        let who = task::innermost().map_or_else(thread, Actor::PollOf);
        Use { who, at, has }
    }

    fn task(&self) -> Option<&Arc<Task>> {
        match &self.who {
            Actor::PollOf(task) => Some(task),
            _ => None,
        }
    }

    fn text(&self, all: &[Looks]) -> String {
        let how = match self.has {
            Has::Now => "has it since",
            Has::UsedLast => "used it last at",
            Has::NotUsedYet => "made it, and it was not used yet, at",
            Has::Waits => "waits for it at",
        };
        format!("; {} {how} {}", self.who(all), place(self.at))
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
        self.add(Use::here(at, has))
    }

    /// The task that calls this waits for it.
    pub(crate) fn waits_at(&self, at: Here) -> Hold {
        // Nobody asks about a resource for which none waits.
        own(&ALL).insert(Arc::as_ptr(&self.0).addr(), Arc::downgrade(&self.0));
        own(&self.0.uses).is_known = true;
        self.add(Use::here(at, Has::Waits))
    }

    fn add(&self, it: Use) -> Hold {
        let mut uses = own(&self.0.uses);
        uses.made += 1;
        let number = uses.made;
        uses.all.insert(number, it);
        Hold(self.clone(), number)
    }

    /// Awaits `future`, and waits for this resource as long as it is pending.
    #[track_caller]
    pub fn wait<F: Future>(&self, future: F) -> impl Future<Output = F::Output> {
        self.wait_at(future, Location::caller())
    }

    pub(crate) async fn wait_at<F: Future>(&self, future: F, at: Here) -> F::Output {
        let (mut future, mut waits) = (pin!(future), None);
        std::future::poll_fn(|cx| self.poll(future.as_mut(), &mut waits, at, cx)).await
    }

    /// Polls what waits for this resource. `waits` notes that it does.
    pub(crate) fn poll<F: Future>(
        &self,
        future: Pin<&mut F>,
        waits: &mut Option<Hold>,
        at: Here,
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let poll = future.poll(cx);
        if poll.is_ready() {
            *waits = None;
        } else if waits.is_none() {
            *waits = Some(self.waits_at(at));
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
        let it = Use::here(at, has);
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
    /// Such as `the lock of src/main.rs:12 at src/main.rs:17`. Empty for the end of the holder, which is a task.
    what: String,
    /// Whether it is free once its holders have gone. Permits may have been forgotten, or be too few.
    excludes: bool,
    holders: Vec<Use>,
    /// The first of those that wait, if that is another one.
    first: Option<Use>,
}

/// For which resources a task waits now.
pub(crate) fn of(task: &Arc<Task>) -> Vec<WaitsFor> {
    let all: Vec<_> = own(&ALL).values().filter_map(Weak::upgrade).collect();
    let waits = all.iter().filter_map(|inner| {
        let uses = own(&inner.uses);
        let mut waiters = uses.all.values().filter(|it| it.has == Has::Waits);
        let is_its = |it: &&Use| it.task().is_some_and(|it| Arc::ptr_eq(it, task));
        let wait = waiters.clone().find(is_its)?;
        let holders = uses.all.values().filter(|it| it.has != Has::Waits);
        Some(WaitsFor {
            what: format!("{} at {}", inner.name(), place(wait.at)),
            excludes: inner.kind != "permits",
            holders: holders.cloned().collect(),
            first: waiters.next().filter(|it| !is_its(it)).cloned(),
        })
    });
    waits.collect()
}

impl WaitsFor {
    pub(crate) fn end_of(task: &Arc<Task>) -> WaitsFor {
        let (who, at, has) = (Actor::PollOf(task.clone()), task.made, Has::Now);
        WaitsFor {
            what: String::new(),
            excludes: true,
            holders: vec![Use { who, at, has }],
            first: None,
        }
    }

    /// `all`: those that have a number in the message.
    pub(crate) fn text(&self, all: &[Looks]) -> String {
        if self.what.is_empty() {
            return format!("waits for the end of {}", self.holders[0].who(all));
        }
        let mut text = format!("waits for {}", self.what);
        self.holders.iter().for_each(|it| text += &it.text(all));
        if self.holders.is_empty() {
            text += "; nobody has it";
            text += &self.first.as_ref().map_or(String::new(), |it| it.text(all));
        }
        text
    }

    /// The only task that could end it: the holder, or the one to which it was given and that does not come.
    pub(crate) fn single(&self) -> Option<&Arc<Task>> {
        let is_given = |it: &&Use| it.task().is_some_and(|it| it.facts().wakes_of_latest > 0);
        let given = self.first.iter().filter(is_given);
        let mut all = self.holders.iter().chain(given);
        let single = all
            .next()
            .filter(|it| self.excludes && it.has != Has::NotUsedYet);
        single.filter(|_| all.next().is_none())?.task()
    }

    pub(crate) fn is_sure(&self) -> bool {
        self.holders.iter().all(|it| it.has == Has::Now)
    }
}
