//! What a page has of a long run.

use std::collections::{BTreeMap, BTreeSet};

use probe::{Recording, What};

/// More steps than this are too many to go through, and too many for a page.
const MOST: usize = 1_000;
/// Of more futures of one name, the page has only the first.
const ALIKE: usize = 8;

/// Leaves out what is too much for a page, and says so.
pub(crate) fn shorten(recording: &mut Recording) {
    let Recording { tasks, events, .. } = recording;
    let (all, mut alike, mut too_many) = (events.len(), BTreeMap::new(), BTreeSet::new());
    tasks.retain(|it| {
        let count = alike.entry(it.name.clone()).or_insert(0);
        *count += 1;
        *count <= ALIKE || !too_many.insert(it.id)
    });
    events.retain(|it| it.task.is_none_or(|task| !too_many.contains(&task)));
    if events.len() == all && all <= MOST {
        return;
    }
    // A thread that is awake between two sleeps only for what is left out.
    let mut idle = BTreeSet::new();
    events.retain(|it| match it.what {
        What::Park => !idle.contains(&it.thread),
        What::Unpark => idle.insert(it.thread),
        _ => {
            idle.remove(&it.thread);
            true
        }
    });
    events.truncate(MOST);
    tasks.retain(|task| events.iter().any(|it| it.task == Some(task.id)));
    let threads = &mut recording.threads;
    threads.retain(|thread| events.iter().any(|it| it.thread == thread.id));
    let few = events.len();
    eprintln!("picture: the page has {few} of {all} events; Perfetto's file has all");
    recording.left_out += (all - few) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_first_of_many_and_says_how_many_events_it_leaves_out() {
        let many = || (0..100).for_each(|_| drop(probe::watch("many", async {})));
        let mut recording = probe::record(many).without_parks();
        shorten(&mut recording);
        assert_eq!((recording.tasks.len(), recording.left_out), (8, 2 * 92));
        assert!(recording.events.iter().all(|it| it.task <= Some(8)));
    }
}
