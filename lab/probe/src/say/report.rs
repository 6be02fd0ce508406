//! The message of the watchdog.

use std::{collections::BTreeSet, env, sync::Arc, time::Duration};

use crate::{
    judge::{
        cycle::{self, Cycle},
        diagnosis::{self, Diagnosis, Kind},
        looks::Looks,
        waits::NAMED,
    },
    say::{
        book,
        layout::{count, section, times},
        names::{called, doing, line},
        pages,
        patient::{Patient, place},
        trace, waits,
        words::fill,
    },
    see::{
        facts::{Facts, Has, State, Use},
        frames::Await,
        holders,
        panics::Panic,
        place::{Doing, Place},
        roll::{FEW, List},
        task::{End, Task},
    },
};

/// What the watchdog knows when it speaks.
pub(crate) struct Report<'a> {
    pub(crate) occasion: Occasion,
    /// Where the closure runs.
    pub(crate) caller: &'a Place,
    pub(crate) tasks: &'a [Looks],
    /// At the two looks.
    pub(crate) lists: [&'a List; 2],
}

/// Why it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    Asked,
    TimeIsUp {
        limit: Duration,
        took: Duration,
    },
    /// What was awaited is over, and the drop of its runtime has taken so long since. After `ends` the process ends.
    RuntimeIsDropped {
        took: Duration,
        ends: Duration,
    },
}

