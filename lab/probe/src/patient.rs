//! One task in the message: what was seen of it, what that means, what to look at and what to read.

use crate::{
    calls::known,
    diagnosis::{Diagnosis, Kind},
    facts::{Actor, Facts, State},
    frames::Await,
    layout::{count, section, times},
    report::{Looks, NAMED, called},
    resource::{keys, place},
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
        // Of many, only some were poked. Of the others, what they wait for says where.
        let is_same = match kinds[1] {
            Kind::NotWoken => keys(&self.looks.waits).eq(keys(&other.looks.waits)),
            _ => self.awaits == other.awaits,
        };
        let is_alike = kinds[0] == kinds[1] || kinds == [Kind::Waits, Kind::NotWoken];
        is_same && is_alike && self.looks.task.made == other.looks.task.made
    }

    pub(crate) fn headline(&self) -> String {
        let words = self.diagnosis.kind.words();
        let first = self.diagnosis.fill(words.first, self.all);
        let doing = self.looks.task.doing();
        let doing = doing.map_or(String::new(), |it| format!(" {it}."));
        format!("{} {first}{doing}", self.looks.title())
    }

    pub(crate) fn explain(&self) -> String {
        let mut words = self.diagnosis.kind.words();
        let mut paragraphs = Vec::new();
        let facts = [("at", self.places()), ("who", self.who())];
        paragraphs.extend(facts.into_iter().filter(|it| !it.1.is_empty()));
        paragraphs.push(("seen", seen(&self.looks.now, self.all)));
        let known = known(&self.awaits).filter(|it| match self.diagnosis.kind {
            Kind::Waits => true,
            Kind::AtWork | Kind::BusyFuture => it.is_busy(),
            _ => false,
        });
        if let Some(known) = known {
            (words.means, words.look_at, words.chapters) = (known.means, known.look_at, &[]);
        }
        if let Some(wait) = &self.looks.lock {
            paragraphs.push(("lock", wait.text()));
        } else if let (Kind::Blocked | Kind::ExecutorInside, State::Polling(place)) =
            (self.diagnosis.kind, &self.looks.now.state)
        {
            let doing = place.doing();
            paragraphs.extend(doing.map(|doing| ("thread", format!("{} {doing}", place.name))));
        }
        paragraphs.extend(self.others().map(|others| ("likewise", others)));
        let advice = words.advice().into_iter();
        let fill = |text: String| self.diagnosis.fill(&text, self.all);
        paragraphs.extend(advice.map(|(title, text)| (title, fill(text))));
        section(&self.headline(), &paragraphs)
    }

    fn places(&self) -> String {
        let made = self.looks.task.made;
        let mut places: Vec<_> = self.awaits.iter().map(Await::text).collect();
        places.dedup();
        match &*places {
            // It was not polled with a fresh waker, or did not clone it. The names of others are lines.
            [] if self.looks.task.given.is_some() && !self.looks.task.is_closure => {
                format!("{}, where it is watched", place(made))
            }
            places => places.join("\n"),
        }
    }

    fn who(&self) -> String {
        let waits = self.looks.waits.iter().map(|it| it.text(self.all));
        waits.collect::<Vec<_>>().join("\n")
    }

    /// The line that stands for it among those that are only named.
    pub(crate) fn line(&self) -> String {
        let mut line = self.headline();
        for (word, with, it) in [("At", "; at ", self.places()), ("It", "; ", self.who())] {
            if !it.is_empty() {
                line += &format!(" {word} {}.", it.replace('\n', with));
            }
        }
        let others = self.others().map(|others| format!(" Likewise {others}"));
        line + &others.unwrap_or_default()
    }

    fn others(&self) -> Option<String> {
        let is_unasked = |it: &&&Looks| it.task.poke.ready().is_none();
        let unasked = self.likewise.iter().filter(is_unasked);
        let unasked = match (self.diagnosis.kind, unasked.count()) {
            (Kind::Waits, some @ 1..) => format!("; {some} of these were not asked where"),
            _ => String::new(),
        };
        let called = |it: &Looks| called(&it.task, self.all);
        Some(match &*self.likewise {
            [] => return None,
            [one] => format!("{}, of the same line{unasked}.", called(one)),
            some => {
                let run = |run: &[&Looks]| match run {
                    [first, .., last] => format!("{} to {}", called(first), called(last)),
                    _ => called(run[0]),
                };
                let runs = some.chunk_by(|one, next| one.number + 1 == next.number);
                let runs: Vec<_> = runs.map(run).collect();
                let more = ["", " and so on"][usize::from(runs.len() > NAMED)];
                let (number, runs) = (some.len(), runs[..runs.len().min(NAMED)].join(", "));
                format!("{number} others of the same line, {runs}{more}{unasked}.")
            }
        })
    }
}

fn seen(facts: &Facts, all: &[Looks]) -> String {
    let polled = match facts.polls {
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
    let last = ["", "the last time "][usize::from(facts.wakes > 1)];
    let by = match &facts.last_wake {
        None => return [polled, kept, "never woken".to_owned()].join("\n"),
        Some(Actor::OwnPoll) => "by its own poll".to_owned(),
        Some(Actor::PollOf(other)) => format!("in the poll of {}", called(other, all)),
        Some(Actor::Thread(place)) => format!("by {}", place.name),
    };
    let woken = format!("woken {}, {last}{by}", times(facts.wakes));
    [polled, kept, woken].join("\n")
}
