//! What an event did, in words.

use probe::What;

use crate::{
    frame::Frame,
    run::{Kind, Lane, Run, Wording},
    state::State,
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
    fn on(&self) -> &str {
        self.run.thread(self.frame.event.thread)
    }

    /// The future inside whose poll it happened.
    fn inside(&self) -> Option<u32> {
        let thread = self.before.threads.get(&self.frame.event.thread);
        thread.and_then(|it| it.polls.last().copied())
    }

    /// That, or the thread.
    fn by(&self) -> String {
        let inside = self.inside().map(|it| self.code(it));
        inside.unwrap_or(self.on().to_owned())
    }

    fn code(&self, task: u32) -> String {
        format!("`{}`", self.run.task(task))
    }

    /// A thread did something by itself.
    fn thread(&self) -> String {
        let (on, by, place) = (self.on(), self.by(), &self.frame.event.place);
        let has_lane = self.run.has(Kind::Lock);
        match self.frame.event.what {
            What::Park if self.inside().is_some() => format!("{on} sleeps inside the poll of {by}"),
            What::Park if self.run.has(Kind::Queue) => format!("{on} sleeps: the queue is empty"),
            What::Park => format!("{on} sleeps"),
            What::Lock { .. } if has_lane => format!("{by} *takes* the lock"),
            What::Unlock { .. } if has_lane => format!("{by} *releases* the lock"),
            What::Lock { lock } => format!("{on} takes lock {lock} at {place}"),
            What::Unlock { lock } => format!("{on} releases lock {lock}"),
            What::Notify { condvar: it } => {
                format!("{on} notifies condition variable {it} at {place}")
            }
            What::Wait { condvar: it } => {
                format!("{on} waits at condition variable {it} at {place}")
            }
            _ => format!("{on} goes on"),
        }
    }

    /// A thread wrote a word.
    fn word(&self, old: u64, new: u64) -> String {
        let (on, event, lanes) = (self.on(), &self.frame.event, &self.run.lanes);
        if let Some((victim, count)) = self.frame.stolen {
            let (of, victim) = (self.before.queues[&victim].len(), lanes[victim].name());
            return format!("{on} *steals* half of {victim}: {count} of {of} tasks");
        }
        let place = self.run.word(&event.what);
        let change = match place.map(|it| &lanes[it]) {
            Some(lane) if lane.kind == Kind::Counted => return self.put(lane, place),
            Some(lane) if lane.kind == Kind::Counts => counted(lane, old, new),
            Some(lane) => written(lane, old, new),
            None => String::new(),
        };
        let told = self.run.line(event).map_or("", |it| &it.header);
        let change = match (told, change.as_str()) {
            ("", "") => format!("writes a word, from {old:b} to {new:b} at {}", event.place),
            ("", it) | (it, "") => it.to_owned(),
            (told, change) => format!("{told}: {change}"),
        };
        let sent = self
            .frame
            .sent
            .map_or("", |_| ", and puts it into the queue");
        format!("{on} {change}{sent}")
    }

    /// A task is put into a slot or the injector.
    fn put(&self, lane: &Lane, place: Option<usize>) -> String {
        let task = self.frame.sent.map_or(String::new(), |it| self.code(it));
        let mut earlier = place
            .and_then(|it| self.before.queues.get(&it))
            .into_iter()
            .flatten();
        let is_gone = |it: &&u32| !self.frame.state.queues[&place.unwrap()].contains(it);
        let moves = earlier.find(is_gone).map_or(String::new(), |it| {
            format!(", and {} moves to the back of the queue", self.code(*it))
        });
        format!(
            "{} spawns {task}: it goes into {}{moves}",
            self.by(),
            lane.name()
        )
    }

    /// Something happened to a future.
    fn task(&self, id: u32) -> String {
        let (on, name, task) = (self.on(), self.run.task(id), self.code(id));
        let is_sent = self.frame.sent == Some(id);
        let checks = self.run.wording == Wording::Checks;
        match self.frame.event.what {
            What::Spawn | What::Poll { .. } if name == on => format!("{on} sends the data"),
            What::Ready | What::Drop if name == on => format!("{on} is done"),
            What::Spawn if is_sent => format!("{task} is spawned, which puts it into the queue"),
            What::Spawn => format!("{task} is made"),
            What::Poll { .. } if checks => format!("{on} checks"),
            What::Poll { .. } => self.poll(&task),
            What::Pending if checks => "there is nothing yet".to_owned(),
            What::Pending if is_sent => {
                format!("{task} is *Pending*, and goes back into the queue at once")
            }
            What::Pending => format!("{task} is *Pending*"),
            What::Again { polls } => {
                format!("{on} polls {task} *{polls} times* more, and it is pending each time")
            }
            What::Ready if checks => "the data is there".to_owned(),
            What::Ready => format!("{task} is *Ready*"),
            What::Panic => format!("{task} panics"),
            What::PollAfterReady => format!("{on} polls {task}, which was ready before"),
            What::Drop => format!("{task} is dropped"),
            What::Keep { .. } => format!("a clone of {task}'s waker is stored"),
            What::Release { .. } => format!("a clone of {task}'s waker is dropped, not woken"),
            What::Wake { waker, .. } if waker < self.before.tasks[&id].waker => {
                format!("{on} calls an *old waker* of {task}, not that of its latest poll")
            }
            _ => self.wake(id),
        }
    }

    fn poll(&self, task: &str) -> String {
        let on = self.on();
        let Some(lane) = self.frame.taken.map(|it| &self.run.lanes[it]) else {
            return format!("{} polls {task}", self.by());
        };
        let (place, its) = (lane.name(), format!("{on}'s "));
        if lane.kind == Kind::OwnQueue && !place.starts_with(&its) {
            return format!("{on} polls {task}, which it has stolen");
        }
        let place = place.replace(&its, "its ");
        format!("{on} takes {task} from {place} and polls it")
    }

    fn wake(&self, id: u32) -> String {
        let (run, before, task) = (self.run, self.before, &self.frame.state.tasks[&id]);
        let sleeper = task.poller.filter(|it| {
            let thread = before.threads.get(it);
            thread.is_some_and(|it| it.asleep && it.polls.is_empty())
        });
        let ends = sleeper.map_or(String::new(), |it| {
            format!(", which ends the sleep of {}", run.thread(it))
        });
        let effect = if self.frame.sent == Some(id) {
            &format!(": it goes into the queue{ends}")
        } else if task.end.is_some() {
            ": too late, it is finished"
        } else if run.wording == Wording::Flags {
            ": that sets its flag, and ends no sleep"
        } else if before.is_polled(id) && run.has(Kind::SharedQueue) {
            " during its poll: that is noted"
        } else if before.is_polled(id) {
            " during its poll"
        } else if before.queue_of(id).is_some() {
            ": it's in the queue already, so the wakes count as one"
        } else {
            &ends
        };
        let whom = match self.inside() {
            _ if run.wording == Wording::PlainWakes => "*calls* `wake`".to_owned(),
            Some(inside) if inside == id => "*wakes* itself".to_owned(),
            _ => format!("*wakes* {}", self.code(id)),
        };
        format!("{} {whom}{effect}", self.by())
    }
}

/// What became of the bits of a word.
fn written(lane: &Lane, before: u64, after: u64) -> String {
    let bits = |changed: u64| {
        let bits = lane.fields(changed).filter(|it| it.1 > 0);
        let bits = bits.map(|(name, _)| format!("`{name}`"));
        bits.collect::<Vec<_>>().join(" and ")
    };
    let (set, cleared) = (bits(after & !before), bits(before & !after));
    let change = match (set.as_str(), cleared.as_str()) {
        ("", "") => format!("finds {} *set already*", bits(after)),
        (set, "") => format!("*sets* {set}"),
        ("", cleared) => format!("*clears* {cleared}"),
        (set, cleared) => format!("*sets* {set} and *clears* {cleared}"),
    };
    format!("{change}, in {}", lane.header)
}

/// What became of the numbers in a word.
fn counted(lane: &Lane, before: u64, after: u64) -> String {
    let changes = lane.fields(before).zip(lane.fields(after));
    let changes = changes.filter(|(before, after)| before != after);
    let changes = changes.map(|((name, before), (_, after))| format!("{name} {before} → {after}"));
    changes.collect::<Vec<_>>().join(", ")
}
