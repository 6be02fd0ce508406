//! For what a task waits, and who could end that.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    judge::MANY,
    see::{
        facts::{Has, Use},
        place::Line,
        resource::{self, Inner, Resource, ResourceKind, Uses},
        task::Task,
    },
};

/// So many of those who have one thing are named.
pub(crate) const NAMED: usize = 10;

/// For what a task waits, and those of whom one could end that.
pub(crate) struct WaitsFor {
    pub(crate) what: Arc<Inner>,
    pub(crate) wait: Use,
    /// How many there are of it, if they are counted.
    total: Option<usize>,
    /// What is said of it before these.
    pub(crate) known: Vec<Known>,
    /// And those who have lost some.
    pub(crate) holders: Vec<Use>,
    /// Of a sender that nobody has used: the message with which it may have gone.
    pub(crate) message: Option<Message>,
    /// Who else is at the barrier. Of all else: who waits first, if that is another one.
    others: Vec<Use>,
}

/// A message that was sent by who made the sender of a reply, and after that.
pub(crate) struct Message {
    pub(crate) by: Arc<Task>,
    pub(crate) at: Line,
    to: Arc<Inner>,
    /// Who has the receiver of its channel.
    pub(crate) receivers: Vec<Use>,
}

impl Message {
    /// Only who waits for the answer has sent its other end away. Who was given this end has not.
    fn with_reply(holders: &[Use], waiter: &Arc<Task>) -> Option<Message> {
        let [maker] = holders else {
            return None;
        };
        let is_for_a_reply = maker.has == Has::NotUsedYet && maker.is_of(waiter);
        let by = maker.task().filter(|_| is_for_a_reply)?;
        let sent = by.sent_last().filter(|sent| sent.poll >= maker.poll)?;
        let to = sent.to.upgrade()?;
        let receivers: Vec<_> = to
            .uses()
            .all
            .values()
            .filter(|user| user.has.is_hold())
            .cloned()
            .collect();
        Some(Message {
            by: by.clone(),
            at: sent.at,
            to,
            receivers,
        })
    }

    /// Where its channel was made.
    pub(crate) fn channel(&self) -> Line {
        self.to.made
    }
}

/// What is known of something for which a task waits, apart from who has it.
pub(crate) enum Known {
    /// Permits of which there were none in the beginning, and none came.
    NonePermitted,
    Permits {
        all: usize,
        free: usize,
        /// For whom those that are free are kept.
        kept_for: Option<First>,
    },
    Barrier {
        total: usize,
        come: usize,
        /// How many of those have come in a wait that was dropped.
        dropped: usize,
        /// Whether the one that waits is the only one that has come.
        alone: bool,
    },
    TaskNotWatched,
    NeverNotified,
    WhoNotifies,
    /// Of senders: this one was used last, and dropped.
    Gone(Use),
    /// It is over, and was not polled since: so many messages are there, or all who had the other end are gone.
    Over {
        messages: usize,
        all_gone: bool,
    },
    /// Who got the last notification.
    Notified(Use),
    KeptFor(First),
    /// Of a place in a channel: who gets one before.
    Behind(First),
    Nobody,
}

/// Who waits for something before the one in question.
pub(crate) enum First {
    Another,
    /// The same task, at another place.
    Itself {
        at: Line,
        /// Whether it still polls that wait.
        is_polled: bool,
    },
}

/// For which resources a task waits now, or asks again and again although it is gone.
pub(crate) fn of(task: &Arc<Task>, polls: usize) -> Vec<WaitsFor> {
    let all = resource::all().into_iter();
    all.filter_map(|what| wait_for(what, task, polls)).collect()
}

