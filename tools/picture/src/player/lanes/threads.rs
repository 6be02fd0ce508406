//! The lane of a thread: when it is awake, and which futures it polls.

use super::strips::{Strip, Strips};
use crate::{
    player::{
        measures::*,
        svg::{Fits, Picture},
    },
    run::{
        Name,
        frame::Frame,
        state::{End, State, Thread},
    },
};

pub(super) fn draw<'a>(strips: &Strips<'a>, picture: &mut Picture, thread: &str) {
    let (part, middle) = (strips.part, picture.y + LANE / 2.0);
    let state = |state: &'a State| state.threads.get(thread);
    picture.dots(middle);
    // The thread that began the recording is awake before its first event.
    let is_first = part.run.threads[0] == thread;
    let is_awake = |state: Option<&Thread>| state.map_or(is_first, |thread| !thread.asleep);
    let latest = part
        .frames
        .iter()
        .rfind(|frame| frame.event.thread == thread);
    for awake in strips.of(|here| is_awake(state(here)).then_some(())) {
        let (from, end) = awake.span;
        let is_unknown = awake.end.is_none() && !is_first;
        let last_seen = latest.filter(|_| is_unknown);
        let to = last_seen.map_or(end, |frame| frame.x + LAST_SEEN);
        picture.bar("awake", (from, to), middle, AWAKE);
    }
    // A poll inside another one is drawn below it.
    let polls = strips.slots(|here, depth| state(here)?.polls.get(depth).copied());
    let height = LANE + POLL * polls.len().saturating_sub(1) as f32;
    for (depth, polls) in polls.into_iter().enumerate() {
        for poll in polls {
            draw_poll(strips, picture, depth, &poll);
        }
    }
    // Asleep, inside so many polls.
    let asleep = |thread: &Thread| thread.asleep.then_some(thread.polls.len());
    for sleep in strips.of(|here| state(here).and_then(asleep)) {
        let (from, to) = sleep.span;
        let is_forever = latest.is_some_and(Frame::is_forever);
        if is_forever && sleep.end.is_none() {
            picture.bar("bad", (from, to), middle, FOREVER);
            // In the bar, where no sign of a wake can lie on it.
            let words = ["asleep forever", "forever"];
            if !picture.label((from, to), middle, &words).on_a_phone {
                let class = "at left note bad narrow";
                picture.text(class, RIGHT, middle - ABOVE, words[1]);
            }
        } else if to - from > ROOM_FOR_ASLEEP && sleep.what > 0 {
            // The name of the task is at the beginning of the poll.
            let end = to - BEFORE_LABEL;
            picture.text("at left inside", end, middle + BASELINE, "asleep");
        } else if to - from > ROOM_FOR_ASLEEP {
            picture.text("at", (from + to) / 2.0, middle + BASELINE, "asleep");
        }
    }
    picture.lane(thread, height);
}

fn draw_poll(strips: &Strips<'_>, picture: &mut Picture, depth: usize, poll: &Strip<'_, Name>) {
    let (player, task, (from, to)) = (strips.player, poll.what, poll.span);
    let colour = player.number(task).unwrap_or(0) % 6;
    let middle = picture.y + LANE / 2.0 + POLL * depth as f32;
    let class = format!("poll {}", player.class(task).unwrap_or_default());
    picture.bar(&class, (from, to), middle, POLL / 2.0);
    let shape = ["●", "■", "▲", "◆", "★", "✚"][colour];
    let full = format!("{shape} {task}");
    let Fits { wide, on_a_phone } = picture.label((from, to), middle, &[&full, shape]);
    // The shape alone has room in a bar that is hardly wider.
    let alone = !on_a_phone && to - from > ROOM_FOR_SHAPE_ON_A_PHONE;
    let class = match (wide, alone) {
        (true, false) => None,
        (true, true) => Some("label narrow mid"),
        (false, true) => Some("label mid"),
        (false, false) => Some("label wide mid"),
    };
    if let Some(class) = class {
        picture.text(class, (from + to) / 2.0, middle + BASELINE, shape);
    }
    let Some(end) = poll.end else {
        return;
    };
    // Where the task is put into a queue, the note is at the arrow.
    let note = end.of(&player.beside.notes);
    if let Some(note) = note.filter(|_| end.put().is_none()) {
        picture.text("out wide in", to + AFTER_BAR, middle + BASELINE, note);
    }
    let how = end.state.tasks.get(task).and_then(|task| task.end);
    let is_task = depth == 0 || !strips.part.run.beside.wakers.is_empty();
    let sign = match how {
        Some(End::Ready) if is_task => "✓",
        Some(End::Panicked | End::Dropped) => "✗",
        _ => return,
    };
    picture.text("sign out", to + AFTER_POLL, middle - BASELINE, sign);
}
