//! What goes from lane to lane: a wake, a steal, a task that is put into a queue.

use std::collections::BTreeMap;

use super::strips::Strips;
use crate::{
    player::{measures::*, svg::Picture},
    run::{Name, frame::Frame, happened::Happened, queue::Queue, state::Thread},
};

/// A lane that an arrow may lead to.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Row<'a> {
    Thread(&'a str),
    Queue(Queue),
    /// By its name, as `players.toml` has it.
    Bit(&'a str),
}

/// How far down the lanes are: a thread's middle, or else the top.
pub(super) type Tops<'a> = BTreeMap<Row<'a>, f32>;

/// Draws what a frame does beside its thread.
pub(super) fn draw(strips: &Strips<'_>, picture: &mut Picture, frame: &Frame, tops: &Tops<'_>) {
    let Some(from) = tops.get(&Row::Thread(frame.event.thread)).copied() else {
        return;
    };
    if let Some(task) = frame.of(&strips.player.beside.omits) {
        omitted(picture, frame.x, from + POLL, task);
    }
    if let Happened::Steals { from: victim, .. } = &frame.happened {
        let top = tops[&Row::Queue(victim.clone())];
        let (from, top) = if from > top {
            (from - AWAKE, top)
        } else {
            (from + AWAKE, top + SLOT)
        };
        picture.arrow("wake", frame.x, top, from);
    }
    // A number that has a lane is noted there.
    let has_lane = |(name, ..): &(String, u64, u64)| tops.contains_key(&Row::Bit(name));
    let note = match &frame.happened {
        Happened::Writes(write) if !write.changes.iter().any(has_lane) => {
            frame.of(&strips.player.beside.notes)
        }
        _ => None,
    };
    if let Some(note) = note {
        picture.note("note", frame.x, from - ABOVE, note);
    }
    let edge = |is_below| edge(&frame.state.threads[frame.event.thread], is_below);
    if let Some(top) = frame.raised().find_map(|name| tops.get(&Row::Bit(name))) {
        let is_below = *top > from;
        let to = if is_below { *top } else { top + SLOT };
        picture.arrow("", frame.x, from + edge(is_below), to);
    }
    let woken = frame.wake().map(|wake| wake.task);
    let Some(task) = frame.put().or(woken) else {
        return;
    };
    let Some(target) = Target::of(strips, frame, task, tops) else {
        return;
    };
    let is_arrow = (from - target.middle).abs() >= SHORTEST_ARROW;
    if let Some(note) = frame.of(&strips.player.beside.notes) {
        // A sign has its note on its right, so that this does not appear before the wake.
        let (class, x) = match is_arrow {
            true => ("at left note", frame.x - BEFORE_WAKE),
            false => ("note wide", frame.x + BEFORE_WAKE),
        };
        picture.note(class, x, from - ABOVE, note);
    }
    if is_arrow {
        let class = if woken.is_some() { "wake" } else { "" };
        let is_below = target.middle > from;
        let to = target.middle + target.edge;
        return picture.arrow(class, frame.x, from + edge(is_below), to);
    }
    let (class, sign) = match frame.wake() {
        Some(wake) if !strips.player.is_wasted(frame) => {
            (strips.class(wake.owner.unwrap_or(task)), "↻")
        }
        _ => ("bad".to_owned(), "✗"),
    };
    picture.text(&format!("sign {class}"), frame.x, from - ABOVE, sign);
}

/// The box of a poll that is left out.
fn omitted(picture: &mut Picture, x: f32, middle: f32, task: &str) {
    let (begin, end) = OMITTED;
    let words = format!("✗ {task}: not polled");
    picture.bar("omits", (x + begin, x + end), middle, OMITTED_HALF);
    let baseline = middle + BASELINE;
    picture.text("out wide bad", x + OMITTED_TEXT, baseline, &words);
    picture.text("out narrow bad", x + OMITTED_SIGN, baseline, "✗");
}

/// How far the edge of what a thread does is from the middle of its lane, so that no arrow crosses what is written there.
fn edge(thread: &Thread, is_below: bool) -> f32 {
    match thread.polls.len() {
        0 if is_below => AWAKE,
        0 => -AWAKE,
        depth if is_below => POLL * (depth as f32 - 0.5),
        _ => -POLL / 2.0,
    }
}

/// What an arrow points to: its middle, and how far from that its edge is, on the side from which the arrow comes.
struct Target {
    middle: f32,
    edge: f32,
}

impl Target {
    /// From the thread to a queue, to the bit that says that the task was woken, or to the thread whose poll follows.
    fn of(strips: &Strips<'_>, frame: &Frame, task: Name, tops: &Tops<'_>) -> Option<Target> {
        let state = &frame.state;
        let queue = state.queue_of(task).filter(|_| !frame.is_own_wake());
        let from = tops[&Row::Thread(frame.event.thread)];
        let slot = |top: f32, number: usize| {
            let middle = top + SLOT * (number as f32 + 0.5);
            let edge = SLOT / 2.0 * (from - middle).signum();
            Target { middle, edge }
        };
        // Then the poller's thread puts the task into the queue.
        if frame.sets_bit() {
            return Some(slot(*tops.get(&Row::Bit("SCHEDULED"))?, 0));
        }
        if let Some(queue) = queue {
            let number = strips.row_of(task, queue, frame);
            return Some(slot(*tops.get(&Row::Queue(queue.clone()))?, number));
        }
        let poller = state.tasks.get(task)?.poller?;
        let middle = *tops.get(&Row::Thread(poller))?;
        let edge = edge(&state.threads[poller], from > middle);
        Some(Target { middle, edge })
    }
}
