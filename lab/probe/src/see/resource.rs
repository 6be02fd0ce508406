//! What futures wait for, who waits, and who could end that.
#![cfg_attr(not(feature = "tokio"), expect(dead_code))]

use std::{
    collections::BTreeMap,
    fmt,
    panic::Location,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Poll},
};

use crate::see::{
    facts::{Actor, Has, Use},
    lock::own,
    place::{Line, Place},
    raw_waker::{self, Behind},
    task::{self, Task},
};

/// Something that futures wait for and that others hold, such as a lock: it tells [`within`](crate::within) who does, since when.
///
/// ```
/// let printer = why_pending::Resource::new("printer");
/// let hold = printer.hold(); // Elsewhere: `printer.wait(future).await`
/// ```
#[derive(Clone)]
pub struct Resource(pub(crate) Arc<Inner>);

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Lock,
    Permits,
    Barrier,
    Notification,
    /// The other end of a [`Notification`](ResourceKind::Notification).
    Future,
    Sender,
    Receiver,
    /// One task or several, until they end.
    Tasks,
    /// The program's own, of which only this name is known.
    Named(&'static str),
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) kind: ResourceKind,
    pub(crate) made: Line,
    /// The number of the channel of which it is an end. Two may have been made in one line.
    channel: Option<usize>,
    uses: Mutex<Uses>,
    messages: Messages,
}

/// Of the senders of a channel in which each message is received once. Only what is known to lie there is told.
#[derive(Debug, Default)]
struct Messages {
    sent: AtomicUsize,
    received: AtomicUsize,
    /// Some may have been received otherwise. Of a notification: some may have been sent by tokio's own name.
    is_uncounted: AtomicBool,
}

#[derive(Debug, Default)]
pub(crate) struct Uses {
    made: usize,
    /// Whether it is among [`ALL`].
    is_known: bool,
    pub(crate) all: BTreeMap<usize, Use>,
    /// Of permits, of the tasks of a set, and of those who are to come to a barrier: how many there are.
    pub(crate) total: Option<usize>,
    /// How many have come to the barrier so far, or were added to the permits.
    pub(crate) come: usize,
    /// What comes back from none of those who had it, by the line that says so.
    pub(crate) lost: BTreeMap<Line, Use>,
    /// Of senders: the one that was used and dropped last. Of notifications: who got the last one. Of a barrier: who came last.
    pub(crate) gone: Option<Use>,
}

impl fmt::Display for ResourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResourceKind::Lock => "lock",
            ResourceKind::Permits => "permits",
            ResourceKind::Barrier => "barrier",
            ResourceKind::Notification => "notification",
            ResourceKind::Future => "future",
            ResourceKind::Sender => "sender",
            ResourceKind::Receiver => "receiver",
            ResourceKind::Tasks => "tasks",
            ResourceKind::Named(name) => name,
        })
    }
}

impl Has {
    pub(crate) fn wait(cx: &Context<'_>) -> Has {
        raw_waker::behind(cx.waker(), |behind| match behind {
            Behind::Foreign => Has::WaitsInSet,
            _ => Has::Waits,
        })
    }
}

/// Those for which a task has waited, by their addresses.
static ALL: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

/// Those for which a task has waited, and that are still there.
pub(crate) fn all() -> Vec<Arc<Inner>> {
    own(&ALL).values().filter_map(Weak::upgrade).collect()
}

impl Use {
    /// Of the task that runs here, or else of the thread.
    pub(crate) fn here(at: Line, has: Has, many: usize) -> Use {
        let task = task::of_here(|task| (Actor::PollOf(task.clone()), task.polls()));
        let (who, poll) = task.unwrap_or_else(|| (Actor::Thread(Place::here()), 0));
        Use {
            who,
            at,
            has,
            many,
            poll,
            tasks: task::made(),
        }
    }

    /// The task itself, until it ends.
    pub(crate) fn of(task: &Arc<Task>) -> Use {
        Use {
            who: Actor::PollOf(task.clone()),
            ..Use::here(task.made, Has::Now, 1)
        }
    }
}