/// So many tasks are explained in full. Thousands may hang for one reason.
const EXPLAINED: usize = 3;
/// From so often on, futures that are dropped before they are ready are worth a message.
const OFTEN: usize = 3;

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let diagnose = |looks: &Looks| Diagnosis::of(looks, self.tasks);
        let mut diagnoses: Vec<_> = self.tasks.iter().map(diagnose).collect();
        let cycle = cycle::smallest(self.tasks, &diagnoses);
        diagnosis::excuse(&mut diagnoses, self.tasks, cycle.is_some());
        let said = cycle.and_then(|cycle| self.cycle(&cycle, &diagnoses));
        let (cycle, in_cycle) = said.unwrap_or_default();
        let (explained, mut others) = self.patients(diagnoses);
        let given_up = self.given_up();
        let is_closure = |patient: &Patient<'_>| patient.looks.task.is_closure;
        let is_one_to_blame = !explained.is_empty() || !others.iter().all(is_closure);
        let mut text = match self.lock_outside_poll() {
            _ if matches!(self.occasion, Occasion::RuntimeIsDropped { .. }) => {
                runtime_is_dropped(&[])
            }
            Some(text) => text,
            None if is_one_to_blame || !given_up.is_empty() => String::new(),
            None if others.is_empty() => self.nobody_to_blame(),
            None => {
                let closures = also(&others.split_off(0)).replacen("also ", "", 1);
                closures + "apart from that, " + &self.nobody_to_blame()
            }
        };
        text += &cycle;
        if explained.first().is_some_and(needs_a_poll) {
            text += &self.goes_on();
        }
        let moves = |patient: &Patient<'_>| patient.diagnosis.kind.moves();
        let last = explained.iter().rposition(|patient| !moves(patient));
        let (before, after) = explained.split_at(last.map_or(0, |last| last + 1));
        let explain = |patient: &Patient<'_>| patient.explain(&in_cycle);
        before.iter().for_each(|patient| text += &explain(patient));
        text += &given_up;
        after.iter().for_each(|patient| text += &explain(patient));
        text + &also(&others) + &self.end()
    }

    /// With the numbers of those that it names.
    fn cycle(
        &self,
        cycle: &Cycle,
        diagnoses: &[Option<Diagnosis>],
    ) -> Option<(String, BTreeSet<usize>)> {
        let mut text = format!("a cycle of waits{}:\n", waits::doubt(cycle.doubt));
        let mut named = BTreeSet::new();
        for member in cycle.members.iter().take(NAMED) {
            let (looks, diagnosis) = (&self.tasks[*member], diagnoses[*member].as_ref()?);
            let needed = cycle::waits_of(looks, Some(diagnosis));
            let mut reasons = waits::of_all(needed, "waits", |wait| waits::text(wait, self.tasks));
            if reasons.is_empty() {
                reasons.push(fill(diagnosis.kind.words().first, diagnosis, self.tasks));
            }
            let (called, why) = (called(&looks.task, self.tasks), reasons.join(", and "));
            text += &format!("  {called} {why}\n");
            named.insert(looks.number);
        }
        if cycle.members.len() > NAMED {
            text += &format!("  and {} more in the cycle\n", cycle.members.len() - NAMED);
        }
        Some((text + "\n", named))
    }

    /// Those that are explained, and those that are only named.
    fn patients(&self, diagnoses: Vec<Option<Diagnosis>>) -> (Vec<Patient<'_>>, Vec<Patient<'_>>) {
        let mut found = Vec::new();
        for (looks, diagnosis) in self.tasks.iter().zip(diagnoses) {
            found.extend(diagnosis.map(|diagnosis| (looks, diagnosis)));
        }
        found.sort_by_key(|(looks, _)| looks.far);
        let mut patients: Vec<Patient<'_>> = Vec::new();
        for (looks, diagnosis) in found {
            let patient = Patient {
                looks,
                all: self.tasks,
                diagnosis,
                awaits: looks.task.poke.awaits(),
                likewise: Vec::new(),
            };
            let like = patients.iter_mut().filter(|other| other.is_like(&patient));
            match like.max_by_key(|other| other.likewise.len()) {
                Some(like) => like.likewise.push(looks),
                None => patients.push(patient),
            }
        }
        let is_thread_stuck = patients
            .iter()
            .any(|patient| patient.diagnosis.kind.blames_the_thread());
        let is_only_named = |patient: &Patient<'_>| {
            let needs_a_thread = needs_a_poll(patient) || patient.diagnosis.kind == Kind::NotWoken;
            patient.diagnosis.kind.is_only_named()
                || patient.looks.is_shared
                || is_thread_stuck && needs_a_thread
        };
        // The odd one out before what many have in common: of a server, that is to be idle.
        patients.sort_by_key(|patient| {
            let (rank, far) = (patient.diagnosis.kind.rank(), patient.looks.far);
            (is_only_named(patient), rank, far, patient.likewise.len())
        });
        let explained = patients.partition_point(|patient| !is_only_named(patient));
        inner_first(&mut patients[..explained]);
        // What holds back the others, and is still at work, may only need more time.
        let is_first = |patient: &Patient<'_>| self.is_at_work_for_others(patient);
        if let Some(first) = patients[..explained].iter().position(is_first) {
            patients[..=first].rotate_right(1);
        }
        let others = patients.split_off(explained.min(EXPLAINED));
        (patients, others)
    }

    /// Whether it is at work, and one that is stuck waits for its end or for what it holds.
    fn is_at_work_for_others(&self, patient: &Patient<'_>) -> bool {
        let task = &patient.looks.task;
        let holds = |user: &Use| {
            matches!(user.has, Has::Now | Has::Reserved | Has::Took) && user.is_of(task)
        };
        let mut stuck = self.tasks.iter().filter(|looks| looks.is_stuck());
        let mut is_waited_for = || {
            stuck.any(|looks| {
                looks
                    .waits
                    .iter()
                    .any(|wait| wait.holders.iter().any(holds))
            })
        };
        patient.diagnosis.kind == Kind::AtWork && is_waited_for()
    }

    /// What a busy executor has done between the two looks.
    fn goes_on(&self) -> String {
        let [earlier, now] = self.lists;
        let still_there: BTreeSet<_> = now.tasks.iter().map(|(number, _)| *number).collect();
        let is_ready = |(number, task): &&(usize, Arc<Task>)| {
            !still_there.contains(number) && task.end() == Some(End::Ready)
        };
        match earlier.tasks.iter().filter(is_ready).count() {
            0 => String::new(),
            ready => format!(
                "still at work: {} became ready in the last quarter of a second.\n\n",
                count(ready, "future")
            ),
        }
    }

    /// What is made and dropped before it is ready, again and again, and so between the two looks.
    fn given_up(&self) -> String {
        let [earlier, now] = self.lists.map(|list| &list.given_up);
        let mut text = String::new();
        for (made, futures) in now {
            let before = earlier.get(made).map_or(0, |futures| futures.times);
            let since = futures.times - before;
            if futures.times < OFTEN || since == 0 {
                continue;
            }
            let parent = match &futures.parent {
                Some(parent) => called(parent, self.tasks),
                None => "the program".to_owned(),
            };
            let (name, at) = (&futures.name, line(made));
            let headline = format!(
                "{parent} makes {name:?} ({at}) again and again, and drops it before it is ready."
            );
            let (all, late) = (times(futures.times), times(since));
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
        let is_inside = self.tasks.iter().any(|looks| match &looks.now.state {
            State::Polling(place) => place.id == *id,
            _ => false,
        });
        let wait = holders::wait_of(*id)?;
        if wait.holder.place.id != *id || is_inside {
            return None;
        }
        let advice = Kind::LockTwice.words().advice();
        let paragraphs = [vec![("lock", waits::lock(&wait, self.tasks))], advice].concat();
        let headline = format!("{name} waits outside any poll for a lock that it already holds.");
        Some(section(&headline, &paragraphs))
    }

    fn nobody_to_blame(&self) -> String {
        if self.occasion == Occasion::Asked {
            return "no future is stuck that is watched here, outside of every other within.\n\n"
                .to_owned();
        }
        if self.lists[1].made == 0 {
            let advice = format!(
                "the futures of this test. Wrap each of them as {}::watch(\"its name\", future).",
                book::name_of_crate()
            );
            let first =
                "no future is watched, so the watchdog cannot tell which one did not finish.";
            return section(first, &[("look at", advice)]);
        }
        let wakers = self.tasks.iter().map(|looks| looks.now.alive()).sum();
        let words = Kind::NobodyLeft.words();
        let seen = format!("{} still kept", count(wakers, "waker"));
        let paragraphs = [vec![("seen", seen)], words.advice()].concat();
        section(words.first, &paragraphs)
    }

    fn end(&self) -> String {
        let mut text = self.stopped();
        text += &self.watched();
        if cfg!(unix) && self.occasion != Occasion::Asked && self.tasks.iter().any(runs_inside) {
            text += &debugger();
        }
        text += &what_else();
        if matches!(self.occasion, Occasion::TimeIsUp { .. }) {
            text += &trace::advice();
        }
        text
    }

    fn stopped(&self) -> String {
        let (limit, took) = match self.occasion {
            Occasion::Asked => return String::new(),
            Occasion::TimeIsUp { limit, took } => (limit, took),
            Occasion::RuntimeIsDropped { took, ends } => return dropped_for(took, ends),
        };
        // What runs at this moment may sleep at the next.
        let doing = match self.caller.doing() {
            Some(Doing::Runs) | None => "has not finished",
            Some(_) => doing(self.caller).unwrap_or("has not finished"),
        };
        let late = if took >= 2 * limit {
            format!(" that a crowded machine made {took:.1?}")
        } else {
            String::new()
        };
        let name = &self.caller.name;
        format!("Stopped after {limit:?}{late}: {name} {doing}.\n")
    }

    /// The names of those that are ready, if they are few. In parentheses, since more follows.
    fn few_ready(&self) -> String {
        let list = self.lists[1];
        let there = self.tasks.iter().filter(|looks| is_ready(&looks.now));
        let there = there.map(|looks| (looks.number, looks.task.name()));
        let mut ready: Vec<_> = list.first_ready.iter().cloned().chain(there).collect();
        if ready.is_empty() || ready.len() > FEW || list.ready > list.first_ready.len() {
            return String::new();
        }
        ready.sort();
        let named: Vec<_> = ready
            .iter()
            .map(|(number, name)| format!("task {number} {name:?}"))
            .collect();
        format!(" ({})", named.join(", "))
    }

    /// How many futures there were, and what became of them.
    fn watched(&self) -> String {
        let list = self.lists[1];
        let mut text = format!("Watched: {}", count(list.made, "future"));
        let mut with = |gone: usize, is: fn(&Facts) -> bool, state: &str| {
            let there = self.tasks.iter().filter(|looks| is(&looks.now)).count();
            if gone + there > 0 {
                text += &format!(", {} {state}", gone + there);
            }
        };
        with(list.ready, is_ready, &format!("ready{}", self.few_ready()));
        let has_panicked = |facts: &Facts| matches!(facts.state, State::Panicked);
        with(0, has_panicked, "panicked");
        let dropped = list.made - list.tasks.len() - list.ready;
        with(dropped, Facts::cancelled, "dropped before ready");
        let mut given_up = Vec::new();
        for (made, futures) in list.given_up.iter().take(NAMED) {
            let at = line(made);
            given_up.push(if at == futures.name {
                at
            } else {
                format!("{:?} of {at}", futures.name)
            });
        }
        if !given_up.is_empty() {
            text += &format!(": {}", given_up.join(", "));
        }
        text + ".\n"
    }
}

