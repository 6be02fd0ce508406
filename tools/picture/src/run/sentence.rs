//! What an event did, in words: the sentence of a step.

use probe::What;

use crate::{
    beside::{Kind, Lane},
    run::{Name, Run, frame::Frame, state::State},
};

/// With marks for style.
pub(crate) fn sentence(run: &Run, frame: &Frame, before: &State) -> String {
    let told = Told { run, frame, before };
    match (&frame.event.what, frame.event.task) {
        (What::Word { before, after, .. }, _) => told.word(*before, *after),
        (_, Some(task)) => told.task(task),
        _ => told.thread(),
    }
}

struct Told<'a> {
    run: &'a Run,
    frame: &'a Frame,
    before: &'a State,
}

impl Told<'_> {
    /// The thread on which it happened.
    fn on(&self) -> Name {
        self.frame.event.thread
    }

    /// The future inside whose poll it happened.
    fn inside(&self) -> Option<&Name> {
        self.before.threads.get(self.on())?.polls.last()
    }

    /// That, or the thread.
    fn by(&self) -> String {
        let inside = self.inside().map(|name| format!("`{name}`"));
        inside.unwrap_or(self.on().to_owned())
    }

    /// A thread did something by itself.
    fn thread(&self) -> String {
        let (on, by, place) = (self.on(), self.by(), &self.frame.event.place);
        let has_lane = self.run.has(Kind::Lock);
        let has_queue = self.run.has(Kind::Queue) || self.run.has(Kind::Word);
        match self.frame.event.what {
            What::Park if self.inside().is_some() => format!("{on} sleeps inside the poll of {by}"),
            What::Park if has_queue => format!("{on} sleeps: the queue is empty"),
            What::Park => format!("{on} sleeps"),
            What::Lock { .. } if has_lane => format!("{by} *takes* the lock"),
            What::Unlock { .. } if has_lane => format!("{by} *releases* the lock"),
            What::Lock { lock } => format!("{on} takes lock {lock} at {place}"),
            What::Unlock { lock } => format!("{on} releases lock {lock}"),
            What::Notify { condvar } => format!("{on} notifies condvar {condvar} at {place}"),
            What::Wait { condvar } => format!("{on} waits at condvar {condvar} at {place}"),
            _ => format!("{on} resumes"),
        }
    }

    /// A thread wrote a word.
    fn word(&self, old: u64, new: u64) -> String {
        let (on, event) = (self.on(), &self.frame.event);
        if let Some((victim, count)) = &self.frame.stolen {
            let of = self.before.queues.get(victim).map_or(0, Vec::len);
            return format!("{on} *steals* half of {victim}: {count} of {of} tasks");
        }
        let change = match self.run.word(&event.what) {
            Some(lane) if lane.is == Kind::Counted => return self.put(lane.name()),
            Some(lane) => counted(lane, old, new),
            None => String::new(),
        };
        let meaning = self.run.line(event).map_or("", |lane| &lane.header);
        let change = match (meaning, change.as_str()) {
            ("", "") => format!("writes a word, from {old:b} to {new:b} at {}", event.place),
            (meaning, "") => meaning.to_owned(),
            ("", change) => change.to_owned(),
            (meaning, change) => format!("{meaning}: {change}"),
        };
        format!("{on} {change}")
    }

    /// A task is put into a slot or the injector.
    fn put(&self, place: &str) -> String {
        let (by, task) = (self.by(), self.frame.sent.unwrap_or_default());
        let after = &self.frame.state.queues[place];
        let mut before = self.before.queues.get(place).into_iter().flatten();
        let spawns = format!("{by} spawns `{task}`: it goes into {place}");
        match before.find(|name| !after.contains(name)) {
            Some(gone) => format!("{spawns}, and `{gone}` moves to the back of the queue"),
            None => spawns,
        }
    }

    /// Something happened to a future.
    fn task(&self, name: Name) -> String {
        let (on, task) = (self.on(), format!("`{name}`"));
        let is_sent = self.frame.sent == Some(name);
        let whose = |waker| format!("`{}`", self.run.owner(waker).unwrap_or(name));
        match self.frame.event.what {
            What::Spawn if is_sent => format!("{task} is spawned, which puts it into the queue"),
            What::Spawn => format!("{task} is made"),
            What::Poll { .. } => self.poll(&task),
            What::Pending if is_sent => {
                format!("{task} is *Pending*: {on} *sees the bit* and puts it into the queue")
            }
            What::Pending if self.frame.noted => format!("{task} is *Pending*: {on} sees no bit"),
            What::Pending => format!("{task} is *Pending*"),
            What::Ready => format!("{task} is *Ready*"),
            What::Panic => format!("{task} panics"),
            What::PollAfterReady => format!("{on} polls {task}, which was ready before"),
            What::Drop => format!("{} drops {task}", self.by()),
            What::Keep { waker } => format!("a clone of {}'s waker is stored", whose(waker)),
            What::Release { waker } => {
                format!("a clone of {}'s waker is dropped, not woken", whose(waker))
            }
            What::Wake { waker, .. } if self.run.owner(waker).is_some() => {
                format!(
                    "the time is up: {on} calls the stored waker, which *wakes* {}",
                    whose(waker)
                )
            }
            What::Wake { .. } if self.frame.is_stale() => {
                format!("{on} calls an *old waker* of {task}, not that of its latest poll")
            }
            _ => self.wake(name),
        }
    }

    fn poll(&self, task: &str) -> String {
        let (on, its) = (self.on(), format!("{}'s ", self.on()));
        match &self.frame.taken {
            None => {
                let mut polls = self.frame.state.threads[on].polls.iter().rev();
                let by = polls
                    .nth(1)
                    .map_or(on.to_owned(), |outer| format!("`{outer}`"));
                format!("{by} polls {task}")
            }
            Some(from) if from.ends_with("'s queue") && !from.starts_with(&its) => {
                format!("{on} polls {task}, which it has stolen")
            }
            Some(from) => {
                let from = from.replace(&its, "its ");
                format!("{on} takes {task} from {from} and polls it")
            }
        }
    }

    fn wake(&self, name: Name) -> String {
        let (before, task) = (self.before, &self.frame.state.tasks[name]);
        let sleeper = task.poller.filter(|poller| {
            let thread = before.threads.get(poller);
            thread.is_some_and(|thread| thread.asleep && thread.polls.is_empty())
        });
        let ends = sleeper.map(|thread| format!(", which ends the sleep of {thread}"));
        let ends = ends.unwrap_or_default();
        let effect = if self.frame.sent == Some(name) {
            &format!(": it goes into the queue{ends}")
        } else if task.end.is_some() {
            ": too late, it is finished"
        } else if before.is_polled(name) && self.frame.noted {
            " during its poll, and *only sets* the bit `SCHEDULED`"
        } else if before.is_polled(name) {
            " during its poll"
        } else {
            &ends
        };
        let whom = match self.inside() {
            Some(inside) if *inside == name => "*wakes* itself".to_owned(),
            _ => format!("*wakes* `{name}`"),
        };
        format!("{} {whom}{effect}", self.by())
    }
}

/// What became of the numbers in a word.
fn counted(lane: &Lane, before: u64, after: u64) -> String {
    let mut changes = Vec::new();
    for ((name, before), (_, after)) in lane.fields(before).zip(lane.fields(after)) {
        if before != after {
            changes.push(format!("{name} {before} → {after}"));
        }
    }
    changes.join(", ")
}
