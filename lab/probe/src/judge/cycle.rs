//! Tasks of which each needs others of them to go on, and is needed by others of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    judge::{
        diagnosis::{Diagnosis, Kind},
        looks::Looks,
        waits::{Doubt, NAMED, Need, WaitsFor},
    },
    see::{facts::Use, task::Task},
};

/// A cycle of waits.
pub(crate) struct Cycle {
    /// Those in it, by their places in the list. Each needs the next, and perhaps others of them.
    pub(crate) members: Vec<usize>,
    pub(crate) doubt: Doubt,
}

/// All that is known of who needs whom.
struct Needs<'a> {
    all: &'a [Looks],
    /// What is wrong with each of them.
    found: &'a [Option<Diagnosis>],
    places: BTreeMap<*const Task, usize>,
}

/// The smallest cycle. `found` is what is wrong with each of `all`.
pub(crate) fn smallest(all: &[Looks], found: &[Option<Diagnosis>]) -> Option<Cycle> {
    let places = all.iter().map(|looks| Arc::as_ptr(&looks.task));
    let places = places.zip(0..).collect();
    let needs = Needs { all, found, places }.of_those_in_cycles();
    let cycles = needs.keys().map(|first| reach(*first, &needs));
    let members = cycles.min_by_key(Vec::len)?;
    let doubt = members.iter().map(|member| needs[member].doubt).max()?;
    Some(Cycle { members, doubt })
}

/// The waits of a task. None of one that has been woken, or is ready.
pub(crate) fn waits_of<'a>(looks: &'a Looks, found: Option<&Diagnosis>) -> &'a [WaitsFor] {
    use Kind::{WakeMissing, WentOn};
    match found.map(|found| found.kind) {
        Some(WakeMissing | WentOn) => &[],
        Some(kind) if kind.is_woken() || kind.moves() => &[],
        _ => &looks.waits,
    }
}

impl Needs<'_> {
    /// Whom each of them needs that can never go on. Who needs none but those that may go on may go on too, and who is left in the
    /// end may not.
    fn of_those_in_cycles(&self) -> BTreeMap<usize, Need> {
        let mut stuck: BTreeSet<_> = (0..self.all.len()).collect();
        loop {
            let mut needs = BTreeMap::new();
            for task in &stuck {
                if let Some(need) = self.of(*task, &stuck) {
                    needs.insert(*task, need);
                }
            }
            if needs.len() == stuck.len() {
                return needs;
            }
            stuck = needs.into_keys().collect();
        }
    }

    /// Whom this task needs of those that are stuck.
    fn of(&self, task: usize, stuck: &BTreeSet<usize>) -> Option<Need> {
        let (looks, found) = (&self.all[task], self.found[task].as_ref()?);
        let place_of = |other: &Arc<Task>| {
            let place = self.places.get(&Arc::as_ptr(other)).copied();
            place.filter(|place| stuck.contains(place))
        };
        let is_alone = looks.waits.len() <= 1 && looks.now.alive() <= 1;
        let mut keepers = BTreeSet::new();
        let mut doubts = Vec::new();
        // Of several waits, the end of any may be enough.
        for wait in waits_of(looks, Some(found)) {
            // Who waits for a message leaves places in the channel, unless they are reserved.
            let receives = |place: &usize| {
                let mut waits = self.all[*place].waits.iter();
                waits.any(|other| wait.is_other_end(other))
            };
            let is_stuck = |other: &_| place_of(other).filter(|place| !receives(place));
            let need = wait.needs(task, is_alone, is_stuck)?;
            keepers.extend(need.keepers);
            doubts.push(need.doubt);
        }
        if let Some(doubt) = doubts.into_iter().max() {
            return Some(Need { keepers, doubt });
        }
        match found.kind {
            Kind::PassedBy | Kind::WaitsForParent | Kind::WaitsForChild | Kind::ExecutorInside => {
                let other = place_of(found.other.as_ref()?)?;
                let is_doubtful = found.kind == Kind::WaitsForChild && !is_alone;
                Some(Need {
                    keepers: BTreeSet::from([other]),
                    doubt: if is_doubtful {
                        Doubt::Given
                    } else {
                        Doubt::None
                    },
                })
            }
            _ => None,
        }
    }
}

/// It, whom it needs, whom those need, and so on: if that is least, each of them needs all the others.
fn reach(first: usize, needs: &BTreeMap<usize, Need>) -> Vec<usize> {
    let (mut list, mut next) = (vec![first], 0);
    while let Some(member) = list.get(next) {
        for keeper in &needs[member].keepers {
            if !list.contains(keeper) {
                list.push(*keeper);
            }
        }
        next += 1;
    }
    list
}

/// Notes how many waits are between each and the first, which the caller awaits. From a distance on, all are far.
pub(crate) fn measure(all: &mut [Looks]) {
    let mut needed = BTreeSet::new();
    needed.extend(all.first().map(|first| Arc::as_ptr(&first.task)));
    for far in 0..NAMED {
        let near = needed.clone();
        for looks in all.iter_mut().filter(|looks| looks.far > far) {
            let parent = looks.now.parent.as_ref();
            let is_near = near.contains(&Arc::as_ptr(&looks.task))
                || parent.is_some_and(|parent| near.contains(&Arc::as_ptr(&parent.task)));
            if is_near {
                looks.far = far;
                needed.insert(Arc::as_ptr(&looks.task));
                let those = looks.waits.iter().flat_map(WaitsFor::those_near);
                needed.extend(those.filter_map(Use::task).map(Arc::as_ptr));
            }
        }
    }
}
