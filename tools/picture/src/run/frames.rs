//! Goes through a recording event by event, and makes a frame of each that is a step by itself.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    beside::{Kind, Place},
    run::{Event, Run, frame::Frame, place::happens, sentence::sentence, state::State},
};

/// The frames of a run, which has this label in its player.
pub(crate) fn frames(label: &str, run: &Run, places: &[Place]) -> Vec<Frame> {
    let mut state = start(run, places);
    let mut times = Times::default();
    let mut frames = Vec::new();
    for (number, event) in run.events.iter().enumerate() {
        let later = &run.events[number + 1..];
        let before = state.clone();
        state.apply(run, event);
        if let Some(write) = its_write(run, event, later) {
            state.apply(run, write);
        }
        if run.is_half(event) {
            continue;
        }
        let deed = times.deed(event);
        let keys = keys(label, &deed);
        let added = keys.iter().find_map(|key| run.beside.says.get(key));
        if added.is_some_and(String::is_empty) {
            continue; // another step says it
        }
        let mut queued = state.queues.values().flatten().copied();
        let is_last = !later.iter().any(|other| other.thread == event.thread);
        let mut frame = Frame {
            event: event.clone(),
            x: 0.0,
            keys,
            deed,
            text: String::new(),
            taken: taken(&before, event),
            stolen: run.stolen(event),
            sent: queued.find(|task| before.queue_of(task).is_none()),
            noted: before.words != state.words,
            is_forever: event.what == What::Park && is_last,
            state: state.clone(),
        };
        frame.text = sentence(run, &frame, &before) + added.map_or("", |text| text);
        for (place, there) in places.iter().zip(&mut state.places) {
            frame.text += &happens(place, there, &frame);
        }
        frame.state.places.clone_from(&state.places);
        if frame.is_forever {
            frame.text += ", and nothing ends this sleep";
        }
        frames.push(frame);
    }
    frames
}

/// Before the first event. A word that has not been written yet is what it is when it is written first.
fn start(run: &Run, places: &[Place]) -> State {
    let mut state = State::default();
    state.places.resize(places.len(), Vec::new());
    for event in run.events.iter().rev() {
        if let (What::Word { before, .. }, Some(lane)) = (&event.what, run.word(&event.what)) {
            state.words.insert(lane.name().to_owned(), *before);
        }
    }
    state
}

/// The state of a task is written after its poll or its wake, and is a part of that.
fn its_write<'a>(run: &Run, event: &Event, later: &'a [Event]) -> Option<&'a Event> {
    let next = later.first()?;
    let is_state = run
        .word(&next.what)
        .is_some_and(|lane| lane.is == Kind::Word);
    (is_state && next.thread == event.thread).then_some(next)
}

/// The queue from which a task was taken that is polled.
fn taken(before: &State, event: &Event) -> Option<String> {
    let is_poll = matches!(event.what, What::Poll { .. });
    let polled = event.task.filter(|_| is_poll)?;
    let thread = before.threads.get(event.thread);
    let takes = thread.and_then(|thread| thread.takes.as_ref());
    let from = takes.map(|(_, queue)| queue);
    from.or_else(|| before.queue_of(polled)).cloned()
}

/// How many times each thing has happened so far.
#[derive(Default)]
struct Times(BTreeMap<String, u32>);

impl Times {
    /// The kind of an event, its future or thread, and which of these it is: `poll one 2`.
    fn deed(&mut self, event: &Event) -> String {
        let whose = format!(
            "{} {}",
            kind(&event.what),
            event.task.unwrap_or(event.thread)
        );
        let time = self.0.entry(whose.clone()).or_insert(0);
        *time += 1;
        format!("{whose} {time}")
    }
}

/// What `players.toml` calls it.
fn kind(what: &What) -> &'static str {
    match what {
        What::Spawn => "spawn",
        What::Poll { .. } => "poll",
        What::Pending => "pending",
        What::Ready => "ready",
        What::Panic => "panic",
        What::PollAfterReady => "pollafterready",
        What::Drop => "drop",
        What::Keep { .. } => "keep",
        What::Release { .. } => "release",
        What::Wake { .. } => "wake",
        What::Word { .. } => "word",
        What::Lock { .. } => "lock",
        What::Unlock { .. } => "unlock",
        What::Notify { .. } => "notify",
        What::Wait { .. } => "wait",
        What::Park => "park",
        What::Unpark => "unpark",
    }
}

/// The names of an event in `players.toml`, the most exact first.
fn keys(label: &str, deed: &str) -> Vec<String> {
    let whose = deed.rsplit_once(' ').map_or(deed, |(whose, _)| whose);
    let what = deed.split(' ').next().unwrap_or(deed);
    let mut keys: Vec<String> = Vec::new();
    for key in [deed, whose, what] {
        keys.push(format!("{label} {key}"));
    }
    keys.extend([deed, whose, what].map(str::to_owned));
    keys
}