impl Resource {
    /// A resource of this kind, which is named by the line that calls this.
    #[track_caller]
    pub fn new(kind: &'static str) -> Resource {
        Resource::new_at(ResourceKind::Named(kind), Location::caller())
    }

    pub(crate) fn new_at(kind: ResourceKind, made: Line) -> Resource {
        Resource::of(kind, made, None)
    }

    /// The two ends of a channel.
    pub(crate) fn ends(kinds: [ResourceKind; 2], made: Line) -> [Resource; 2] {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let channel = MADE.fetch_add(1, Relaxed);
        kinds.map(|kind| Resource::of(kind, made, Some(channel)))
    }

    fn of(kind: ResourceKind, made: Line, channel: Option<usize>) -> Resource {
        Resource(Arc::new(Inner {
            kind,
            made,
            channel,
            uses: Mutex::default(),
            messages: Messages::default(),
        }))
    }

    /// The task that calls this, or else the thread, holds the resource until the result is dropped.
    #[track_caller]
    pub fn hold(&self) -> Hold {
        self.hold_many(1, Location::caller(), Has::Now)
    }

    pub(crate) fn hold_many(&self, many: usize, at: Line, has: Has) -> Hold {
        self.held_by(Use::here(at, has, many))
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        self.0.uses()
    }

    /// So many do not come back, because some task forgot them. Or, `InVain`, so many times this one asked.
    pub(crate) fn lose(&self, many: usize, at: Line, has: Has) {
        let mut lost = Use::here(at, has, many);
        let mut uses = self.uses();
        if let Some(before) = uses.lost.get(at) {
            let is_by_same = lost.task().is_some_and(|task| before.is_of(task));
            if has == Has::Forgot || is_by_same {
                lost.many += before.many;
            }
        }
        uses.lost.insert(at, lost);
    }

    pub(crate) fn asked_in_vain(&self, at: Line) {
        let is_held = self.uses().all.values().any(|user| user.has.is_hold());
        if !is_held {
            self.enlist();
            self.lose(1, at, Has::InVain);
        }
    }

    /// Calls what blocks this thread, and waits for the resource meanwhile.
    pub(crate) fn block<T>(&self, at: Line, f: impl FnOnce() -> T) -> T {
        self.enlist();
        let _waits = self.hold_many(1, at, Has::Waits);
        f()
    }

    /// The task that runs here has got what it waited for, a message or a notification.
    pub(crate) fn note_arrival(&self, at: Line) {
        self.0.count_received(1);
        if self.0.kind == ResourceKind::Notification {
            self.uses().gone = Some(Use::here(at, Has::Now, 1));
        }
    }

    /// The task that runs here comes to a barrier.
    #[cfg(feature = "tokio")]
    pub(crate) fn note_who_comes(&self, at: Line) {
        let comes = Use::here(at, Has::Waits, 1);
        let mut uses = self.uses();
        uses.come += 1;
        uses.gone = Some(comes);
    }

    /// The task that runs here sends a message to who has this receiver.
    pub(crate) fn note_sending<T>(&self, at: Line) {
        if task::may_hold_more::<T>() {
            task::of_here(|task| task.sends(Arc::downgrade(&self.0), at));
        }
    }

    /// Nobody asks about a resource for which none has waited.
    fn enlist(&self) {
        own(&ALL).insert(Arc::as_ptr(&self.0).addr(), Arc::downgrade(&self.0));
        self.uses().is_known = true;
    }

    pub(crate) fn held_by(&self, holder: Use) -> Hold {
        let mut uses = self.uses();
        uses.made += 1;
        let number = uses.made;
        uses.all.insert(number, holder);
        Hold(self.clone(), number)
    }

    /// Awaits `future`, and waits for this resource as long as it is pending.
    #[track_caller]
    pub fn wait<F: Future>(&self, future: F) -> impl Future<Output = F::Output> {
        self.wait_many(1, future, Location::caller())
    }

