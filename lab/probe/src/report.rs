//! The message of the watchdog.

use std::time::Duration;

use crate::{
    chapters::Chapter,
    diagnosis::Diagnosis,
    facts::{Facts, State},
    layout::{count, section},
    mutex::{self, Wait},
    patient::Patient,
    place::Place,
    trace,
    words::Words,
};

/// What the watchdog knows when it speaks.
pub(crate) struct Report<'a> {
    pub(crate) limit: Duration,
    /// Where the closure runs.
    pub(crate) caller: &'a Place,
    pub(crate) tasks: &'a [Looks],
}

/// Two looks at one task.
pub(crate) struct Looks {
    pub(crate) name: String,
    pub(crate) earlier: Facts,
    pub(crate) now: Facts,
}

/// So many tasks are explained in full. Thousands may hang for one reason.
const EXPLAINED: usize = 3;
/// So many more are named.
const NAMED: usize = 10;

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let (explained, others) = self.patients();
        let mut text = match self.caller_waits_for_itself() {
            Some(wait) => self.lock_outside_poll(&wait),
            None if explained.is_empty() => self.nobody_to_blame(),
            None => String::new(),
        };
        for patient in &explained {
            text += &patient.explain();
        }
        text + &also(&others) + &self.end()
    }

    /// Those that are explained, and those that are only named.
    fn patients(&self) -> (Vec<Patient<'_>>, Vec<Patient<'_>>) {
        let mut patients: Vec<_> = (1..)
            .zip(self.tasks)
            .filter_map(|(number, Looks { name, earlier, now })| {
                let lock = match &now.state {
                    State::Polling(place) => mutex::wait_of(place.id),
                    _ => None,
                };
                let diagnosis = Diagnosis::of(earlier, now, lock.as_ref())?;
                Some(Patient {
                    number,
                    name,
                    facts: now,
                    diagnosis,
                    lock,
                })
            })
            .collect();
        // A thread that is stuck is reason enough why others wait for a poll.
        let stuck = patients
            .iter()
            .any(|patient| patient.diagnosis.holds_the_thread());
        let named_only = |patient: &Patient<'_>| stuck && patient.diagnosis.waits_for_a_thread();
        patients.sort_by_key(|patient| (named_only(patient), patient.diagnosis));
        let explained = patients
            .iter()
            .filter(|patient| !named_only(patient))
            .count();
        let others = patients.split_off(explained.min(EXPLAINED));
        (patients, others)
    }

    /// Inside a poll, the message of the task says it.
    fn caller_waits_for_itself(&self) -> Option<Wait> {
        let caller = self.caller.id;
        let in_poll =
            |looks: &Looks| matches!(&looks.now.state, State::Polling(place) if place.id == caller);
        mutex::wait_of(caller)
            .filter(|wait| wait.holder.id == caller && !self.tasks.iter().any(in_poll))
    }

    fn lock_outside_poll(&self, wait: &Wait) -> String {
        let mut paragraphs = vec![("lock", wait.to_string())];
        paragraphs.extend(Diagnosis::LockTwice.words().advice());
        let caller = &self.caller.name;
        section(
            &format!("{caller} waits outside any poll for a lock that it already holds."),
            &paragraphs,
        )
    }

    fn nobody_to_blame(&self) -> String {
        if self.tasks.is_empty() {
            let advice = "the futures of this test. Wrap each of them as probe::watch(\"its name\", future).";
            return section(
                "no future is watched, so the watchdog cannot tell which one did not finish.",
                &[("look at", advice.to_owned())],
            );
        }
        let wakers = self.tasks.iter().map(|looks| looks.now.alive()).sum();
        let words = Words {
            first: "every watched future is ready or dropped, but the run does not end.",
            means: "the executor waits for more work, and none can come.",
            look_at: "how the run loop learns that all tasks are finished: from a channel without senders, or from a \
                      count of tasks that reaches zero. A waker that is still kept may hold a sender.",
            chapters: &[Chapter::ChannelExecutor],
        };
        let mut paragraphs = vec![("seen", format!("{} still kept", count(wakers, "waker")))];
        paragraphs.extend(words.advice());
        section(words.first, &paragraphs)
    }

    fn end(&self) -> String {
        let mut text = format!("Stopped after {:?}: {} ", self.limit, self.caller.name);
        text += self.caller.doing().unwrap_or("has not finished");
        text += &format!(".\nWatched: {}", count(self.tasks.len(), "future"));
        let with = |is: fn(&Facts) -> bool, state: &str| {
            let tasks = self.tasks.iter().filter(|it| is(&it.now));
            match tasks.count() {
                0 => String::new(),
                number => format!(", {number} {state}"),
            }
        };
        text += &with(|it| matches!(it.state, State::Ready), "ready");
        text += &with(|it| matches!(it.state, State::Panicked), "panicked");
        text += &with(Facts::cancelled, "dropped before ready");
        text + ".\n" + &trace::advice()
    }
}

fn also(others: &[Patient<'_>]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let mut text = "also not finished:\n".to_owned();
    for patient in others.iter().take(NAMED) {
        text += &format!("  {}\n", patient.headline());
    }
    if others.len() > NAMED {
        text += &format!("  and {} more\n", others.len() - NAMED);
    }
    text + "\n"
}
