//! The steps of a player, each of which is an event of one of its runs or of both.

use similar::Algorithm;

use crate::{frame::Frame, player::Part};

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) at: u64,
    /// What happens: the numbers of a part, and of one of its frames.
    pub(crate) frames: Vec<(usize, usize)>,
}

/// What two runs have in common happens in one step, in both. So one sees where they part. Of others, each event is a step.
pub(crate) fn steps(parts: &[Part]) -> Vec<Step> {
    let steps = match parts {
        [one, other] => together(one, other),
        _ => one_by_one(parts),
    };
    let mut latest = 0;
    let step = |frames: Vec<(usize, usize)>| {
        let times = frames.iter().map(|it| parts[it.0].frames[it.1].event.at);
        latest = times.fold(latest, u64::max);
        Step { at: latest, frames }
    };
    steps.into_iter().map(step).collect()
}

fn together(one: &Part, other: &Part) -> Vec<Vec<(usize, usize)>> {
    let [one, other] = [one, other].map(|part| {
        let deed = |it: &Frame| (it.event.thread.clone(), it.keys[1].clone());
        part.frames.iter().map(deed).collect::<Vec<_>>()
    });
    let changes = similar::capture_diff_slices(Algorithm::Lcs, &one, &other);
    let changes = changes.iter().flat_map(|it| it.iter_changes(&one, &other));
    let numbers = changes.map(|it| {
        let one = it.old_index().map(|it| (0, it));
        let other = it.new_index().map(|it| (1, it));
        one.into_iter().chain(other).collect()
    });
    numbers.collect()
}

fn one_by_one(parts: &[Part]) -> Vec<Vec<(usize, usize)>> {
    let of = |part: usize| (0..parts[part].frames.len()).map(move |it| (part, it));
    let mut all: Vec<_> = (0..parts.len()).flat_map(of).collect();
    // What happens in the same millisecond is told run by run.
    all.sort_by_key(|it| parts[it.0].frames[it.1].event.at / 1_000_000);
    all.into_iter().map(|it| vec![it]).collect()
}
