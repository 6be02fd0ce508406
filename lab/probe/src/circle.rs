//! Tasks of which each needs the next one to go on, and the last one the first.

use std::sync::Arc;

use crate::{
    diagnosis::{Diagnosis, Kind},
    report::{Looks, called},
    resource::WaitsFor,
    task::Task,
};

const UNSURE: &str =
    ", unless one of these waits for more than this, or has given away what it used last";

/// The first circle, in words. `found` is what is wrong with each of `all`.
pub(crate) fn of(all: &[Looks], found: &[Option<Diagnosis>]) -> Option<String> {
    let place = |of: &Arc<Task>| all.iter().position(|it| Arc::ptr_eq(of, &it.task));
    let next = |from: usize| {
        let (looks, found) = (&all[from], found[from].as_ref()?);
        let (was_woken, needs_other) = match found.kind {
            Kind::PassedBy | Kind::WaitsForParent => (true, true),
            Kind::WaitsForChild | Kind::ExecutorInside => (false, true),
            _ => (false, false),
        };
        let mut waits = looks.waits.iter().filter(|_| !was_woken);
        // If one of several could end it, that is no circle.
        let single = |it| Some((it, WaitsFor::single(it)?));
        if let Some((waits, single)) = waits.find_map(single) {
            let of_its_own = looks.now.alive() - looks.now.alive_in_children;
            let sure = waits.is_sure() && of_its_own <= 1;
            return Some((place(single)?, waits.text(all), sure));
        }
        let other = found.other.as_ref().filter(|_| needs_other)?;
        let why = found.fill(found.kind.words().first, all);
        Some((place(other)?, why, true))
    };
    for start in 0..all.len() {
        let (mut at, mut steps, mut sure) = (start, Vec::new(), true);
        while let Some((to, why, is_sure)) = next(at).filter(|_| steps.len() <= all.len()) {
            steps.push(format!("  {} {why}\n", called(&all[at].task, all)));
            (at, sure) = (to, sure && is_sure);
            if at == start {
                let (unsure, steps) = (if sure { "" } else { UNSURE }, steps.concat());
                return Some(format!("a circle of waits{unsure}:\n{steps}\n"));
            }
        }
    }
    None
}
