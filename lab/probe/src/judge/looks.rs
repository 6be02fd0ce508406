//! Two looks at each task. What was polled in between is not stuck.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use crate::{
    judge::waits::{self, WaitsFor},
    see::{
        facts::{Facts, State},
        holders::{self, Wait},
        lock::own,
        panics::{self, Panic},
        place,
        poke::Ask,
        roll::{List, Roll},
        stack::Stack,
        task::Task,
    },
};

/// What is judged, by which function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The closure of a `within`, with what nobody else claims.
    Closure,
    /// The future of a `within_async`.
    Future,
    /// All that a `report` sees.
    Everything,
}

impl Subject {
    /// Whether the task may be none of this subject, but of another.
    fn shares(self, task: &Task) -> bool {
        match self {
            // What nobody claims is on the roll of each closure, and on that of the rest.
            Subject::Closure => task.rolls() > 2,
            Subject::Future => task.rolls() > 1,
            Subject::Everything => false,
        }
    }
}

/// Two looks at one task.
pub(crate) struct Looks {
    pub(crate) number: usize,
    pub(crate) task: Arc<Task>,
    /// `None`: it was made, or first polled here, after the first look.
    pub(crate) earlier: Option<Facts>,
    pub(crate) now: Facts,
    /// For which its thread waits, inside its poll.
    pub(crate) lock: Option<Wait>,
    /// By the third look: the panic that goes on inside its poll, or that this poll has returned.
    pub(crate) panic: Option<Panic>,
    pub(crate) has_returned: bool,
    /// For what it waits, if it is stuck.
    pub(crate) waits: Vec<WaitsFor>,
    /// Whether it may be none of this subject, but of another.
    pub(crate) is_shared: bool,
    /// How many waits are between it and what the caller awaits.
    pub(crate) far: usize,
}

/// The first look.
pub(crate) struct Look {
    pub(crate) list: List,
    pub(crate) used: Duration,
    facts: BTreeMap<usize, Facts>,
}

impl Look {
    /// From now on, what is polled is seen where it waits. Not what may be of another subject.
    pub(crate) fn at(roll: &Roll, subject: Subject) -> Look {
        let list = roll.list();
        let mut facts = BTreeMap::new();
        for (number, task) in &list.tasks {
            if !subject.shares(task) {
                task.poke.ask(Ask::Each);
            }
            facts.insert(*number, task.facts());
        }
        let used = place::used();
        Look { list, used, facts }
    }

    /// The second look is at what there is now.
    pub(crate) fn compare(&self, now: &List, subject: Subject) -> Vec<Looks> {
        let looks = now.tasks.iter().map(|&(number, ref task)| {
            let now = task.facts();
            let lock = match &now.state {
                State::Polling(place) => holders::wait_of(place.id),
                _ => None,
            };
            Looks {
                number,
                task: task.clone(),
                earlier: self.facts.get(&number).cloned(),
                now,
                lock,
                panic: None,
                has_returned: false,
                waits: Vec::new(),
                is_shared: subject.shares(task),
                far: usize::MAX,
            }
        });
        looks.collect()
    }
}

impl Looks {
    /// Whether it was polled between the two looks, and goes on.
    fn moves(&self) -> bool {
        let is_over = self.now.dropped || matches!(self.now.state, State::Ready | State::Panicked);
        let earlier = self.earlier.as_ref();
        !is_over && earlier.is_some_and(|earlier| earlier.own_polls() < self.now.own_polls())
    }

    /// Whether it has been pending all the time, or on a thread of its own.
    pub(crate) fn is_stuck(&self) -> bool {
        let has_moved = self.moves() || self.earlier.is_none();
        let may_wait = match self.now.state {
            State::Pending => true,
            State::Polling(_) => self.task.is_closure,
            _ => false,
        };
        !has_moved && !self.has_returned && !self.now.dropped && may_wait
    }

    /// Whether its thread has been inside of one poll, or of its closure, all the time.
    pub(crate) fn is_inside(&self) -> bool {
        let earlier = self.earlier.as_ref().map(|earlier| earlier.polls);
        matches!(self.now.state, State::Polling(_)) && earlier == Some(self.now.polls)
    }

