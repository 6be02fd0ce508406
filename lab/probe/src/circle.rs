//! Tasks of which each needs others of them to go on, and is needed by others of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    diagnosis::{Diagnosis, Kind},
    report::{Looks, NAMED, called},
    resource::{Doubt, Use, WaitsFor},
    task::Task,
};

/// Whom a task needs to go on, and the doubt about that.
type Step = (BTreeSet<usize>, Doubt);

/// The smallest circle, in words. `found` is what is wrong with each of `all`.
pub(crate) fn of(all: &[Looks], found: &[Option<Diagnosis>]) -> Option<String> {
    let places = all.iter().map(|it| Arc::as_ptr(&it.task)).zip(0..);
    let places: BTreeMap<_, usize> = places.collect();
    let place = |of: &Arc<Task>| places.get(&Arc::as_ptr(of)).copied();
    // None of one that has been woken, or is ready.
    let waits = |of: usize| {
        let kind = found[of].as_ref().map(|it| it.kind);
        let goes_on = matches!(
            kind,
            Some(Kind::PassedBy | Kind::WaitsForParent | Kind::WakeMissing | Kind::AtWork)
        );
        all[of].waits.iter().filter(move |_| !goes_on)
    };
    let step = |from: usize, stuck: &BTreeSet<usize>| -> Option<Step> {
        let (looks, found) = (&all[from], found[from].as_ref()?);
        let is_stuck = |it: &Arc<Task>| place(it).filter(|it| stuck.contains(it));
        let is_alone = looks.waits.len() <= 1 && looks.now.alive() <= 1;
        // Of several waits, the end of any may be enough.
        let needs = waits(from).map(|it| {
            // Who waits for a message leaves places in the channel, unless they are reserved.
            let receives = |of: &usize| all[*of].waits.iter().any(|other| it.is_other_end(other));
            let is_stuck = |of: &_| is_stuck(of).filter(|of| !receives(of));
            it.needs(from, is_alone, is_stuck)
        });
        let needs: Vec<_> = needs.collect::<Option<_>>()?;
        if !needs.is_empty() {
            let doubt = needs.iter().map(|it| it.1).max()?;
            return Some((needs.into_iter().flat_map(|it| it.0).collect(), doubt));
        }
        let other = match found.kind {
            Kind::PassedBy | Kind::WaitsForParent | Kind::WaitsForChild | Kind::ExecutorInside => {
                is_stuck(found.other.as_ref()?)?
            }
            _ => return None,
        };
        let doubt = match found.kind {
            Kind::WaitsForChild if !is_alone => Doubt::Given,
            _ => Doubt::None,
        };
        Some((BTreeSet::from([other]), doubt))
    };
    // Who needs none but those that may go on may go on too, and what is left in the end may not.
    let mut stuck: BTreeSet<_> = (0..all.len()).collect();
    let steps = loop {
        let steps = stuck.iter();
        let steps = steps.filter_map(|it| Some((*it, step(*it, &stuck)?)));
        let steps: BTreeMap<_, _> = steps.collect();
        if steps.len() == stuck.len() {
            break steps;
        }
        stuck = steps.into_keys().collect();
    };
    // It, whom it needs, whom those need, and so on: if that is least, each of them needs all the others.
    let reach = |from: &usize| {
        let (mut list, mut at) = (vec![*from], 0);
        while let Some(it) = list.get(at) {
            let more = steps[it].0.iter().copied();
            let more: Vec<_> = more.filter(|it| !list.contains(it)).collect();
            list.extend(more);
            at += 1;
        }
        list
    };
    let circle = steps.keys().map(reach).min_by_key(Vec::len)?;
    let doubt = circle.iter().map(|it| steps[it].1).max()?;
    let mut text = format!("a circle of waits{}:\n", doubt.text());
    for it in circle {
        let (looks, found) = (&all[it], found[it].as_ref()?);
        let waits: Vec<_> = waits(it).map(|it| it.text(all)).collect();
        let why = match &*waits {
            [] => found.fill(found.kind.words().first, all),
            some => some.join(", and "),
        };
        text += &format!("  {} {why}\n", called(&looks.task, all));
    }
    Some(text + "\n")
}

/// Notes how many waits are between each and the first, which the caller awaits. From a distance on, all are far.
pub(crate) fn measure(all: &mut [Looks]) {
    let mut needed = BTreeSet::from_iter(all.first().map(|it| Arc::as_ptr(&it.task)));
    for far in 0..NAMED {
        let near = needed.clone();
        for it in all.iter_mut().filter(|it| it.far > far) {
            let parent = it.now.parent.iter().map(|it| &it.task);
            let mut tasks = parent.chain([&it.task]).map(Arc::as_ptr);
            if tasks.any(|it| near.contains(&it)) {
                it.far = far;
                let those = it.waits.iter().flat_map(WaitsFor::those);
                let those = those.filter_map(Use::task).chain([&it.task]);
                needed.extend(those.map(Arc::as_ptr));
            }
        }
    }
}
