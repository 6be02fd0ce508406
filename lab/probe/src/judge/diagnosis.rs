//! From what was seen of a task to what is wrong with it.

use std::sync::Arc;

use crate::{
    judge::{
        MANY,
        looks::{self, Looks},
        reach,
    },
    see::{
        facts::{Actor, Facts, State},
        place::Place,
        task::Task,
    },
};

/// What keeps a task from its end. `rank.rs` knows which comes first in a message, and `say/words.rs` says each in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    LockTwice,
    /// By a task that is not polled meanwhile.
    LockAcrossAwait,
    LockHeld,
    /// Its poll has not returned, and another executor polls inside it.
    ExecutorInside,
    Blocked,
    /// Its poll has not returned, and panics.
    Panicking,
    /// Its poll had not returned at the second look, and has by now.
    Returned,
    /// The latest poll cloned its waker at no time, and no earlier clone of it is left.
    KeptNoWaker,
    /// The same of an async function, which may await `std::future::pending`.
    NoneKeptInside,
    WakerDropped,
    /// The same, and the poll that made them dropped them.
    DroppedInPoll,
    /// The same, and the last one was dropped in the poll of another task.
    WakerReplaced,
    OldWoken,
    OldKept,
    PolledAfterReady,
    Panicked,
    /// The panic went through the poll of one inside.
    PanickedWithChild,
    /// Woken since its latest poll; the task that polls it was polled since, and passed it by.
    PassedBy,
    /// Woken since its latest poll, with a waker that what is between it and its parent has made. The parent was not woken.
    LostBetween,
    /// Woken since its latest poll, when the task that had polled it was over.
    Orphaned,
    NotPolledAgain,
    NeverPolled,
    /// A waker is kept, but it was not woken, and the future is ready.
    WakeMissing,
    /// The same, but that it is not ready: one more poll made it go on.
    WentOn,
    Waits,
    /// It was pending again when it was polled once more, which may not have reached what waits inside.
    NotReached,
    /// It was pending again when it was polled once more, and its call was looked up for too short a time.
    NotRead,
    NotWoken,
    /// It keeps no waker, perhaps on purpose, and it is not what the caller awaits.
    Forever,
    BusyExecutor,
    BusyFuture,
    AtWork,
    /// It has the waker of nothing but a watched future inside it, of which there is a message.
    WaitsForChild,
    /// It was woken, and so was the task that polls it, or that is inside its poll.
    WaitsForParent,
    /// It is polled by an executor inside the poll of another task, which does not return.
    InPoll,
    Young,
    Closure,
    /// Of no task that is there: futures of one line are dropped before they are ready.
    GivenUp,
    NobodyLeft,
}

impl Kind {
    /// Whether the thread that polls the task is stuck, which is reason enough why others wait for a poll.
    pub(crate) fn blames_the_thread(self) -> bool {
        use Kind::{
            Blocked, ExecutorInside, LockAcrossAwait, LockHeld, LockTwice, Panicking, Returned,
        };
        matches!(
            self,
            LockTwice
                | LockAcrossAwait
                | LockHeld
                | ExecutorInside
                | Blocked
                | Panicking
                | Returned
        )
    }

    /// Whether what it waited for may have come: it was woken, and not polled since.
    pub(crate) fn is_woken(self) -> bool {
        use Kind::{LostBetween, NotPolledAgain, Orphaned, PassedBy, WaitsForParent};
        matches!(
            self,
            PassedBy | LostBetween | Orphaned | NotPolledAgain | WaitsForParent
        )
    }

    /// Whether it is a reason why a run does not end, whatever else there is.
    fn explains_alone(self) -> bool {
        use Kind::{
            LostBetween, Orphaned, Panicked, PassedBy, WakeMissing, WakerDropped, WakerReplaced,
            WentOn,
        };
        matches!(
            self,
            Panicked
                | PassedBy
                | LostBetween
                | Orphaned
                | WakerDropped
                | WakerReplaced
                | WakeMissing
                | WentOn
        )
    }

    /// Whether the task is polled again and again, and so is not stuck.
    pub(crate) fn moves(self) -> bool {
        use Kind::{AtWork, BusyExecutor, BusyFuture};
        matches!(self, BusyExecutor | BusyFuture | AtWork)
    }
}

/// What is wrong with a task, and the other task that has to do with it.
#[derive(Clone, Debug)]
pub(crate) struct Diagnosis {
    pub(crate) kind: Kind,
    pub(crate) other: Option<Arc<Task>>,
}

impl From<Kind> for Diagnosis {
    fn from(kind: Kind) -> Self {
        Self { kind, other: None }
    }
}

