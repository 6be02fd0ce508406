//! The steps of a player, each of which is an event of one of its runs, or of both.

use similar::Algorithm;

use crate::player::part::{Happens, Part, Step};

/// Where the first step is, in percent of the width.
const LEFT: f32 = 0.5;
const WIDTH: f32 = 98.0;
/// How much of the width is pauses, beside the room that each step has.
const PAUSES: f32 = 0.7;
/// How many steps would have room in a sleep that nothing ends.
const FOREVER_STEPS: usize = 4;
/// If an event is so much later in one of two runs, that is no accident.
const APART: u64 = 100 * NANOSECONDS;
/// In a millisecond.
const NANOSECONDS: u64 = 1_000_000;

/// What two runs have in common happens in one step, in both, and so does the end of a poll, pending or ready. So one sees where they part.
pub(crate) fn steps(parts: &mut [Part]) -> Vec<Step> {
    let steps = match parts {
        [one, other] => together(one, other),
        _ => {
            let frames = 0..parts[0].frames.len();
            let alone = frames.map(|frame| vec![Happens { part: 0, frame }]);
            alone.collect()
        }
    };
    let (mut steps, end) = timed(parts, steps);
    place(&mut steps, end, parts);
    steps
}

/// Each step at its time, and the time at which the last pause ends. No step is before the one that it follows, nor in the pause after
/// that.
fn timed(parts: &[Part], steps: Vec<Vec<Happens>>) -> (Vec<Step>, u64) {
    let rooms = &parts[0].run.beside.room;
    let mut free_from = 0;
    let mut timed = Vec::new();
    for frames in steps {
        let mut at = free_from;
        let mut room = None;
        for happens in &frames {
            let frame = &parts[happens.part].frames[happens.frame];
            at = at.max(frame.event.at);
            room = room.or(frame.of(rooms));
        }
        free_from = at + room.unwrap_or(&0) * NANOSECONDS;
        timed.push(Step { at, x: 0.0, frames });
    }
    (timed, free_from)
}

/// Says where each step is drawn: it has some room, and in proportion to the pause before it some more.
fn place(steps: &mut [Step], end: u64, parts: &mut [Part]) {
    // Of two runs, one has a sleep that nothing ends, with room for the word "forever" on a phone.
    let count = (steps.len() + FOREVER_STEPS * (parts.len() - 1)) as f32;
    let first = steps.first().map_or(0, |step| step.at);
    let all = (end - first).max(1) as f32;
    for (number, step) in steps.iter_mut().enumerate() {
        let pauses = PAUSES * ((step.at - first) as f32 / all);
        step.x = LEFT + WIDTH * (number as f32 / count + pauses) / (1.0 + PAUSES);
        for happens in &step.frames {
            parts[happens.part].frames[happens.frame].x = step.x;
        }
    }
}

/// What happens in both runs, and between that what happens in one. Once the same event is far later in one run than in the other,
/// the runs have parted, and each step is in one of them, at its own time.
fn together(one: &Part, other: &Part) -> Vec<Vec<Happens>> {
    let deeds = |part: &Part| -> Vec<_> {
        let frames = part.frames.iter();
        frames
            .map(|frame| (frame.event.thread, frame.deed.as_end_of_poll()))
            .collect()
    };
    let parts = [one, other];
    let at = |happens: &Happens| parts[happens.part].frames[happens.frame].event.at;
    let (one, other) = (deeds(one), deeds(other));
    let (mut steps, mut parted) = (Vec::new(), Vec::new());
    for same_or_not in similar::capture_diff_slices(Algorithm::Lcs, &one, &other) {
        for change in same_or_not.iter_changes(&one, &other) {
            let frames = [change.old_index(), change.new_index()];
            let happens = frames.into_iter().enumerate();
            let happens = happens.filter_map(|(part, frame)| {
                let frame = frame?;
                Some(Happens { part, frame })
            });
            let happens: Vec<Happens> = happens.collect();
            let times = happens.iter().map(at);
            let apart = times.clone().max().unwrap_or(0) - times.min().unwrap_or(0);
            if parted.is_empty() && apart < APART {
                steps.push(happens);
                continue;
            }
            // What is in one run only, since the last step that is in both.
            while steps.last().is_some_and(|step: &Vec<_>| step.len() == 1) {
                parted.extend(steps.pop().into_iter().flatten());
            }
            parted.extend(happens);
        }
    }
    parted.sort_by_key(at);
    steps.extend(parted.into_iter().map(|happens| vec![happens]));
    steps
}
