//! Goes through a recording event by event: what is where after each, and what the event did.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    run::{Event, Kind, Name, Place, Run},
    sentence::sentence,
    state::State,
};

const FOREVER: &str = ", and nothing ends this sleep";

/// The state after one event, and what the event did.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) event: Event,
    /// Where it is drawn, in percent of the width.
    pub(crate) x: f32,
    /// What `players.toml` may call the event: as the second of its kind and its future or thread, as any of these, and as any of
    /// its kind. First, as that of this run.
    pub(crate) keys: Vec<String>,
    /// The first of these without the run: what two runs may have in common.
    pub(crate) deed: String,
    /// As a sentence, with marks for style.
    pub(crate) text: String,
    /// The queue that a task was taken from, and the thread whose executor chose it.
    pub(crate) taken: Option<String>,
    /// The worker's queue that it came from, and how many came with it.
    pub(crate) stolen: Option<(String, usize)>,
    /// The task that came into a queue.
    pub(crate) sent: Option<Name>,
    /// Whether it wrote the state of a task.
    pub(crate) noted: bool,
    pub(crate) state: State,
}

/// The state after each event.
pub(crate) fn frames(label: &str, run: &Run, places: &[Place]) -> Vec<Frame> {
    let (mut state, mut times) = (State::default(), BTreeMap::new());
    state.places.resize(places.len(), Vec::new());
    // Before it is first written, a word is what it is then.
    for event in run.events.iter().rev() {
        if let (What::Word { before, .. }, Some(lane)) = (&event.what, run.word(&event.what)) {
            state.words.insert(lane.name().to_owned(), *before);
        }
    }
    let mut frames = Vec::new();
    for (number, event) in (1..).zip(&run.events) {
        let before = state.clone();
        state.apply(run, event);
        // The state of a task is written after its poll or its wake, and is a part of that.
        let is_state = |it: &Event| run.word(&it.what).is_some_and(|it| it.is == Kind::Word);
        let next = run.events.get(number).filter(|it| is_state(it));
        if let Some(next) = next.filter(|it| it.thread == event.thread) {
            state.apply(run, next);
        }
        let mut later = run.events[number..].iter();
        let is_last = !later.any(|it| it.thread == event.thread);
        if run.is_half(event) {
            continue;
        }
        let deed = deed(event, &mut times);
        let keys = keys(label, &deed);
        let said = keys.iter().find_map(|key| run.beside.says.get(key));
        if said.is_none_or(|it| !it.is_empty()) {
            let mut queued = state.queues.values().flatten().copied();
            let mut frame = Frame {
                event: event.clone(),
                x: 0.0,
                keys,
                deed,
                text: String::new(),
                taken: taken(&before, event),
                stolen: run.stolen(event),
                sent: queued.find(|it| before.queue_of(it).is_none()),
                noted: before.words != state.words,
                state: state.clone(),
            };
            frame.text = sentence(run, &frame, &before) + said.map_or("", |it| it);
            for (place, there) in places.iter().zip(&mut state.places) {
                frame.text += &happens(place, there, &frame);
            }
            frame.state.places.clone_from(&state.places);
            if event.what == What::Park && is_last {
                frame.text += FOREVER;
            }
            frames.push(frame);
        }
    }
    frames
}

/// The kind of an event, its future or thread, and which of these it is: `poll one 2`.
fn deed(event: &Event, times: &mut BTreeMap<String, u32>) -> String {
    let what = format!("{:?}", event.what).to_lowercase();
    let what = what.split(' ').next().unwrap_or_default();
    let whose = format!("{what} {}", event.task.unwrap_or(event.thread));
    let time = times.entry(whose.clone()).or_insert(0);
    *time += 1;
    format!("{whose} {time}")
}

/// Its names, the most exact first.
fn keys(label: &str, deed: &str) -> Vec<String> {
    let whose = deed.rsplit_once(' ').map_or(deed, |it| it.0);
    let what = deed.split(' ').next().unwrap_or(deed);
    let keys = [deed, whose, what].map(str::to_owned);
    [keys.each_ref().map(|it| format!("{label} {it}")), keys].concat()
}

fn taken(before: &State, event: &Event) -> Option<String> {
    let is_poll = matches!(event.what, What::Poll { .. });
    let polled = event.task.filter(|_| is_poll)?;
    let thread = before.threads.get(event.thread);
    let takes = thread.and_then(|it| Some(&it.takes.as_ref()?.1));
    takes.or_else(|| before.queue_of(polled)).cloned()
}

impl Frame {
    /// What `players.toml` says of it.
    pub(crate) fn of<'a, T>(&self, said: &'a BTreeMap<String, T>) -> Option<&'a T> {
        self.keys.iter().find_map(|key| said.get(key))
    }

    pub(crate) fn is_forever(&self) -> bool {
        self.text.ends_with(FOREVER)
    }

    pub(crate) fn is_wake(&self) -> bool {
        matches!(self.event.what, What::Wake { .. })
    }

    /// Whether it is a wake by a waker that is not that of the future's latest poll.
    pub(crate) fn is_stale(&self) -> bool {
        let latest = self.event.task.and_then(|it| self.state.tasks.get(it));
        matches!(self.event.what, What::Wake { waker, .. } if latest.is_some_and(|it| waker < it.waker))
    }

    /// Whether it is a wake that is not drawn from one lane to another, because the thread that makes it polls the task.
    pub(crate) fn is_own_wake(&self) -> bool {
        let task = self.event.task.and_then(|it| self.state.tasks.get(it));
        let is_own = task.is_some_and(|it| it.poller == Some(self.event.thread));
        self.is_wake() && is_own && self.sent.is_none()
    }

    /// The task that a thread puts into a queue of its own accord.
    pub(crate) fn put(&self) -> Option<Name> {
        self.sent
            .filter(|_| matches!(self.event.what, What::Word { .. } | What::Pending))
    }
}

/// What an event does to a place: the first of what [`Place`] `says`, and so on.
#[derive(Clone, Copy)]
enum Outcome {
    Enters,
    Full,
    Leaves,
    NoneThere,
}

/// What the event does in a place, and what is said of that.
fn happens(place: &Place, there: &mut Vec<Name>, frame: &Frame) -> String {
    let event = &frame.event;
    let inside = frame.state.threads[event.thread].polls.last().copied();
    let who = event.task.or(inside).unwrap_or(event.thread);
    let is_one = |list: &[String]| frame.keys.iter().any(|key| list.contains(key));
    let mut gone = "";
    let outcome = if is_one(&place.enter) {
        if place.room > 0 && there.len() == place.room {
            Outcome::Full
        } else {
            there.push(who);
            Outcome::Enters
        }
    } else if !is_one(&place.leave) {
        return String::new();
    } else if there.is_empty() {
        Outcome::NoneThere
    } else {
        gone = there.remove(there.iter().position(|it| *it == who).unwrap_or(0));
        Outcome::Leaves
    };
    place.says[outcome as usize].replace("{}", &format!("`{gone}`"))
}