impl Diagnosis {
    /// Compares two looks at one task. `None` if it is done: ready or dropped.
    pub(crate) fn of(looks: &Looks, all: &[Looks]) -> Option<Self> {
        let now = &looks.now;
        if let State::Panicked = now.state {
            let has_panicked = |other: &&Looks| matches!(other.now.state, State::Panicked);
            let mut inside = all.iter().filter(|other| other.is_polled_by(looks));
            return Some(match inside.find(has_panicked) {
                Some(child) => with(Kind::PanickedWithChild, &child.task),
                None => Kind::Panicked.into(),
            });
        }
        if looks.has_returned {
            return Some(Kind::Returned.into());
        }
        if now.dropped {
            return None;
        }
        if let State::Ready = now.state {
            return (now.polls_after_ready > 0).then(|| Kind::PolledAfterReady.into());
        }
        if looks.task.is_closure {
            return Some(Kind::Closure.into());
        }
        let Some(earlier) = &looks.earlier else {
            return Some(Kind::Young.into());
        };
        if now.own_polls() > earlier.own_polls() {
            return Some(moving(earlier, now).into());
        }
        let found = match &now.state {
            State::Polling(place) => inside_poll(place, looks, all),
            State::Pending => pending(looks, all),
            _ => Kind::NeverPolled.into(),
        };
        Some(found)
    }
}

/// Some of those that keep no waker may wait in `std::future::pending`, which keeps no promise because it makes none. Where anything else
/// explains the run, or it is not known to be what the run waits for, they do.
pub(crate) fn excuse(found: &mut [Option<Diagnosis>], all: &[Looks], is_explained: bool) {
    let is_explained = is_explained
        || found
            .iter()
            .flatten()
            .any(|found| found.kind.explains_alone());
    let (mut excused, mut others) = (Vec::new(), Vec::new());
    for (place, (looks, its)) in all.iter().zip(&*found).enumerate() {
        let kind = its.as_ref().map(|its| its.kind);
        let keeps_none = matches!(kind, Some(Kind::KeptNoWaker | Kind::DroppedInPoll));
        if keeps_none && looks.task.types.may_be_pending_on_purpose() {
            excused.push(place);
        } else if its.is_some() && !looks.is_shared {
            others.push(looks);
        }
    }
    for place in excused {
        let looks = &all[place];
        let root = root(looks, all);
        // A task that is joined, and of which no more is known, may be this one.
        let is_beside = others
            .iter()
            .any(|other| self::root(other, all) != root && !joins_unknown(other));
        let is_joined = others
            .iter()
            .any(|other| other.waits.len() == 1 && other.waits_for_the_end_of(&looks.task));
        // What polls it waits for something else too.
        let is_inside = others.iter().any(|other| looks.is_polled_by(other));
        let is_awaited = !looks::is_not_awaited(looks, all);
        let is_forever = is_explained || is_inside || !is_joined && (is_beside || !is_awaited);
        if let Some(its) = &mut found[place] {
            its.kind = match its.kind {
                _ if is_forever => Kind::Forever,
                Kind::KeptNoWaker => Kind::NoneKeptInside,
                kind => kind,
            };
        }
    }
}

/// Whether it waits for the end of a task, and nobody knows of which.
fn joins_unknown(looks: &Looks) -> bool {
    looks.waits.is_empty() && reach::joins(&looks.task.poke.awaits())
}

/// The outermost of those that poll it.
fn root<'a>(looks: &'a Looks, all: &'a [Looks]) -> *const Task {
    let mut outermost = looks;
    // One that was moved may once have been polled by what it polls now.
    for _ in all {
        let parent = outermost.now.parent.as_ref();
        let Some(outer) = parent.and_then(|parent| looks::at(&parent.task, all)) else {
            break;
        };
        outermost = outer;
    }
    Arc::as_ptr(&outermost.task)
}

fn with(kind: Kind, other: &Arc<Task>) -> Diagnosis {
    let other = Some(other.clone());
    Diagnosis { kind, other }
}

fn moving(earlier: &Facts, now: &Facts) -> Kind {
    let polls = now.own_polls() - earlier.own_polls();
    let most = |those: usize| those >= MANY && those * 2 > polls;
    if most(now.unprompted - earlier.unprompted) {
        Kind::BusyExecutor
    } else if most(now.self_prompted - earlier.self_prompted) {
        Kind::BusyFuture
    } else {
        Kind::AtWork
    }
}

