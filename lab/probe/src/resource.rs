//! What futures wait for, who waits, and who could end that.
#![cfg_attr(not(feature = "tokio"), expect(dead_code))]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    panic::Location,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, Weak},
    task::{Context, Poll},
};

use crate::{
    diagnosis::MANY,
    facts::{Actor, State},
    layout::times,
    mutex::own,
    place::Place,
    raw_waker,
    report::{Looks, NAMED, called},
    task::{self, Task},
};

/// Something that futures wait for and that others hold, such as a lock: it tells [`within`](crate::within) who does, since when.
///
/// ```
/// let printer = probe::Resource::new("printer");
/// let hold = printer.hold(); // Elsewhere: `printer.wait(future).await`
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
    /// How many have come to the barrier so far, or were added to the permits.
    pub(crate) come: usize,
    /// What comes back from none of those who had it, by the line that says so.
    lost: BTreeMap<Here, Use>,
}

pub(crate) type Here = &'static Location<'static>;

/// One that holds, or that waits.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Who has it, or who made what was not used yet.
    who: Actor,
    at: Here,
    has: Has,
    /// How many it has, or asks for.
    many: usize,
    /// In which poll of the task.
    poll: usize,
}

/// How sure it is who holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Has {
    Now,
    /// A place in a channel.
    Reserved,
    /// An end of a channel may have been given away since it was used.
    UsedLast,
    /// From here on it is not known who has it now. An owned guard may have been given away since.
    Took,
    NotUsedYet,
    /// It has given up a permit without giving it back.
    Forgot,
    /// It has woken all who waited by then.
    Notified,
    /// From here on nothing: it waits.
    Waits,
    /// The same, by the waker of a set of futures, which may wait for more.
    WaitsInSet,
    /// The last of the holders was gone when it asked.
    InVain,
}

impl Has {
    pub(crate) fn wait(cx: &Context<'_>) -> Has {
        let observed = raw_waker::observed(cx.waker());
        observed.map_or(Has::WaitsInSet, |_| Has::Waits)
    }
}

/// Those for which a task has waited, by their addresses.
static ALL: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());

impl Use {
    /// Of the task that runs here, or else of the thread.
    pub(crate) fn here(at: Here, has: Has, many: usize) -> Use {
        let thread = || (Actor::Thread(Place::here()), 0);
        let task = task::of_here(|it| (Actor::PollOf(it.clone()), it.polls()));
        let (who, poll) = task.unwrap_or_else(thread);
        Use {
            who,
            at,
            has,
            many,
            poll,
        }
    }

    /// Whether it still was a wait in the latest of so many polls of this task. One that is kept may be polled no more.
    pub(crate) fn waits_in(&self, task: &Arc<Task>, polls: usize) -> bool {
        self.is_of(task) && (self.poll == polls || self.has != Has::Waits)
    }

    /// The task itself, until it ends.
    pub(crate) fn of(task: &Arc<Task>) -> Use {
        Use {
            who: Actor::PollOf(task.clone()),
            ..Use::here(task.made, Has::Now, 1)
        }
    }

    pub(crate) fn task(&self) -> Option<&Arc<Task>> {
        match &self.who {
            Actor::PollOf(task) => Some(task),
            _ => None,
        }
    }

    fn is_of(&self, task: &Arc<Task>) -> bool {
        self.task().is_some_and(|it| Arc::ptr_eq(it, task))
    }

    fn text(&self, all: &[Looks]) -> String {
        let (who, at, many) = (self.who(all), place(self.at), self.many);
        match self.has {
            // Even a guard that borrows may have been given away since, if the lock lives forever.
            Has::Now | Has::Took if many > 1 => format!("{who} took {many} of it at {at}"),
            Has::Now | Has::Took => format!("{who} took it at {at}{}", self.since(all)),
            Has::Reserved => format!("{who} reserved a place at {at}"),
            Has::UsedLast => format!("{who} used it last at {at}"),
            Has::NotUsedYet => {
                format!("{who} made it at {at}, and nothing was sent or received by it yet")
            }
            Has::Notified => format!("{who} notified all at {at}, before this wait"),
            Has::Forgot => format!("{many} forgotten at {at}, last by {who}"),
            _ => format!("{who} waits for it at {at}"),
        }
    }

