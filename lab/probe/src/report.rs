//! The message of the watchdog.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use crate::{
    circle,
    diagnosis::{Diagnosis, Kind},
    facts::{Facts, State},
    layout::{count, section, times},
    mutex::{self, Wait, own},
    patient::Patient,
    place::{self, Place},
    poke::Ask,
    resource::{self, Here, WaitsFor, place},
    task::{GivenUp, List, Roll, Task},
    trace,
};

/// What the watchdog knows when it speaks.
pub(crate) struct Report<'a> {
    /// The limit, and when it was up. `None`: it was asked for.
    pub(crate) limit: Option<(Duration, Duration)>,
    /// Where the closure runs.
    pub(crate) caller: &'a Place,
    pub(crate) tasks: &'a [Looks],
    /// At the two looks.
    pub(crate) lists: [&'a List; 2],
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
    /// For what it waits, if it is stuck.
    pub(crate) waits: Vec<WaitsFor>,
    /// Whether it may be none of this `within`, but of another.
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
    /// From now on, what is polled is seen where it waits. Not what is on more than `most` rolls.
    pub(crate) fn at(roll: &Roll, most: usize) -> Look {
        let list = roll.list();
        let facts = list.tasks.iter().map(|(number, task)| {
            if task.rolls() <= most {
                task.poke.ask(Ask::Where);
            }
            (*number, task.facts())
        });
        let facts = facts.collect();
        let used = place::used();
        Look { list, used, facts }
    }

    /// The second look is at what there is now.
    pub(crate) fn compare(&self, now: &List, most: usize) -> Vec<Looks> {
        let looks = now.tasks.iter().map(|&(number, ref task)| {
            let mut looks = Looks {
                number,
                task: task.clone(),
                earlier: self.facts.get(&number).cloned(),
                now: task.facts(),
                lock: None,
                waits: Vec::new(),
                is_shared: task.rolls() > most,
                far: usize::MAX,
            };
            if let State::Polling(place) = &looks.now.state {
                looks.lock = mutex::wait_of(place.id);
            }
            looks
        });
        looks.collect()
    }
}

impl Looks {
    /// Whether it has been pending all the time, or on a thread of its own.
    pub(crate) fn is_stuck(&self) -> bool {
        let earlier = self.earlier.as_ref();
        let moved = earlier.is_none_or(|it| it.polls < self.now.polls);
        let may_wait = match self.now.state {
            State::Pending => true,
            State::Polling(_) => self.task.is_closure,
            _ => false,
        };
        !moved && !self.now.dropped && may_wait
    }

