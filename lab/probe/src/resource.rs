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
    made: &'static Location<'static>,
    uses: Mutex<Uses>,
}

#[derive(Default)]
struct Uses {
    made: usize,
    holders: BTreeMap<usize, Use>,
    waiters: BTreeMap<usize, Use>,
}

/// One that holds, or that waits.
#[derive(Clone)]
struct Use {
    /// `None` where that is not known.
    who: Option<(Weak<Task>, Arc<str>)>,
    at: &'static Location<'static>,
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
}

/// Those that exist, by their addresses.
static ALL: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

impl Use {
    /// Of the task that is polled here, or else of the thread.
    fn here(at: &'static Location<'static>, has: Has) -> Use {
        let who = task::innermost().map_or_else(
            || (Weak::new(), Place::here().name),
            |task| (Arc::downgrade(&task), format!("{:?}", task.name).into()),
        );
        let who = Some(who).filter(|_| has != Has::NotUsedYet);
        Use { who, at, has }
    }

    fn is_of(&self, task: &Arc<Task>) -> bool {
        let who = self.who.as_ref();
        who.is_some_and(|(known, _)| known.as_ptr() == Arc::as_ptr(task))
    }

    fn text(&self) -> String {
        let name = self.who.as_ref().map_or("it", |(_, name)| name);
        let how = match self.has {
            Has::Now => "has it since",
            Has::UsedLast => "used it last at",
            Has::NotUsedYet => "was not used yet, and was made at",
        };
        format!("; {name} {how} {}", place(self.at))
    }
}

fn place(at: &Location<'_>) -> String {
    format!("{}:{}", at.file(), at.line())
}

impl Resource {
    /// A resource of this kind, which is named by the line that calls this.
    #[track_caller]
    pub fn new(kind: &'static str) -> Resource {
        let made = Location::caller();
        let uses = Mutex::default();
        let inner = Arc::new(Inner { kind, made, uses });
        own(&ALL).insert(Arc::as_ptr(&inner).addr(), Arc::downgrade(&inner));
        Resource(inner)
    }

    /// The task that calls this, or else the thread, holds the resource until the result is dropped.
    #[track_caller]
    pub fn hold(&self) -> Hold {
        self.hold_at(Location::caller(), Has::Now)
    }

    pub(crate) fn hold_at(&self, at: &'static Location<'static>, has: Has) -> Hold {
        let mut uses = own(&self.0.uses);
        uses.made += 1;
        let number = uses.made;
        uses.holders.insert(number, Use::here(at, has));
        Hold(self.clone(), number)
    }

    /// Awaits `future`, and waits for this resource as long as it is pending.
    #[track_caller]
    pub fn wait<F: Future>(&self, future: F) -> impl Future<Output = F::Output> {
        self.wait_at(future, Location::caller())
    }

    pub(crate) async fn wait_at<F: Future>(
        &self,
        future: F,
        at: &'static Location<'static>,
    ) -> F::Output {
        let (mut future, mut waits) = (pin!(future), None);
        std::future::poll_fn(|cx| self.poll(future.as_mut(), &mut waits, at, cx)).await
    }

    /// Polls what waits for this resource. `waits` notes that it does.
    pub(crate) fn poll<F: Future>(
        &self,
        future: Pin<&mut F>,
        waits: &mut Option<Hold>,
        at: &'static Location<'static>,
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let poll = future.poll(cx);
        if poll.is_ready() {
            *waits = None;
        } else if waits.is_none() {
            let hold = self.hold_at(at, Has::Now);
            let mut uses = own(&self.0.uses);
            let this = uses.holders.remove(&hold.1).expect("it was put there");
            uses.waiters.insert(hold.1, this);
            *waits = Some(hold);
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
        write!(
            f,
            "the {} of {}:{}",
            self.0.kind,
            self.0.made.file(),
            self.0.made.line()
        )
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        own(&ALL).remove(&std::ptr::from_ref(self).addr());
    }
}

/// A hold on a [`Resource`], or a wait for it.
#[derive(Debug)]
pub struct Hold(Resource, usize);

impl Hold {
    /// One more of its kind.
    #[cfg(feature = "tokio")]
    pub(crate) fn again(&self, at: &'static Location<'static>) -> Hold {
        self.0.hold_at(at, Has::NotUsedYet)
    }

    /// From now on the task that calls this has it.
    #[cfg(feature = "tokio")]
    pub(crate) fn is_here(&self, at: &'static Location<'static>, has: Has) {
        own(&self.0.0.uses)
            .holders
            .insert(self.1, Use::here(at, has));
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut uses = own(&self.0.0.uses);
        uses.holders.remove(&self.1);
        uses.waiters.remove(&self.1);
    }
}

/// For what a task waits, in words, and those of whom one could end that.
pub(crate) struct WaitsFor {
    pub(crate) text: String,
    holders: Vec<Use>,
}

/// For which resources a task waits now.
pub(crate) fn of(task: &Arc<Task>) -> Vec<WaitsFor> {
    let all: Vec<_> = own(&ALL).values().filter_map(Weak::upgrade).collect();
    let waits = all.iter().filter_map(|inner| {
        let uses = own(&inner.uses);
        let wait = uses.waiters.values().find(|it| it.is_of(task))?;
        let holders: Vec<_> = uses.holders.values().cloned().collect();
        let mut text = format!("waits for {} at {}", inner.name(), place(wait.at));
        holders.iter().for_each(|it| text += &it.text());
        if let (true, Some(first)) = (holders.is_empty(), uses.waiters.values().next()) {
            text += "; nobody has it";
            if let Some((_, name)) = first.who.as_ref().filter(|_| !first.is_of(task)) {
                text += &format!(", and {name} waits for it before, at {}", place(first.at));
            }
        }
        Some(WaitsFor { text, holders })
    });
    waits.collect()
}

/// Tasks of which each waits for the next, and the last for the first.
pub(crate) fn circle(tasks: &[Arc<Task>]) -> Option<String> {
    let known: Vec<_> = tasks.iter().map(|task| (task, of(task))).collect();
    let next = |from: usize| {
        // If one of several could end it, that is no circle.
        let single = known[from].1.iter().find(|it| it.holders.len() == 1)?;
        let to = known
            .iter()
            .position(|(task, _)| single.holders[0].is_of(task))?;
        let step = format!("\n  {:?} {}", known[from].0.name, single.text);
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