    /// What has become of the task that took it.
    fn since(&self, all: &[Looks]) -> &'static str {
        let is_it = |it: &&Looks| self.is_of(&it.task);
        let known = all.iter().find(is_it).map(|it| it.now.state.clone());
        match known.or_else(|| Some(self.task()?.facts().state)) {
            Some(State::Ready) => ", and has ended: it returned it, gave it away or forgot it",
            _ => "",
        }
    }

    fn who(&self, all: &[Looks]) -> String {
        match &self.who {
            Actor::Thread(place) => place.name.to_string(),
            Actor::PollOf(task) => called(task, all),
            Actor::OwnPoll => unreachable!("it is in a poll of a task"),
        }
    }
}

pub(crate) fn place(at: &Location<'_>) -> String {
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
        self.hold_many(1, Location::caller(), Has::Now)
    }

    pub(crate) fn hold_many(&self, many: usize, at: Here, has: Has) -> Hold {
        self.held_by(Use::here(at, has, many))
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        own(&self.0.uses)
    }

    /// So many do not come back, because some task forgot them. Or, `InVain`, so many times this one asked.
    pub(crate) fn lose(&self, many: usize, at: Here, has: Has) {
        let mut it = Use::here(at, has, many);
        let mut uses = self.uses();
        let is_same = |of: &&Use| has == Has::Forgot || it.task().is_some_and(|it| of.is_of(it));
        let more = uses.lost.get(at).filter(is_same).map_or(0, |it| it.many);
        it.many += more;
        uses.lost.insert(at, it);
    }

    pub(crate) fn asked_in_vain(&self, at: Here) {
        if self.uses().all.values().all(|it| it.has >= Has::Waits) {
            self.is_known();
            self.lose(1, at, Has::InVain);
        }
    }

    /// Calls what blocks this thread, and waits for the resource meanwhile.
    pub(crate) fn block<T>(&self, at: Here, f: impl FnOnce() -> T) -> T {
        self.is_known();
        let _waits = self.hold_many(1, at, Has::Waits);
        f()
    }

    /// Nobody asks about a resource for which none has waited.
    fn is_known(&self) {
        own(&ALL).insert(Arc::as_ptr(&self.0).addr(), Arc::downgrade(&self.0));
        self.uses().is_known = true;
    }

    pub(crate) fn held_by(&self, it: Use) -> Hold {
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
        let wait = || Use::here(at, Has::wait(cx), asks);
        match waits {
            _ if poll.is_ready() => *waits = None,
            // It may have been moved to another task.
            Some(it) => drop(self.uses().all.insert(it.1, wait())),
            None => {
                self.is_known();
                *waits = Some(self.held_by(wait()));
            }
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
    /// From now on the task that calls this has it.
    pub(crate) fn is_here(&self, at: Here) {
        let it = Use::here(at, Has::UsedLast, 1);
        own(&self.0.0.uses).all.insert(self.1, it);
    }

    /// It ends, and what it held is not free.
    pub(crate) fn forget(&self, at: Here) {
        let it = own(&self.0.0.uses).all.remove(&self.1);
        self.0.lose(it.map_or(0, |it| it.many), at, Has::Forgot);
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
    /// How many there are of it, if they are counted.
    total: Option<usize>,
    /// What is said of it before these.
    known: Vec<String>,
    /// And those who have lost some.
    holders: Vec<Use>,
    /// Who else is at the barrier. Of all else: who waits first, if that is another one.
    others: Vec<Use>,
}

/// For which resources a task waits now, or asks again and again although it is gone.
pub(crate) fn of(task: &Arc<Task>, polls: usize) -> Vec<WaitsFor> {
    let all: Vec<_> = own(&ALL).values().filter_map(Weak::upgrade).collect();
    let waits = all.into_iter().filter_map(|what| {
        let uses = own(&what.uses);
        let waiters = uses.all.values().filter(|it| it.has >= Has::Waits);
        let is_its = |it: &&Use| it.is_of(task);
        let often = |it: &&Use| it.has == Has::InVain && it.many >= MANY;
        let in_vain = uses.lost.values().filter(often);
        let in_poll = |it: &&Use| it.waits_in(task, polls);
        let wait = waiters.clone().chain(in_vain).rfind(in_poll)?;
        let holders = uses.all.values().chain(uses.lost.values());
        let holders = holders.filter(|it| it.has < Has::Waits && it.many > 0);
        let mut it = WaitsFor::new(what.clone(), wait.clone(), holders.cloned().collect());
        it.total = uses.total;
        let first = waiters.clone().next().filter(|it| !std::ptr::eq(*it, wait));
        let own = |it: &Use, left| format!("its own wait at {}{left}", place(it.at));
        let first = first.map(|it| match is_its(&it) {
            false => "one who came before".to_owned(),
            true if in_poll(&it) => own(it, ""),
            true => own(it, ", which is not polled any more"),
        });
        let mut most = 1;
        match (what.kind, uses.total) {
            ("permits", Some(0)) if uses.come == 0 => {
                it.known = vec!["it was made with none, and none was added".to_owned()];
            }
            ("permits", Some(made)) => {
                let (all, gone) = (made + uses.come, it.holders.iter().map(|it| it.many).sum());
                let free = all.saturating_sub(gone);
                it.known.push(match &first {
                    Some(first) if free > 0 => format!("0 of {all} free, {free} kept for {first}"),
                    _ => format!("{free} of {all} free"),
                });
                // Who adds some once may do it again.
                let is_fixed = uses.come == 0 && uses.lost.is_empty();
                it.total = Some(if is_fixed { made } else { usize::MAX });
            }
            ("barrier", Some(total)) => {
                let (come, there) = (uses.come % total, waiters.clone().count());
                let mut known = format!("{come} of {total} have come");
                if come > there {
                    known += &format!(", counting {} whose wait was dropped", come - there);
                }
                it.known.push(known);
                most = NAMED;
            }
            _ => {}
        }
        if it.holders.is_empty() && what.kind != "barrier" {
            it.known.push(match what.kind {
                "tasks" => "a task that is not watched".to_owned(),
                "notification" => "who notifies is not known".to_owned(),
                "lock" if first.is_some() => format!("kept for {}", first.unwrap_or_default()),
                _ => "nobody has it".to_owned(),
            });
        }
        let others = waiters.take(most).filter(|it| !is_its(it));
        it.others.extend(others.cloned());
        drop(uses);
        Some(it)
    });
    waits.collect()
}

impl WaitsFor {
    fn new(what: Arc<Inner>, wait: Use, holders: Vec<Use>) -> WaitsFor {
        WaitsFor {
            what,
            wait,
            total: None,
            known: Vec::new(),
            holders,
            others: Vec::new(),
        }
    }

    pub(crate) fn end_of(task: &Arc<Task>, wait: Use) -> WaitsFor {
        let what = Resource::new_at("tasks", task.made).0;
        WaitsFor::new(what, wait, vec![Use::of(task)])
    }

    /// Then one who waits before it may be the reason: a writer between two readers.
    fn has_the_lock(&self) -> bool {
        let its = |it: &Use| self.wait.task().is_some_and(|task| it.is_of(task));
        self.what.kind == "lock" && self.holders.iter().any(its)
    }

    /// Who has what it waits for, or else has come before.
    pub(crate) fn those(&self) -> impl Iterator<Item = &Use> {
        let is_before = self.holders.is_empty() || self.has_the_lock();
        let others = self.others.iter().filter(move |_| is_before);
        self.holders.iter().chain(others)
    }

    pub(crate) fn is_in_vain(&self) -> bool {
        self.wait.has == Has::InVain
    }

    /// `all`: those that have a number in the message.
    pub(crate) fn text(&self, all: &[Looks]) -> String {
        let (asks, is_end) = (self.wait.many, self.what.kind == "tasks");
        let mut what = self.what.name();
        if self.is_in_vain() {
            let (asks, at) = (times(asks), place(self.wait.at));
            return format!("asked {asks} at {at}, although {what} is gone");
        }
        let say = |it: &Use| {
            let who = if is_end { it.who(all) } else { it.text(all) };
            let doing = it.task().and_then(|it| it.doing());
            who + &doing.map_or(String::new(), |it| format!("; {it}"))
        };
        let those = self.those().take(NAMED).map(say);
        let mut list: Vec<_> = self.known.iter().cloned().chain(those).collect();
        if self.holders.len() > NAMED {
            list.push(format!("{} more", self.holders.len() - NAMED));
        }
        if is_end {
            let list = list.join(if asks == 1 { " or " } else { " and " });
            return format!("waits for the end of {list}");
        }
        if asks > 1 {
            what = format!("{asks} of {what}");
        }
        if self.wait.at != self.what.made {
            what += &format!(" at {}", place(self.wait.at));
            if self.what.kind == "sender" && self.holders.len() == 1 {
                list.push("no other is known".to_owned());
            }
        }
        format!("waits for {what}; {}", list.join("; "))
    }

    /// Whether one waits at one end of a channel, and the other at the other end.
    pub(crate) fn is_other_end(&self, other: &WaitsFor) -> bool {
        let kinds = (self.what.kind, other.what.kind);
        kinds == ("receiver", "sender") && self.what.made == other.what.made
    }

    /// Whom of those that are `stuck` it needs, if all that others may give back is not enough, and how sure that is. The `waiter` is
    /// `alone` if it waits for nothing else.
    pub(crate) fn needs(
        &self,
        waiter: usize,
        alone: bool,
        stuck: impl Fn(&Arc<Task>) -> Option<usize>,
    ) -> Option<(BTreeSet<usize>, Doubt)> {
        let is_counted = self.total.is_some();
        let alone = alone && self.wait.has == Has::Waits;
        let is_given = |it: &&Use| it.task().is_some_and(|it| it.facts().wakes_of_latest > 0);
        let is_before = |it: &&Use| self.has_the_lock() || !is_counted && is_given(it);
        let given = self.others.iter().filter(is_before);
        let have: Vec<_> = self.holders.iter().chain(given).collect();
        let kept = have.iter().filter_map(|it| {
            let task = stuck(it.task()?)?;
            // Another part of the waiter may have it. And a loop that takes one in each turn gives them to others.
            let is_elsewhere = !alone || is_counted && it.at == self.wait.at;
            // What was made and not used yet was perhaps moved to another task.
            let is_known = !(Has::Took..Has::Waits).contains(&it.has);
            (is_known && (task != waiter || !is_elsewhere)).then_some((task, it.many))
        });
        let kept: Vec<_> = kept.collect();
        let many: usize = kept.iter().map(|it| it.1).sum();
        let is_enough = self.wait.many + many <= self.total.unwrap_or(have.len());
        let is_sure = alone && self.holders.iter().all(|it| it.has == Has::Now);
        let is_stuck = many > 0 && !is_enough && (alone || !is_counted);
        let doubt = match self.what.kind {
            _ if !is_sure => Doubt::Given,
            "tasks" => Doubt::None,
            _ => Doubt::Freed,
        };
        is_stuck.then(|| (kept.into_iter().map(|it| it.0).collect(), doubt))
    }
}

/// Who waits for the same has the same.
pub(crate) fn keys(waits: &[WaitsFor]) -> impl Iterator<Item = (&str, Here, Here)> {
    let keys = waits.iter();
    keys.map(|it| (it.what.kind, it.what.made, it.wait.at))
}

/// When a circle is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    None,
    /// A guard of a lock that lives forever was given away, or permits will be added.
    Freed,
    Given,
}

impl Doubt {
    /// Goes on after `a circle of waits`.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Freed => ", unless another task can free one of these",
            Self::Given => {
                ", unless one of these waits for more than this, or has given away what it used last"
            }
        }
    }
}
