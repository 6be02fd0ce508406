//! Goes through a recording event by event, and makes a frame of each that is a step by itself.

use probe::What;

use crate::{
    beside::{Kind, Place},
    run::{
        Event, Run,
        deed::Times,
        frame::Frame,
        happened::{By, Seen},
        place::happens,
        sentence::sentence,
        state::State,
    },
};

/// The frames of a run, which has this label in its player.
pub(crate) fn frames(label: &str, run: &Run, places: &[Place]) -> Vec<Frame> {
    let mut state = start(run, places);
    let mut times = Times::default();
    let mut frames = Vec::new();
    for (number, event) in run.events.iter().enumerate() {
        let later = &run.events[number + 1..];
        let before = state.clone();
        let mut change = state.apply(run, event);
        if let Some(write) = its_write(run, event, later) {
            change = change.and(state.apply(run, write));
        }
        if run.is_half(event) {
            continue;
        }
        let deed = times.next(event);
        let keys = deed.keys(label);
        let added = keys.iter().find_map(|key| run.beside.says.get(key));
        if added.is_some_and(String::is_empty) {
            continue; // another step says it
        }
        let is_last = !later.iter().any(|other| other.thread == event.thread);
        let seen = Seen {
            run,
            event,
            is_last,
            before: &before,
            change,
            after: &state,
        };
        let happened = seen.happened();
        let text = sentence(&By::of(event, &before), &happened);
        let mut frame = Frame {
            event: event.clone(),
            number,
            x: 0.0,
            keys,
            deed,
            happened,
            text: text + added.map_or("", |text| text),
            state: state.clone(),
        };
        for (place, there) in places.iter().zip(&mut state.places) {
            frame.text += &happens(place, there, &frame);
        }
        frame.state.places.clone_from(&state.places);
        if frame.is_forever() {
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