/// The watched futures that its latest poll has polled, and of which the state is this.
fn children<'a>(
    of: &'a Looks,
    all: &'a [Looks],
    is: fn(&State) -> bool,
) -> impl Iterator<Item = &'a Looks> {
    all.iter()
        .filter(move |looks| looks.is_polled_by(of) && !looks.now.dropped && is(&looks.now.state))
}

fn inside_poll(place: &Place, looks: &Looks, all: &[Looks]) -> Diagnosis {
    if let Some(wait) = &looks.lock {
        if let Some(holder) = wait.holder.task_that_waits() {
            return with(Kind::LockAcrossAwait, holder);
        }
        return if wait.holder.place.id == place.id {
            Kind::LockTwice.into()
        } else {
            Kind::LockHeld.into()
        };
    }
    // A set has wakers of its own, too, but nothing polls what is in there while this poll is somewhere else. An executor inside of it does.
    let is_by_executor = |child: &&Looks| {
        let parent = child.now.parent.as_ref();
        parent.is_some_and(|parent| !parent.lends) && child.task.poke.answer().is_some()
    };
    let mut pending = children(looks, all, |state| matches!(state, State::Pending));
    if let Some(inner) = pending.find(is_by_executor) {
        return with(Kind::ExecutorInside, &inner.task);
    }
    let mut polled = children(looks, all, |state| matches!(state, State::Polling(_)));
    match polled.next() {
        Some(inner) => with(Kind::WaitsForChild, &inner.task),
        None if looks.panic.is_some() => Kind::Panicking.into(),
        None => Kind::Blocked.into(),
    }
}

fn pending(looks: &Looks, all: &[Looks]) -> Diagnosis {
    let now = &looks.now;
    if now.wakes_of_latest > 0 {
        return woken(looks, all);
    }
    if now.wakes_of_old > 0 {
        return Kind::OldWoken.into();
    }
    if now.alive_of_latest() > 0 {
        let is_childs = now.alive() == now.alive_in_children;
        let mut waiting = children(looks, all, |state| matches!(state, State::Pending));
        return match waiting.next() {
            Some(child) if is_childs => with(Kind::WaitsForChild, &child.task),
            _ => not_woken(looks, all),
        };
    }
    match &now.released {
        Some(Actor::PollOf(other)) => with(Kind::WakerReplaced, other),
        Some(_) => Kind::WakerDropped.into(),
        None if now.kept_of_latest > 0 => Kind::DroppedInPoll.into(),
        None if now.alive() > 0 => Kind::OldKept.into(),
        None => Kind::KeptNoWaker.into(),
    }
}

fn not_woken(looks: &Looks, all: &[Looks]) -> Diagnosis {
    if let Some(known) = &looks.now.parent {
        let parent = looks::at(&known.task, all);
        let is_inside = parent.is_some_and(|parent| {
            matches!(parent.now.state, State::Polling(_)) && parent.now.polls == known.polls
        });
        if is_inside {
            return with(Kind::InPoll, &known.task);
        }
    }
    let awaits = looks.task.poke.awaits();
    match looks.task.poke.answer() {
        // It was woken after the second look.
        Some(answer) if answer.wakes > looks.now.wakes => Kind::AtWork.into(),
        Some(answer) if answer.is_ready => Kind::WakeMissing.into(),
        Some(answer) if answer.goes_on || reach::gives_way(&awaits) => Kind::WentOn.into(),
        Some(_) if looks.task.poke.sought().is_some() => Kind::NotRead.into(),
        Some(_) if !reach::is_sure(&awaits) => Kind::NotReached.into(),
        Some(_) => Kind::Waits.into(),
        None => Kind::NotWoken.into(),
    }
}

/// Of a task that was woken and not polled since: who did not poll it.
fn woken(looks: &Looks, all: &[Looks]) -> Diagnosis {
    let Some(latest) = &looks.now.parent else {
        return Kind::NotPolledAgain.into();
    };
    let other = &latest.task;
    let parent = looks::at(other, all);
    let Some(Looks { now, .. }) = parent.filter(|parent| !parent.now.dropped) else {
        return with(Kind::Orphaned, other);
    };
    match now.state {
        State::Ready | State::Panicked => with(Kind::Orphaned, other),
        // What keeps the parent keeps this one too.
        State::Pending if now.wakes_of_latest > 0 => with(Kind::WaitsForParent, other),
        State::Polling(_) => with(Kind::WaitsForParent, other),
        _ if now.polls > latest.polls => with(Kind::PassedBy, other),
        _ if !latest.lends => with(Kind::LostBetween, other),
        _ => Kind::NotPolledAgain.into(),
    }
}
