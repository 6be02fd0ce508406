//! One task in the message: what was seen of it, what that means, what to look at and what to read.

use std::{collections::BTreeSet, iter};

use crate::{
    judge::{
        diagnosis::{Diagnosis, Kind},
        looks::Looks,
        waits::{NAMED, WaitsFor, keys},
    },
    say::{
        calls,
        layout::{count, section, times},
        names::{called, closure_is_doing, closure_is_over, doing, line, title},
        waits,
        words::fill,
    },
    see::{
        facts::{Actor, Facts, State, Use},
        frames::Await,
    },
};

pub(crate) struct Patient<'a> {
    pub(crate) looks: &'a Looks,
    pub(crate) all: &'a [Looks],
    pub(crate) diagnosis: Diagnosis,
    /// Where it waits.
    pub(crate) awaits: Vec<Await>,
    /// Others of which the same has to be said.
    pub(crate) likewise: Vec<&'a Looks>,
}

impl Patient<'_> {
    /// Who is it, among others of which the same has to be said?
    pub(crate) fn is_like(&self, other: &Patient<'_>) -> bool {
        let kinds = [self.diagnosis.kind, other.diagnosis.kind];
        // Of many, only some were polled once more. Of the others, what they wait for says where.
        let wait_for_same = || keys(&self.looks.waits).eq(keys(&other.looks.waits));
        let is_same = match other.diagnosis.kind {
            Kind::NotWoken => wait_for_same(),
            // One that has begun and one that has not are in different states, and so are a thread that waits for a lock and one
            // that reads.
            Kind::Closure => {
                closure_is_doing(&self.looks.task) == closure_is_doing(&other.looks.task)
                    && self.awaits == other.awaits
                    && wait_for_same()
            }
            Kind::Panicking => false,
            _ => self.awaits == other.awaits,
        };
        let is_asked = matches!(
            self.diagnosis.kind,
            Kind::Waits | Kind::NotReached | Kind::NotRead
        );
        let is_alike = kinds[0] == kinds[1] || is_asked && other.diagnosis.kind == Kind::NotWoken;
        is_same && is_alike && self.looks.task.made == other.looks.task.made
    }

    /// Whether both wait, and the other one does so for this one.
    pub(crate) fn is_needed_by(&self, other: &Patient<'_>) -> bool {
        self.waits() && other.waits() && self.looks.is_needed_by(other.looks, self.all)
    }

    fn waits(&self) -> bool {
        use Kind::{NotReached, NotRead, NotWoken, Waits};
        matches!(self.diagnosis.kind, Waits | NotReached | NotRead | NotWoken)
    }

    pub(crate) fn headline(&self) -> String {
        if let (Kind::Closure, Some(end)) = (self.diagnosis.kind, closure_is_over(&self.looks.task))
        {
            return format!(
                "{} had not returned when the time was up, and has {end} by now.",
                title(self.looks)
            );
        }
        let words = self.diagnosis.kind.words();
        let first = fill(words.first, &self.diagnosis, self.all);
        if let (Kind::Panicking, Some(panic)) = (self.diagnosis.kind, &self.looks.panic) {
            return format!("{} {first} {:?}.", title(self.looks), panic.first_line());
        }
        let doing = closure_is_doing(&self.looks.task);
        let doing = doing.map_or(String::new(), |doing| format!(" {doing}."));
        format!("{} {first}{doing}", title(self.looks))
    }

    /// `in_cycle`: the numbers of those of which the message has said already what they wait for.
    pub(crate) fn explain(&self, in_cycle: &BTreeSet<usize>) -> String {
        let mut paragraphs = Vec::new();
        for (title, text) in [("at", self.places()), ("who", self.who())] {
            if !text.is_empty() {
                paragraphs.push((title, text));
            }
        }
        if !self.looks.task.is_closure {
            paragraphs.push(("seen", seen(&self.facts(), self.all)));
        }
        paragraphs.extend(self.what_its_thread_does());
        if let Some(others) = self.others() {
            let lines = [vec![others], self.among_themselves(in_cycle)].concat();
            paragraphs.push(("likewise", lines.join("\n")));
        }
        for (title, text) in self.advice() {
            paragraphs.push((title, fill(&text, &self.diagnosis, self.all)));
        }
        section(&self.headline(), &paragraphs)
    }

    /// One is at work because it was woken after the second look, so that is seen too.
    fn facts(&self) -> Facts {
        let latest = self.looks.task.facts();
        if self.diagnosis.kind == Kind::AtWork && !latest.dropped {
            return latest;
        }
        self.looks.now.clone()
    }

    fn what_its_thread_does(&self) -> Option<(&'static str, String)> {
        if let Some(wait) = &self.looks.lock {
            return Some(("lock", waits::lock(wait, self.all)));
        }
        let panic = waits::panic_of(&self.looks.task);
        match (self.diagnosis.kind, &self.looks.now.state) {
            (Kind::Panicked, _) if !panic.is_empty() => Some(("panic", panic[1..].to_owned())),
            (Kind::Blocked | Kind::ExecutorInside, State::Polling(thread)) => {
                let doing = doing(thread).filter(|_| self.looks.is_still_inside())?;
                Some(("thread", format!("{} {doing}", thread.name)))
            }
            _ => None,
        }
    }

    /// What it means, what to look at and what to read. Where it waits in a call that is known, that is known better.
    fn advice(&self) -> Vec<(&'static str, String)> {
        let mut words = self.diagnosis.kind.words();
        let kind = self.diagnosis.kind;
        let inside = self.diagnosis.other.as_ref();
        let inside = inside.filter(|_| kind == Kind::ExecutorInside);
        let awaits = inside.map_or_else(|| self.awaits.clone(), |task| task.poke.awaits());
        let (some_spend, all_spend) = calls::spends_budget(&awaits);
        let known = match kind {
            Kind::Waits => calls::known(&awaits).map(|known| {
                if known.is_notification() && self.is_never_notified() {
                    return &calls::NEVER_NOTIFIED;
                }
                known
            }),
            Kind::AtWork | Kind::BusyFuture if all_spend => Some(&calls::SPENT_EACH_TIME),
            Kind::AtWork | Kind::BusyFuture => {
                calls::known(&awaits).filter(|known| known.is_busy())
            }
            Kind::ExecutorInside if some_spend => Some(&calls::SPENT_INSIDE),
            _ => None,
        };
        if let Some(known) = known {
            words.means = known.means;
            words.look_at = known.look_at;
            words.pages = &[];
        }
        words.advice()
    }

    /// Whether this one, and each of which the same is said, waits for nothing but a notification that nobody has sent so far.
    fn is_never_notified(&self) -> bool {
        let is_one = |waits: &[WaitsFor]| matches!(waits, [wait] if wait.is_never_notified());
        let mut all = iter::once(&self.looks).chain(&self.likewise);
        self.awaits.len() == 1 && all.all(|looks| is_one(&looks.waits))
    }

    fn places(&self) -> String {
        let task = &self.looks.task;
        if let (Kind::Panicking, Some(panic)) = (self.diagnosis.kind, &self.looks.panic) {
            return panic.at.clone();
        }
        let mut places: Vec<_> = self.awaits.iter().map(place).collect();
        places.dedup();
        if let (true, Some(sought)) = (places.is_empty(), task.poke.sought()) {
            let seconds = sought.as_secs();
            return format!(
                "lines that could not be looked up within {seconds} s; run it again on a quieter machine"
            );
        }
        // It was not polled with a fresh waker, or did not clone it. The names of others are lines.
        if places.is_empty() && task.given.is_some() && !task.is_closure {
            return format!("{}, where it is watched", line(task.made));
        }
        places.join("\n")
    }

    fn who(&self) -> String {
        let lines = if self.diagnosis.kind.is_woken() {
            waits::of_all(&self.looks.waits, "waited", waits::waited)
        } else {
            waits::of_all(&self.looks.waits, "waits", |wait| {
                waits::text(wait, self.all)
            })
        };
        lines.join("\n")
    }

    /// Of how many tasks it is said.
    pub(crate) fn number(&self) -> usize {
        1 + self.likewise.len()
    }

    /// The line that stands for it among those that are only named.
    pub(crate) fn line(&self) -> String {
        let mut text = self.headline();
        let (places, who) = (self.places(), self.who());
        if !places.is_empty() {
            text += &format!(" At {}.", places.replace('\n', "; at "));
        }
        if !who.is_empty() {
            text += &format!(" It {}.", who.replace('\n', "; "));
        }
        if let Some(others) = self.others() {
            text += &format!(" Likewise {others}");
        }
        text
    }

    /// Closures of one line have one name, so they have their numbers too.
    fn called(&self, looks: &Looks) -> String {
        if looks.task.is_closure {
            return title(looks);
        }
        called(&looks.task, self.all)
    }

    fn others(&self) -> Option<String> {
        let is_unasked = |looks: &&&Looks| looks.task.poke.answer().is_none();
        let unasked = match self.likewise.iter().filter(is_unasked).count() {
            some @ 1..
                if matches!(
                    self.diagnosis.kind,
                    Kind::Waits | Kind::NotReached | Kind::NotRead
                ) =>
            {
                format!("; {some} of these were not asked where")
            }
            _ => String::new(),
        };
        match &*self.likewise {
            [] => None,
            [one] => {
                let called = self.called(one);
                Some(format!("{called}, of the same line{unasked}."))
            }
            some => {
                let number = some.len();
                let runs = self.runs(some);
                Some(format!(
                    "{number} others of the same line, {runs}{unasked}."
                ))
            }
        }
    }

    /// For what each of the others waits that one of them, or this one, has. Alike in all else, they may be a ring. Not of those that
    /// are `in_cycle`.
    fn among_themselves(&self, in_cycle: &BTreeSet<usize>) -> Vec<String> {
        if !self.waits() {
            return Vec::new();
        }
        let of_these = |user: &Use| {
            let mut these = iter::once(&self.looks).chain(&self.likewise);
            these.any(|looks| user.is_of(&looks.task))
        };
        let mut lines = Vec::new();
        let is_new = |looks: &&&Looks| !in_cycle.contains(&looks.number);
        for looks in self.likewise.iter().filter(is_new) {
            let mut waits = looks.waits.iter();
            if let Some(wait) = waits.find(|wait| wait.holders.iter().any(of_these)) {
                let called = self.called(looks);
                lines.push(format!("{called} {}", waits::text(wait, self.all)));
            }
        }
        let more = lines.len().saturating_sub(NAMED);
        lines.truncate(NAMED);
        if more > 0 {
            lines.push(format!("and {more} more of them"));
        }
        lines
    }

    /// Those whose numbers follow each other are named by the first and the last.
    fn runs(&self, some: &[&Looks]) -> String {
        let called = |looks: &Looks| self.called(looks);
        let mut runs = Vec::new();
        for run in some.chunk_by(|one, next| one.number + 1 == next.number) {
            runs.push(match run {
                [first, .., last] => format!("{} to {}", called(first), called(last)),
                _ => called(run[0]),
            });
        }
        let more = if runs.len() > NAMED { " and so on" } else { "" };
        runs.truncate(NAMED);
        runs.join(", ") + more
    }
}