fn wait_for(what: Arc<Inner>, task: &Arc<Task>, polls: usize) -> Option<WaitsFor> {
    let uses = what.uses();
    let waiters = || uses.all.values().filter(|user| !user.has.is_hold());
    let asks_in_vain = |user: &&Use| user.has == Has::InVain && user.many >= MANY;
    let in_vain = uses.lost.values().filter(asks_in_vain);
    let wait = waiters()
        .chain(in_vain)
        .rfind(|user| user.waits_in(task, polls))?;
    let users = uses.all.values().chain(uses.lost.values());
    let has_some = |user: &&Use| user.has.is_hold() && user.many > 0;
    let holders: Vec<_> = users.filter(has_some).cloned().collect();
    let is_another = |user: &&Use| !std::ptr::eq(*user, wait);
    let first = waiters().next().filter(is_another).map(|user| {
        if user.is_of(task) {
            First::Itself {
                at: user.at,
                is_polled: user.waits_in(task, polls),
            }
        } else {
            First::Another
        }
    });
    let is_a_barrier = what.kind == ResourceKind::Barrier;
    let others = waiters().take(if is_a_barrier { NAMED } else { 1 });
    let others = others.filter(|user| !user.is_of(task));
    let mut waits = WaitsFor {
        what: what.clone(),
        wait: wait.clone(),
        total: uses.total,
        known: Vec::new(),
        message: None,
        others: others.cloned().collect(),
        holders,
    };
    let is_used = |holder: &Use| holder.has != Has::NotUsedYet;
    let all_gone = waits.holders.is_empty();
    let messages = what.messages();
    match (what.kind, uses.total) {
        (ResourceKind::Sender | ResourceKind::Receiver, _) if all_gone || messages > 0 => {
            waits.blame_nobody(messages, all_gone);
            waits.known.extend(uses.gone.clone().map(Known::Gone));
        }
        (ResourceKind::Sender, _) if !waits.holders.iter().any(is_used) => {
            waits.known.extend(uses.gone.clone().map(Known::Gone));
        }
        (ResourceKind::Notification, _) if !all_gone => {
            waits.known.extend(uses.gone.clone().map(Known::Notified));
        }
        (ResourceKind::Receiver, _) => {
            let is_own = |first: &First| matches!(first, First::Itself { .. });
            waits.known.extend(first.filter(is_own).map(Known::Behind));
        }
        (ResourceKind::Permits, Some(made)) => waits.count_permits(made, &uses, first),
        (ResourceKind::Barrier, Some(total)) => {
            let came_last = uses.gone.as_ref().is_some_and(|last| last.is_of(task));
            waits.count_who_came(total, uses.come, waiters().count(), came_last);
        }
        (kind, _) if waits.holders.is_empty() => waits.known.push(match (kind, first) {
            (ResourceKind::Tasks, _) => Known::TaskNotWatched,
            (ResourceKind::Notification, _) if what.is_counted() => Known::NeverNotified,
            (ResourceKind::Notification, _) => Known::WhoNotifies,
            (ResourceKind::Lock, Some(first)) => Known::KeptFor(first),
            _ => Known::Nobody,
        }),
        _ => {}
    }
    drop(uses);
    if what.kind == ResourceKind::Sender {
        waits.message = Message::with_reply(&waits.holders, task);
    }
    Some(waits)
}

impl WaitsFor {
    /// That of one who waits for the end of this task.
    pub(crate) fn end_of(task: &Arc<Task>, wait: Use) -> WaitsFor {
        WaitsFor {
            what: Resource::new_at(ResourceKind::Tasks, task.made).0,
            wait,
            total: None,
            known: Vec::new(),
            message: None,
            holders: vec![Use::of(task)],
            others: Vec::new(),
        }
    }

    /// Then nobody is to blame who has the other end.
    fn blame_nobody(&mut self, messages: usize, all_gone: bool) {
        self.known.push(Known::Over { messages, all_gone });
        self.holders.clear();
        self.others.clear();
    }

    fn count_permits(&mut self, made: usize, uses: &Uses, first: Option<First>) {
        let is_unwatched = |holder: &Use| holder.has == Has::Unwatched;
        if self.holders.iter().any(is_unwatched) {
            // Some may be taken there.
            self.total = Some(usize::MAX);
        } else if made == 0 && uses.come == 0 {
            self.known.push(Known::NonePermitted);
        } else {
            let all = made + uses.come;
            let gone = self.holders.iter().map(|holder| holder.many).sum();
            self.known.push(Known::Permits {
                all,
                free: all.saturating_sub(gone),
                kept_for: first,
            });
            // Who adds some once may do it again.
            let is_fixed = uses.come == 0 && uses.lost.is_empty();
            self.total = Some(if is_fixed { made } else { usize::MAX });
        }
        if self.holders.is_empty() {
            self.known.push(Known::Nobody);
        }
    }

    /// `came_last`: whether the last that came is the one that waits.
    fn count_who_came(&mut self, total: usize, ever: usize, there: usize, came_last: bool) {
        let come = ever % total;
        let dropped = come.saturating_sub(there);
        let alone = come == 1 && came_last && self.what.is_counted();
        self.known.push(Known::Barrier {
            total,
            come,
            dropped,
            alone,
        });
    }

    /// Then one who waits before it may be the reason: a writer between two readers.
    fn has_the_lock(&self) -> bool {
        let Some(task) = self.wait.task() else {
            return false;
        };
        self.what.kind == ResourceKind::Lock && self.holders.iter().any(|holder| holder.is_of(task))
    }

    /// Who has what it waits for, or else has come before.
    pub(crate) fn those(&self) -> impl Iterator<Item = &Use> {
        let is_before =
            self.holders.is_empty() || self.has_the_lock() || self.is_kept_for().is_some();
        let others = self.others.iter().filter(move |_| is_before);
        self.holders.iter().chain(others)
    }