    /// The same at this moment. What its thread does is what that poll does, if it was so before and after.
    pub(crate) fn is_still_inside(&self) -> bool {
        let latest = self.task.facts();
        self.is_inside()
            && matches!(latest.state, State::Polling(_))
            && latest.polls == self.now.polls
    }

    /// Where its thread sleeps inside of that poll. One whose poll has returned meanwhile sleeps in another one, or in its executor.
    pub(crate) fn stack(&self) -> Option<Stack> {
        match &self.now.state {
            State::Polling(place) if self.is_inside() => Stack::of(place),
            _ => None,
        }
        .filter(|_| self.is_still_inside())
    }

    /// Whether the latest poll of the other one has polled it.
    pub(crate) fn is_polled_by(&self, other: &Looks) -> bool {
        let parent = self.now.parent.as_ref();
        parent.is_some_and(|parent| {
            parent.polls == other.now.polls && Arc::ptr_eq(&parent.task, &other.task)
        })
    }

    /// Whether the other one polls it or waits for its end, or does so with one that polls it.
    pub(crate) fn is_needed_by(&self, other: &Looks, all: &[Looks]) -> bool {
        let mut inner = self;
        // One that was moved may once have been polled by what it polls now.
        for _ in all {
            if inner.is_polled_by(other) || other.waits_for_the_end_of(&inner.task) {
                return true;
            }
            let mut outer = all.iter().filter(|outer| inner.is_polled_by(outer));
            match outer.next() {
                Some(outer) => inner = outer,
                None => break,
            }
        }
        false
    }

    pub(crate) fn waits_for_the_end_of(&self, task: &Arc<Task>) -> bool {
        let mut waits = self.waits.iter();
        waits.any(|waits| waits.is_for_the_end_of(task))
    }

    /// A third look, at what was pending in both, or inside of a poll. While some tasks of a run go on by themselves, others may get
    /// what they waited for before the message is written. In a run that stands still, only the watchdog's own poll could have moved
    /// them.
    pub(crate) fn look_again(all: &mut [Looks]) {
        let is_poll = |looks: &&mut Looks| looks.is_inside() && !looks.task.is_closure;
        for looks in all.iter_mut().filter(is_poll) {
            let State::Polling(place) = &looks.now.state else {
                continue;
            };
            looks.panic = panics::going_on(&looks.task, place.id);
            if !looks.is_still_inside() {
                looks.has_returned = true;
                looks.now = looks.task.facts();
            }
        }
        if !all.iter().any(|looks| looks.moves() || looks.has_returned) {
            return;
        }
        for looks in all.iter_mut().filter(|looks| looks.is_stuck()) {
            let latest = looks.task.facts();
            if latest.own_polls() > looks.now.own_polls() {
                looks.now = latest;
            }
        }
    }

    /// For what each waits in its latest poll, which may be that of the watchdog.
    pub(crate) fn ask_who(all: &mut [Looks]) {
        let mut joins = Vec::new();
        for task in all.iter().map(|looks| &looks.task) {
            if let Some(joiner) = own(&task.joiner).clone() {
                joins.push((task.clone(), joiner));
            }
        }
        for looks in all {
            let moves = looks.moves();
            let polls = match looks.task.poke.answer() {
                None if !moves => looks.now.polls,
                _ => looks.task.polls(),
            };
            looks.waits = waits::of(&looks.task, polls);
            if !moves && !looks.is_stuck() && !looks.is_inside() {
                looks.waits.retain(WaitsFor::is_in_vain);
                continue;
            }
            for (task, joiner) in &joins {
                if joiner.waits_in(&looks.task, polls) {
                    looks.waits.push(WaitsFor::end_of(task, joiner.clone()));
                }
            }
        }
    }
}

/// The one of these that are looks at this task.
pub(crate) fn at<'a>(task: &Arc<Task>, all: &'a [Looks]) -> Option<&'a Looks> {
    all.iter().find(|looks| Arc::ptr_eq(task, &looks.task))
}

/// Whether it is known what the caller awaits, and that this is something else.
pub(crate) fn is_not_awaited(looks: &Looks, all: &[Looks]) -> bool {
    looks.far > 0 && all.iter().any(|other| other.far == 0)
}

#[cfg(test)]
#[path = "../../tests/inside/looks.rs"]
mod tests;