/// Where a waker was cloned, or where a thread sleeps.
pub(crate) fn place(found: &Await) -> String {
    let [first, outer @ ..] = &found.lines[..] else {
        let calls: Vec<_> = found.calls.iter().map(ToString::to_string).collect();
        return calls.join(", in ");
    };
    let mut text = first.clone();
    if let Some(call) = found.calls.last() {
        text += &format!(", in {call}");
    }
    for outer in outer {
        text += &format!(", from {outer}");
    }
    text
}

fn seen(facts: &Facts, all: &[Looks]) -> String {
    let polled = match facts.own_polls() {
        0 => "never polled".to_owned(),
        polls if facts.unprompted == 0 => format!("polled {}", times(polls)),
        polls => {
            let (polls, unprompted) = (times(polls), times(facts.unprompted));
            format!("polled {polls}, {unprompted} without a wake")
        }
    };
    let kept = match facts.kept {
        0 => "kept no waker".to_owned(),
        kept => {
            let (kept, alive) = (count(kept, "waker"), facts.alive());
            format!("kept {kept}, {alive} still there")
        }
    };
    let last = if facts.wakes > 1 {
        "the last time "
    } else {
        ""
    };
    let by = match &facts.last_wake {
        None => return [polled, kept, "never woken".to_owned()].join("\n"),
        Some(Actor::OwnPoll) => "by its own poll".to_owned(),
        Some(Actor::PollOf(other)) => format!("in the poll of {}", called(other, all)),
        Some(Actor::Thread(place)) => format!("by {}", place.name),
    };
    let woken = format!("woken {}, {last}{by}", times(facts.wakes));
    [polled, kept, woken].join("\n")
}