    /// The same, and who may have the message in which it is.
    pub(crate) fn those_near(&self) -> impl Iterator<Item = &Use> {
        let receivers = self.message.iter().flat_map(|message| &message.receivers);
        self.those().chain(receivers)
    }

    pub(crate) fn is_for_the_end_of(&self, task: &Arc<Task>) -> bool {
        let is_end = self.what.kind == ResourceKind::Tasks;
        is_end && self.holders.iter().any(|holder| holder.is_of(task))
    }

    /// Whether it is for a notification that nobody has sent so far.
    pub(crate) fn is_never_notified(&self) -> bool {
        let is_certain = self.wait.has == Has::Waits;
        is_certain && matches!(self.known[..], [Known::NeverNotified])
    }

    pub(crate) fn is_in_vain(&self) -> bool {
        self.wait.has == Has::InVain
    }

    /// Whether one waits at one end of a channel, or for the answer to a message in there, and the other at the other end.
    pub(crate) fn is_other_end(&self, other: &WaitsFor) -> bool {
        let waits_for = match &self.message {
            Some(message) => &message.to,
            None => &self.what,
        };
        let kinds = (waits_for.kind, other.what.kind);
        let is_other_end = kinds == (ResourceKind::Receiver, ResourceKind::Sender);
        is_other_end && waits_for.is_of_channel(&other.what)
    }

    /// Who comes before, if enough permits are free and wait for nobody else: they are given in the order in which they were asked for.
    fn is_kept_for(&self) -> Option<&Arc<Task>> {
        let is_enough = |known: &Known| match known {
            Known::Permits { free, kept_for, .. } => kept_for.is_some() && *free >= self.wait.many,
            _ => false,
        };
        let first = self.others.first()?;
        let is_first = first.has == Has::Waits && self.known.iter().any(is_enough);
        first.task().filter(|_| is_first)
    }

    /// Whom of those that are `stuck` it needs, if all that others may give back is not enough, and how sure that is. The `waiter` is
    /// `alone` if it waits for nothing else.
    pub(crate) fn needs(
        &self,
        waiter: usize,
        alone: bool,
        stuck: impl Fn(&Arc<Task>) -> Option<usize>,
    ) -> Option<Need> {
        let is_counted = self.total.is_some();
        let alone = alone && self.wait.has == Has::Waits;
        if let (true, Some(keeper)) = (alone, self.is_kept_for().and_then(&stuck)) {
            return Some(Need {
                keepers: BTreeSet::from([keeper]),
                doubt: Doubt::Freed,
            });
        }
        let was_given_it = |other: &Use| {
            let task = other.task();
            task.is_some_and(|task| task.facts().wakes_of_latest > 0)
        };
        let is_before = |other: &&Use| self.has_the_lock() || !is_counted && was_given_it(other);
        let given = self.others.iter().filter(is_before);
        let have: Vec<_> = match &self.message {
            Some(message) => message.receivers.iter().collect(),
            None => self.holders.iter().chain(given).collect(),
        };
        let (mut keepers, mut many) = (BTreeSet::new(), 0);
        for user in &have {
            let Some(keeper) = user.task().and_then(&stuck) else {
                continue;
            };
            // Another part of the waiter may have it. And a loop that takes one in each turn gives them to others.
            let is_elsewhere = !alone || is_counted && user.at == self.wait.at;
            if user.has.is_certain() && (keeper != waiter || !is_elsewhere) {
                keepers.insert(keeper);
                many += user.many;
            }
        }
        let is_enough = self.wait.many + many <= self.total.unwrap_or(have.len());
        let is_sure = alone && self.holders.iter().all(|holder| holder.has == Has::Now);
        let is_stuck = many > 0 && !is_enough && (alone || !is_counted);
        let doubt = match self.what.kind {
            _ if !is_sure => Doubt::Given,
            ResourceKind::Tasks => Doubt::None,
            _ => Doubt::Freed,
        };
        is_stuck.then_some(Need { keepers, doubt })
    }
}

/// Those whom a task needs to go on, by their places in the list, and the doubt about that.
pub(crate) struct Need {
    pub(crate) keepers: BTreeSet<usize>,
    pub(crate) doubt: Doubt,
}

/// Who waits for the same has the same.
pub(crate) fn keys(waits: &[WaitsFor]) -> impl Iterator<Item = (ResourceKind, Line, Line)> {
    waits
        .iter()
        .map(|waits| (waits.what.kind, waits.what.made, waits.wait.at))
}

/// When a cycle is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    None,
    /// A guard of a lock that lives forever was given away, or permits will be added.
    Freed,
    Given,
}