    pub(crate) async fn wait_many<F: Future>(&self, asks: usize, future: F, at: Line) -> F::Output {
        let (mut future, mut waits) = (pin!(future), None);
        std::future::poll_fn(|cx| self.poll(future.as_mut(), &mut waits, (asks, at), cx)).await
    }

    /// Polls what waits for this resource, and asks for so many. `waits` notes that it does.
    pub(crate) fn poll<F: Future>(
        &self,
        future: Pin<&mut F>,
        waits: &mut Option<Hold>,
        (asks, at): (usize, Line),
        cx: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let poll = future.poll(cx);
        if poll.is_ready() {
            *waits = None;
            return poll;
        }
        let wait = Use::here(at, Has::wait(cx), asks);
        match waits {
            // It may have been moved to another task.
            Some(known) => drop(self.uses().all.insert(known.1, wait)),
            None => {
                self.enlist();
                *waits = Some(self.held_by(wait));
            }
        }
        poll
    }
}

impl Inner {
    /// Whether both are ends of one channel.
    pub(crate) fn is_of_channel(&self, other: &Inner) -> bool {
        self.channel.is_some() && self.channel == other.channel
    }

    pub(crate) fn count_sent(&self) {
        self.messages.sent.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_received(&self, many: usize) {
        self.messages.received.fetch_add(many, Relaxed);
    }

    pub(crate) fn stop_counting(&self) {
        self.messages.is_uncounted.store(true, Relaxed);
    }

    /// Whether each use of it was seen.
    pub(crate) fn is_counted(&self) -> bool {
        !self.messages.is_uncounted.load(Relaxed)
    }

    /// How many messages are sure to be there that nobody has received.
    pub(crate) fn messages(&self) -> usize {
        // In this order: what is sent between the two is not counted, and what is received then is.
        let sent = self.messages.sent.load(Relaxed);
        let there = sent.saturating_sub(self.messages.received.load(Relaxed));
        if !self.is_counted() {
            return 0;
        }
        there
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        own(&self.uses)
    }

    pub(crate) fn name(&self) -> String {
        let (file, line) = (self.made.file(), self.made.line());
        // By a `default()` that the standard library calls.
        if file.starts_with("/rustc/") {
            return format!("a {}", self.kind);
        }
        format!("the {} of {file}:{line}", self.kind)
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
    /// From now on the task that calls this has it.
    pub(crate) fn move_here(&self, at: Line) {
        let last = Use::here(at, Has::UsedLast, 1);
        self.0.uses().all.insert(self.1, last);
    }

    /// Another hold has so many of what this one has.
    #[cfg(feature = "tokio")]
    pub(crate) fn split(&self, many: usize) -> Hold {
        let mut uses = self.0.uses();
        let mut part = uses.all.get(&self.1).cloned();
        if let Some(whole) = uses.all.get_mut(&self.1) {
            whole.many -= many;
        }
        drop(uses);
        let part = part.take().map(|part| Use { many, ..part });
        self.0
            .held_by(part.unwrap_or_else(|| Use::here(self.0.0.made, Has::Now, many)))
    }

    /// What the other one has, this one has too.
    #[cfg(feature = "tokio")]
    pub(crate) fn merge(&self, other: Hold) {
        let mut uses = self.0.uses();
        let many = uses.all.get(&other.1).map_or(0, |other| other.many);
        if let Some(whole) = uses.all.get_mut(&self.1) {
            whole.many += many;
        }
        drop(uses);
        drop(other);
    }

    /// What it holds becomes a library's own, and goes on without it.
    pub(crate) fn stop_watching(&self, at: Line) {
        self.0.lose(1, at, Has::Unwatched);
    }

    /// It ends, and what it held is not free.
    pub(crate) fn forget(&self, at: Line) {
        let held = self.0.uses().all.remove(&self.1);
        self.0
            .lose(held.map_or(0, |held| held.many), at, Has::Forgot);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut uses = self.0.uses();
        let last = uses.all.remove(&self.1);
        if self.0.0.kind == ResourceKind::Sender {
            let last = last.filter(|last| last.has == Has::UsedLast);
            uses.gone = last.or(uses.gone.take());
        }
    }
}