    /// For what each waits in its latest poll, which may be that of the watchdog.
    pub(crate) fn ask_who(all: &mut [Looks]) {
        let joins = all.iter().map(|it| &it.task);
        let joins = joins.filter_map(|it| Some((own(&it.joiner).clone()?, it.clone())));
        let joins: Vec<_> = joins.collect();
        for it in all {
            let polls = it.task.poke.ready();
            let polls = polls.map_or(it.now.polls, |_| it.task.polls());
            it.waits = resource::of(&it.task, polls);
            if !it.is_stuck() {
                it.waits.retain(WaitsFor::is_in_vain);
                continue;
            }
            let joins = joins.iter();
            let joins = joins.filter(|join| join.0.waits_in(&it.task, polls));
            let ends = joins.map(|join| WaitsFor::end_of(&join.1, join.0.clone()));
            it.waits.extend(ends);
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("task {} {:?}", self.number, self.task.name())
    }
}

/// What a task is called in a sentence: its name, and its number too if the name is a line's, of which there may be many.
pub(crate) fn called(task: &Arc<Task>, all: &[Looks]) -> String {
    let known = all.iter().find(|it| Arc::ptr_eq(task, &it.task));
    let known = known.filter(|_| task.given.is_none());
    known.map_or_else(|| format!("{:?}", task.name()), Looks::title)
}

/// So many tasks are explained in full. Thousands may hang for one reason.
const EXPLAINED: usize = 3;
/// So many more are named, and so many of those who have one thing.
pub(crate) const NAMED: usize = 10;
/// From so often on, futures that are dropped before they are ready are worth a message.
const OFTEN: usize = 3;

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let tasks = self.tasks.iter();
        let diagnoses: Vec<_> = tasks.map(|it| Diagnosis::of(it, self.tasks)).collect();
        let circle = circle::of(self.tasks, &diagnoses);
        let (explained, mut others) = self.patients(diagnoses);
        let given_up = self.given_up();
        let is_closure = |it: &Patient<'_>| it.looks.task.is_closure;
        let is_one_to_blame = !explained.is_empty() || !others.iter().all(is_closure);
        let mut text = match self.lock_outside_poll() {
            Some(text) => text,
            None if is_one_to_blame || !given_up.is_empty() => String::new(),
            None if others.is_empty() => self.nobody_to_blame(),
            None => {
                let closures = also(&others.split_off(0)).replacen("also ", "", 1);
                closures + "apart from that, " + &self.nobody_to_blame()
            }
        };
        text += &circle.unwrap_or_default();
        let moves = explained.partition_point(|it| it.diagnosis.kind < Kind::BusyExecutor);
        let (stuck, moves) = explained.split_at(moves);
        stuck.iter().for_each(|patient| text += &patient.explain());
        text += &given_up;
        moves.iter().for_each(|patient| text += &patient.explain());
        text + &also(&others) + &self.end()
    }

    /// Those that are explained, and those that are only named.
    fn patients(&self, found: Vec<Option<Diagnosis>>) -> (Vec<Patient<'_>>, Vec<Patient<'_>>) {
        let mut patients: Vec<Patient<'_>> = Vec::new();
        let found = self.tasks.iter().zip(found);
        let mut found: Vec<_> = found.filter_map(|it| Some((it.0, it.1?))).collect();
        found.sort_by_key(|it| it.0.far);
        for (looks, diagnosis) in found {
            let patient = Patient {
                looks,
                all: self.tasks,
                diagnosis,
                awaits: looks.task.poke.awaits(),
                likewise: Vec::new(),
            };
            let like = patients.iter_mut().filter(|it| it.is_like(&patient));
            match like.max_by_key(|it| it.likewise.len()) {
                Some(like) => like.likewise.push(looks),
                None => patients.push(patient),
            }
        }
        // A thread that is stuck is reason enough why others wait for a poll.
        let stuck = patients.iter().any(|it| it.diagnosis.kind <= Kind::Blocked);
        let named_only = |patient: &Patient<'_>| {
            use Kind::{NeverPolled, NotPolledAgain, NotWoken};
            let kind = patient.diagnosis.kind;
            let needs_a_thread = matches!(kind, NotPolledAgain | NeverPolled | NotWoken);
            kind >= Kind::WaitsForChild || patient.looks.is_shared || stuck && needs_a_thread
        };
        // The odd one out before what many have in common: of a server, that is to be idle.
        patients.sort_by_key(|patient| {
            let (kind, far) = (patient.diagnosis.kind, patient.looks.far);
            (named_only(patient), kind, far, patient.likewise.len())
        });
        let explained = patients.partition_point(|it| !named_only(it));
        let others = patients.split_off(explained.min(EXPLAINED));
        (patients, others)
    }

    /// What is made and dropped before it is ready, again and again, and so between the two looks.
    fn given_up(&self) -> String {
        let [earlier, now] = self.lists.map(|it| &it.given_up);
        let mut text = String::new();
        for (made, it) in now {
            let since = it.times - earlier.get(made).map_or(0, |it| it.times);
            if it.times < OFTEN || since == 0 {
                continue;
            }
            let parent = it.parent.as_ref().map(|it| called(it, self.tasks));
            let parent = parent.unwrap_or_else(|| "the program".to_owned());
            let (name, at) = (&it.name, place(made));
            let headline = format!(
                "{parent} makes {name:?} ({at}) again and again, and drops it before it is ready."
            );
            let (all, late) = (times(it.times), times(since));
            let seen =
                format!("dropped unready {all}, of that {late} in the last quarter of a second");
            let paragraphs = [vec![("seen", seen)], Kind::GivenUp.words().advice()].concat();
            text += &section(&headline, &paragraphs);
        }
        text
    }

    /// Inside a poll, the message of the task says it.
    fn lock_outside_poll(&self) -> Option<String> {
        let Place { id, name, .. } = self.caller;
        let is_on = |it: &Looks| matches!(&it.now.state, State::Polling(on) if on.id == *id);
        let wait = mutex::wait_of(*id)?;
        if wait.holder.place.id != *id || self.tasks.iter().any(is_on) {
            return None;
        }
        let advice = Kind::LockTwice.words().advice();
        let paragraphs = [vec![("lock", wait.text())], advice].concat();
        let headline = format!("{name} waits outside any poll for a lock that it already holds.");
        Some(section(&headline, &paragraphs))
    }

    fn nobody_to_blame(&self) -> String {
        if self.limit.is_none() {
            return "no future is stuck that is watched here, outside of every other within.\n\n"
                .to_owned();
        }
        if self.lists[1].made == 0 {
            let advice = "the futures of this test. Wrap each of them as probe::watch(\"its name\", future).";
            let first =
                "no future is watched, so the watchdog cannot tell which one did not finish.";
            return section(first, &[("look at", advice.to_owned())]);
        }
        let wakers = self.tasks.iter().map(|looks| looks.now.alive()).sum();
        let words = Kind::NobodyLeft.words();
        let seen = format!("{} still kept", count(wakers, "waker"));
        let paragraphs = [vec![("seen", seen)], words.advice()].concat();
        section(words.first, &paragraphs)
    }

    fn end(&self) -> String {
        let mut text = String::new();
        if let Some((limit, took)) = self.limit {
            // What runs at this moment may sleep at the next.
            let doing = self.caller.doing().filter(|it| !it.starts_with("runs"));
            let doing = doing.unwrap_or("has not finished");
            let late = format!(" that a crowded machine made {took:.1?}");
            let late = Some(late).filter(|_| took >= 2 * limit).unwrap_or_default();
            let name = &self.caller.name;
            text = format!("Stopped after {limit:?}{late}: {name} {doing}.\n");
        }
        let list = self.lists[1];
        text += &format!("Watched: {}", count(list.made, "future"));
        let mut with = |gone: usize, is: fn(&Facts) -> bool, state: &str| {
            let number = gone + self.tasks.iter().filter(|it| is(&it.now)).count();
            if number > 0 {
                text += &format!(", {number} {state}");
            }
        };
        with(list.ready, |it| matches!(it.state, State::Ready), "ready");
        with(0, |it| matches!(it.state, State::Panicked), "panicked");
        let cancelled = list.made - list.tasks.len() - list.ready;
        with(cancelled, Facts::cancelled, "dropped before ready");
        let called = |(made, it): (&Here, &GivenUp)| match place(made) {
            at if at == it.name => at,
            at => format!("{:?} of {at}", it.name),
        };
        let given_up: Vec<_> = list.given_up.iter().take(NAMED).map(called).collect();
        if !given_up.is_empty() {
            text += &format!(": {}", given_up.join(", "));
        }
        text += ".\nWhat else can hang, and how to find it: \"My program hangs\", a page of the book Poll to Tokio.\n";
        if self.limit.is_some() {
            text += &trace::advice();
        }
        text
    }
}

fn also(others: &[Patient<'_>]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let named = others.iter().take(NAMED);
    let named: String = named.map(|it| format!("  {}\n", it.line())).collect();
    let mut text = format!("also not finished:\n{named}");
    if others.len() > NAMED {
        text += &format!("  and {} more\n", others.len() - NAMED);
    }
    text + "\n"
}
