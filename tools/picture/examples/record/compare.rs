//! A recording as the book has it, and whether it is still the same.

use std::fs;

use kit::{files, source};
use picture::{Beside, Kind, Lane, NOT_SHOWN};
use probe::{Event, Recording, What};

/// A wait that is shorter is one for a lock: of the probe, or of the memory. No two runs have the same of those.
const SHORTEST_SLEEP: u64 = 1_000_000;

/// Runs something, and records it.
pub type Run<'a> = dyn Fn() -> Recording + 'a;

/// Compares what a run does now with `book/recordings`: the events and their order. With `write`, writes it if it differs. If not,
/// the file stays as it is, because its times differ each time.
pub fn check(name: &str, beside: &Beside, run: &Run<'_>, write: bool) -> Result<(), String> {
    let file = format!("book/recordings/{name}.json");
    let path = files::root().join(&file);
    let there = fs::read_to_string(&path).unwrap_or_default();
    let wanted = order(serde_json::from_str(&there).unwrap_or_default());
    let now = as_shown(beside, run());
    if order(now.clone()) == wanted {
        return Ok(());
    }
    if write {
        return fs::write(&path, now.to_json() + "\n").map_err(|error| format!("{file}: {error}"));
    }
    let [now, wanted] = [order(now), wanted].map(|it| it.to_json());
    Err(format!(
        "{file}: stale. In this order now:\n{now}In the book:\n{wanted}"
    ))
}

/// What two recordings of one run have in common.
///
/// Who slept when is left out: Linux alone tells that. So are the times, and the numbers of wakers:
/// whether the next poll gets the number of a waker that was woken is a race with the thread that woke it, which has yet to drop it.
fn order(mut recording: Recording) -> Recording {
    let is_park = |what: &What| matches!(what, What::Park | What::Unpark);
    recording.events.retain(|it| !is_park(&it.what));
    for event in &mut recording.events {
        event.at = 0;
        match &mut event.what {
            What::Poll { waker } | What::Keep { waker } => *waker = 0,
            What::Release { waker } | What::Wake { waker, .. } => *waker = 0,
            _ => {}
        }
    }
    recording
}

/// Without what the picture doesn't show, and with the names of the threads.
fn as_shown(beside: &Beside, mut recording: Recording) -> Recording {
    leave_out_short_sleeps(&mut recording);
    in_order_of_their_tasks(&mut recording);
    for (thread, name) in recording.threads.iter_mut().zip(&beside.threads) {
        thread.name.clone_from(name);
    }
    keep_objects(&beside.lanes, &mut recording);
    let has_wakers = beside.lanes.iter().any(|lane| lane.is == Kind::Wakers);
    let of_wakers = |what: &What| matches!(what, What::Keep { .. } | What::Release { .. });
    let events = &mut recording.events;
    events.retain(|event| has_wakers || !of_wakers(&event.what));
    recording
}

fn leave_out_short_sleeps(recording: &mut Recording) {
    let all = recording.events.clone();
    let is_its = |park: &Event, it: &Event| it.thread == park.thread && it.what == What::Unpark;
    for (number, park) in (1..).zip(&all).filter(|it| it.1.what == What::Park) {
        let end = all[number..].iter().find(|it| is_its(park, it));
        if let Some(end) = end.filter(|end| end.at - park.at < SHORTEST_SLEEP) {
            recording.events.retain(|it| it != park && it != end);
        }
    }
}

/// Keeps what is done to words and locks that have a lane, or in lines that have one, and nothing else that is done to such. They are
/// numbered in the order of their first use. The line of each event is named by its text, because its number would change with every
/// line before it.
fn keep_objects(lanes: &[Lane], recording: &mut Recording) {
    let with_places = recording.events.iter_mut();
    for event in with_places.filter(|event| !event.place.is_empty()) {
        event.place = with_text(&event.place);
    }
    let objects = picture::objects(lanes, recording);
    let mut used = Vec::new();
    recording.events.retain_mut(|event| {
        let is_word = matches!(event.what, What::Word { .. });
        let Some(number) = object(&mut event.what) else {
            return event.place.is_empty();
        };
        let is_shown = objects.contains(&Some(*number));
        if is_shown && !used.contains(number) {
            used.push(*number);
        }
        let place = used.iter().position(|other| other == number);
        *number = place.map_or(NOT_SHOWN, |place| place as u32 + 1);
        let is_told = |lane: &Lane| lane.is_of(&event.place);
        is_shown && (is_word || event.place.contains(": let ")) || lanes.iter().any(is_told)
    });
}

/// The number of the word or lock.
fn object(what: &mut What) -> Option<&mut u32> {
    match what {
        What::Word { word: it, .. } | What::Lock { lock: it } | What::Unlock { lock: it } => {
            Some(it)
        }
        _ => None,
    }
}

/// `FILE: the code in that line`, of `FILE:LINE`.
fn with_text(place: &str) -> String {
    let (file, line) = place.rsplit_once(':').unwrap_or_default();
    let text = fs::read_to_string(files::root().join(file)).unwrap_or_default();
    let line = line.parse().map_or(0, |it: usize| it - 1);
    let code = source::code(&text);
    format!("{file}: {}", code.get(line).unwrap_or(&""))
}

/// The threads in the order in which they had to do with a task. Which worker is the first to lock the queue, nobody can say.
fn in_order_of_their_tasks(recording: &mut Recording) {
    let first = |thread: u32| {
        let is_its = |event: &Event| event.thread == thread && event.task.is_some();
        let place = recording.events.iter().position(is_its);
        place.unwrap_or(usize::MAX)
    };
    let mut order: Vec<u32> = recording.threads.iter().map(|it| it.id).collect();
    // The first is the thread that records.
    order[1..].sort_by_key(|thread| first(*thread));
    for event in &mut recording.events {
        let place = order.iter().position(|it| *it == event.thread);
        event.thread = place.map_or(0, |it| it as u32 + 1);
    }
}