fn is_ready(facts: &Facts) -> bool {
    matches!(facts.state, State::Ready)
}

/// Whether it waits for nothing but a poll.
fn needs_a_poll(patient: &Patient<'_>) -> bool {
    use Kind::{NeverPolled, NotPolledAgain};
    matches!(patient.diagnosis.kind, NotPolledAgain | NeverPolled)
}

/// What waits only for the end of another one, or polls it, comes after that one if both wait.
fn inner_first(patients: &mut [Patient<'_>]) {
    for outer in 0..patients.len() {
        // A cycle has no end.
        for _ in outer..patients.len() {
            let is_inner = |patient: &Patient<'_>| patient.is_needed_by(&patients[outer]);
            let Some(inner) = patients[outer + 1..].iter().position(is_inner) else {
                break;
            };
            patients[outer..=outer + 1 + inner].rotate_right(1);
        }
    }
}

/// Whether its thread is inside of its poll or closure, and no line is known.
fn runs_inside(looks: &Looks) -> bool {
    looks.is_inside() && looks.panic.is_none() && looks.task.poke.awaits().is_empty()
}

fn what_else() -> String {
    let page = book::read(&[pages::ELSE]);
    format!("What else can hang, and how to find it: {page}.\n")
}

/// A thread that runs cannot be asked where it is. The process ends after the message, so the debugger stops it there.
fn debugger() -> String {
    let mut command = "gdb -batch -ex 'set breakpoint pending on' -ex 'break exit' -ex run -ex 'thread apply all bt' --args".to_owned();
    for argument in env::args() {
        command += &format!(" {argument}");
    }
    format!("Which line a thread runs, if it doesn't sleep: {command}\n")
}

fn dropped_for(took: Duration, ends: Duration) -> String {
    format!(
        "Said after {took:.1?} of that drop. After {ends:?} of it, or later on a crowded machine, the process ends.\n"
    )
}

/// The whole message about the drop of a runtime that waits for closures which are not watched.
pub(crate) fn runtime_waits_for(unwatched: &[Await], took: Duration, ends: Duration) -> String {
    runtime_is_dropped(unwatched) + &dropped_for(took, ends) + &what_else()
}

/// It is over, and the program waits nevertheless.
pub(crate) fn runtime_is_dropped(unwatched: &[Await]) -> String {
    let mut who = Vec::new();
    for closure in unwatched {
        let place = place(closure);
        who.push(if closure.lines.is_empty() {
            format!("a closure that a library has made sleeps in {place}")
        } else {
            format!("a closure that is not watched sleeps at {place}")
        });
    }
    let means = "the drop of a runtime waits for each closure of spawn_blocking that has begun, and for each poll that goes on. Those \
                 that are watched are named here.";
    let look_at = "who should end them. Or do not wait: end the runtime by shutdown_timeout or shutdown_background.";
    let headline = "what within_async awaits is over, and the drop of its runtime does not end.";
    let mut paragraphs = vec![("means", means.to_owned()), ("look at", look_at.to_owned())];
    if !who.is_empty() {
        paragraphs.insert(0, ("who", who.join("\n")));
    }
    section(headline, &paragraphs)
}

/// What tests have said that ended before: the harness would say it at its own end, which does not come.
pub(crate) fn kept_by_the_harness(panics: &[Panic]) -> String {
    if panics.is_empty() {
        return String::new();
    }
    let mut text =
        "what panicked before, also in a test that should, and would be said when all tests are over:\n\n".to_owned();
    for Panic {
        thread_name,
        at,
        said,
        ..
    } in panics
    {
        text += &format!(
            "thread {thread_name:?} panicked at {at}:\n{}\n\n",
            said.trim_end()
        );
    }
    text
}

fn also(others: &[Patient<'_>]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let mut text = "also not finished:\n".to_owned();
    for patient in others.iter().take(NAMED) {
        text += &format!("  {}\n", patient.line());
    }
    let rest: usize = others.iter().skip(NAMED).map(Patient::number).sum();
    if rest > 0 {
        text += &format!("  and {rest} more\n");
    }
    text + "\n"
}

#[cfg(test)]
#[path = "../../tests/inside/report.rs"]
mod tests;
