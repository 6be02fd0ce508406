//! One task in the message: what was seen of it, what that means, what to look at and what to read.

use crate::{
    diagnosis::Diagnosis,
    facts::{Facts, LastWake, State},
    layout::{count, section, times},
    mutex::Wait,
};

pub(crate) struct Patient<'a> {
    pub(crate) number: usize,
    pub(crate) name: &'a str,
    pub(crate) facts: &'a Facts,
    pub(crate) diagnosis: Diagnosis,
    /// For which its thread waits, inside its poll.
    pub(crate) lock: Option<Wait>,
}

impl Patient<'_> {
    pub(crate) fn headline(&self) -> String {
        format!(
            "task {} {:?} {}",
            self.number,
            self.name,
            self.diagnosis.words().first
        )
    }

    pub(crate) fn explain(&self) -> String {
        let words = self.diagnosis.words();
        let mut paragraphs = vec![("seen", seen(self.facts))];
        match (self.diagnosis, &self.lock, &self.facts.state) {
            (Diagnosis::LockTwice | Diagnosis::LockHeld, Some(wait), _) => {
                paragraphs.push(("lock", wait.to_string()));
            }
            (Diagnosis::Blocked, _, State::Polling(place)) => {
                let doing = place.doing();
                paragraphs.extend(doing.map(|doing| ("thread", format!("{} {doing}", place.name))));
            }
            _ => {}
        }
        paragraphs.extend(words.advice());
        section(&self.headline(), &paragraphs)
    }
}

/// A line for the polls, one for the clones and one for the wakes.
fn seen(facts: &Facts) -> String {
    let polled = match facts.polls {
        0 => "never polled".to_owned(),
        polls if facts.unprompted == 0 => format!("polled {}", times(polls)),
        polls => format!(
            "polled {}, {} without a wake",
            times(polls),
            times(facts.unprompted)
        ),
    };
    let kept = match facts.kept {
        0 => "kept no waker".to_owned(),
        kept => format!(
            "kept {}, {} still there",
            count(kept, "waker"),
            facts.alive()
        ),
    };
    let last = if facts.wakes > 1 {
        "the last time "
    } else {
        ""
    };
    let woken = match &facts.last_wake {
        None => "never woken".to_owned(),
        Some(LastWake::OwnPoll) => format!("woken {}, {last}by its own poll", times(facts.wakes)),
        Some(LastWake::From(place)) => {
            format!("woken {}, {last}by {}", times(facts.wakes), place.name)
        }
    };
    [polled, kept, woken].join("\n")
}
