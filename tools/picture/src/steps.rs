//! The steps of a player, each of which is an event of one of its runs, or of both.

use similar::Algorithm;

use crate::{
    frame::Frame,
    part::{Happens, Part, Step},
};

/// Where the first step is, in percent of the width.
const LEFT: f32 = 0.5;
const WIDTH: f32 = 98.0;
/// How much of the width is pauses, beside the room that each step has.
const PAUSES: f32 = 0.7;

/// What two runs have in common happens in one step, in both, and so does the end of a poll, pending or ready. So one sees where they part.
pub(crate) fn steps(parts: &mut [Part]) -> Vec<Step> {
    let steps = match parts {
        [one, other] => together(one, other),
        _ => {
            let frames = 0..parts[0].frames.len();
            frames
                .map(|frame| vec![Happens { part: 0, frame }])
                .collect()
        }
    };
    let mut ended = 0;
    let of = |it: &Happens| &parts[it.part].frames[it.frame];
    let step = |frames: Vec<Happens>| {
        let its = || frames.iter().map(of);
        let at = its().map(|it| it.event.at).fold(ended, u64::max);
        let room = its().find_map(|it| it.of(&parts[0].run.beside.room));
        ended = at + room.unwrap_or(&0) * 1_000_000;
        Step { at, x: 0.0, frames }
    };
    let mut steps: Vec<Step> = steps.into_iter().map(step).collect();
    // Of two runs, one has a sleep that nothing ends. It needs room, too.
    let count = (steps.len() + 3 * (parts.len() - 1)) as f32;
    let first = steps.first().map_or(0, |it| it.at);
    let all = (ended - first).max(1) as f32;
    for (number, step) in steps.iter_mut().enumerate() {
        let pauses = PAUSES * ((step.at - first) as f32 / all);
        step.x = LEFT + WIDTH * (number as f32 / count + pauses) / (1.0 + PAUSES);
        for it in &step.frames {
            parts[it.part].frames[it.frame].x = step.x;
        }
    }
    steps
}

fn together(one: &Part, other: &Part) -> Vec<Vec<Happens>> {
    let [one, other] = [one, other].map(|part| {
        let deed = |it: &Frame| (it.event.thread, it.deed.replace("ready", "pending"));
        part.frames.iter().map(deed).collect::<Vec<_>>()
    });
    let changes = similar::capture_diff_slices(Algorithm::Lcs, &one, &other);
    let changes = changes.iter().flat_map(|it| it.iter_changes(&one, &other));
    let numbers = changes.map(|it| {
        let frames = [it.old_index(), it.new_index()].into_iter().enumerate();
        let happens = |(part, frame): (usize, Option<usize>)| {
            Some(Happens {
                part,
                frame: frame?,
            })
        };
        frames.filter_map(happens).collect()
    });
    numbers.collect()
}
