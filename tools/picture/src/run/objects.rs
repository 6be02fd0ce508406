//! Which lock or word a lane shows. A recording has numbers for them, and a lane names the file in which its own is used.

use probe::{Recording, What};

use crate::beside::{Kind, Lane};

/// The number of each lane's lock or word: the first that is used in the file `at` and shown by no lane before, by the thread `whose`
/// if that is one. `None`: the lane shows none, or it is not used in this run.
pub fn objects(lanes: &[Lane], recording: &Recording) -> Vec<Option<u32>> {
    let mut shown = Vec::new();
    for lane in lanes {
        let mut threads = recording.threads.iter();
        let owner = threads.find(|thread| thread.name == lane.whose);
        let file = format!("/{}:", lane.at);
        let first = recording.events.iter().find_map(|event| {
            let (number, is_lock) = match event.what {
                What::Word { word, .. } => (word, false),
                What::Lock { lock } | What::Unlock { lock } => (lock, true),
                _ => return None,
            };
            let is_its = number != NOT_SHOWN
                && event.place.contains(&file)
                && owner.is_none_or(|owner| owner.id == event.thread)
                && is_lock == (lane.is == Kind::Lock)
                && !shown.contains(&Some(number));
            is_its.then_some(number)
        });
        shown.push(first.filter(|_| lane.is.has_object()));
    }
    shown
}

/// The number of a word that has no lane, and is recorded for what a line says of it.
pub const NOT_SHOWN: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{beside::besides, read::read};

    /// A new lane between two others, or another order of the lanes, leaves each word with its lane.
    #[test]
    fn a_lane_shows_the_same_word_wherever_it_stands() {
        let mut lanes = besides().unwrap()["run-10-steal"].lanes.clone();
        let recording: Recording = read("recordings/run-10-steal.json").unwrap();
        let shown = objects(&lanes, &recording);
        let words: Vec<u32> = shown.iter().copied().flatten().collect();
        assert_eq!(
            words,
            [1, 2, 3],
            "the injector, worker 1's slot and the idle word"
        );
        lanes.reverse();
        lanes.insert(3, Lane::default());
        let mut there = objects(&lanes, &recording);
        assert_eq!(there.remove(3), None);
        there.reverse();
        assert_eq!(there, shown);
    }
}
