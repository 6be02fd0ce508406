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
    mutex::own,
    place::Place,
    report::Looks,
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
    /// Who has it, or who made what was not used yet. `None`: a thread.
    task: Option<Weak<Task>>,
    name: Arc<str>,
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
        let task = task::innermost();
        let name = task
            .as_ref()
            .map_or_else(|| Place::here().name, |it| it.name.clone());
        Use::new(task.as_ref(), name, at, has)
    }

    fn new(task: Option<&Arc<Task>>, name: Arc<str>, at: Here, has: Has) -> Use {
        Use {
            task: task.map(Arc::downgrade),
            name,
            at,
            has,
        }
    }

    fn is_of(&self, task: &Arc<Task>) -> bool {
        let is_it = |it: &Weak<Task>| it.as_ptr() == Arc::as_ptr(task);
        self.has != Has::NotUsedYet && self.task.as_ref().is_some_and(is_it)
    }

    fn who(&self) -> String {
        match self.task {
            Some(_) => format!("{:?}", self.name),
            None => self.name.to_string(),
        }
    }

    fn text(&self) -> String {
        let how = match self.has {
            Has::Now => "has it since",
            Has::UsedLast => "used it last at",
            Has::NotUsedYet => "made it, and it was not used yet, at",
            Has::Waits => "waits for it at",
        };
        format!("; {} {how} {}", self.who(), place(self.at))
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

    /// This task holds it.
    #[cfg(feature = "tokio")]
    pub(crate) fn hold_of(&self, task: &Arc<Task>, at: Here) -> Hold {
        self.add(Use::new(Some(task), task.name.clone(), at, Has::Now))
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

/// For what a task waits, in words, and those of whom one could end that.
pub(crate) struct WaitsFor {
    pub(crate) text: String,
    /// Whether it is free once its holders have gone. Permits may have been forgotten, or be too few.
    excludes: bool,
    holders: Vec<Use>,
}

/// For which resources a task waits now.
pub(crate) fn of(task: &Arc<Task>) -> Vec<WaitsFor> {
    let all: Vec<_> = own(&ALL).values().filter_map(Weak::upgrade).collect();
    let waits = all.iter().filter_map(|inner| {
        let uses = own(&inner.uses);
        let (waiters, holders): (Vec<_>, Vec<_>) = uses
            .all
            .values()
            .cloned()
            .partition(|it| it.has == Has::Waits);
        let wait = waiters.iter().find(|it| it.is_of(task))?;
        let mut text = format!("waits for {} at {}", inner.name(), place(wait.at));
        holders.iter().for_each(|it| text += &it.text());
        if let (true, Some(first)) = (holders.is_empty(), waiters.first()) {
            text += "; nobody has it";
            if !first.is_of(task) {
                let (who, at) = (first.who(), place(first.at));
                text += &format!(", and {who} waits for it before, at {at}");
            }
        }
        let excludes = inner.kind != "permits";
        Some(WaitsFor {
            text,
            excludes,
            holders,
        })
    });
    waits.collect()
}

/// Tasks of which each waits for the next, and the last for the first.
pub(crate) fn circle(known: &[Looks]) -> Option<String> {
    let next = |from: usize| {
        // If one of several could end it, that is no circle.
        let is_single = |it: &&WaitsFor| it.holders.len() == 1 && it.excludes;
        let single = known[from].waits.iter().find(is_single)?;
        let is_holder = |it: &Looks| single.holders[0].is_of(&it.task);
        let to = known.iter().position(is_holder)?;
        let step = format!("\n  {:?} {}", known[from].task.name, single.text);
        Some((to, step, single.holders[0].has))
    };
    for start in 0..known.len() {
        let (mut at, mut steps, mut sure) = (start, Vec::new(), true);
        while let Some((to, step, has)) = next(at).filter(|_| steps.len() <= known.len()) {
            steps.push(step);
            (at, sure) = (to, sure && has == Has::Now);
            if at == start {
                let title = match sure {
                    true => "a circle of waits:",
                    false => {
                        "a circle of waits, unless an end has been given away since it was used:"
                    }
                };
                return Some(format!("{title}{}\n\n", steps.concat()));
            }
        }
    }
    None
}
