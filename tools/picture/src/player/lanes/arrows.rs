//! What goes from lane to lane: a wake, a steal, a task that is put into a queue.

use std::collections::BTreeMap;

use probe::What;

use super::strips::Strips;
use crate::{
    player::{measures::*, svg::Picture},
    run::{Name, frame::Frame},
};

/// How far down the lanes are, by their names: a thread's middle, or else the top.
pub(super) type Tops<'a> = BTreeMap<&'a str, f32>;

/// Draws what a frame does beside its thread.
pub(super) fn draw(strips: &Strips<'_>, picture: &mut Picture, frame: &Frame, tops: &Tops<'_>) {
    let Some(from) = tops.get(frame.event.thread).copied() else {
        return;
    };
    if let Some(task) = frame.of(&strips.player.beside.omits) {
        omitted(picture, frame.x, from + POLL, task);
    }
    if let Some((victim, _)) = &frame.stolen {
        picture.arrow("wake", frame.x, tops[victim.as_str()] + SLOT, from);
    }
    let woken = frame.event.task.filter(|_| frame.is_wake());
    let Some(task) = frame.put().or(woken) else {
        return;
    };
    let Some(target) = Target::of(frame, task, tops) else {
        return;
    };
    let is_arrow = (from - target.middle).abs() >= SHORTEST_ARROW;
    if let Some(note) = frame.of(&strips.player.beside.notes) {
        let wide = if is_arrow { "" } else { " wide" };
        let class = format!("at left note{wide}");
        picture.note(&class, frame.x - BEFORE_WAKE, from - ABOVE, note);
    }
    if is_arrow {
        let class = if frame.is_wake() { "wake" } else { "" };
        let to = target.middle + target.edge * (from - target.middle).signum();
        return picture.arrow(class, frame.x, from, to);
    }
    let (class, sign) = match frame.event.what {
        What::Wake { waker, .. } if !frame.is_stale() => {
            let owner = strips.part.run.owner(waker);
            (strips.class(owner.unwrap_or(task)), "↻")
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

/// What an arrow points to: its middle, and how far from that its edge is.
struct Target {
    middle: f32,
    edge: f32,
}

impl Target {
    /// From the thread to a queue, to the bit that says that the task was woken, or to the thread whose poll follows.
    fn of(frame: &Frame, task: Name, tops: &Tops<'_>) -> Option<Target> {
        let state = &frame.state;
        let queue = state.queue_of(task).filter(|_| !frame.is_own_wake());
        // A wake during a poll leads to the bit, and the poller's thread puts the task into the queue.
        let is_bit = frame.noted && state.is_polled(task);
        let slot = |top: f32, number: usize| Target {
            middle: top + SLOT * (number as f32 + 0.5),
            edge: SLOT / 2.0,
        };
        if is_bit {
            let number = queue.map_or(0, |queue| place_in(&state.queues[queue], task));
            return Some(slot(*tops.get("SCHEDULED")?, number));
        }
        if let Some(queue) = queue {
            let number = place_in(&state.queues[queue], task);
            return Some(slot(*tops.get(queue.as_str())?, number));
        }
        let poller = state.tasks.get(task)?.poller?;
        let middle = *tops.get(poller)?;
        let is_polling = !state.threads[poller].polls.is_empty();
        let edge = if is_polling { POLL / 2.0 } else { AWAKE };
        Some(Target { middle, edge })
    }
}

fn place_in(queue: &[Name], task: Name) -> usize {
    queue.iter().position(|name| *name == task).unwrap_or(0)
}
