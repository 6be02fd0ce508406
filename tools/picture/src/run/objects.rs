//! Which lock or word a lane shows. A recording has numbers for them, and a lane names the file in which its own is used.

use kit::source;
use probe::{Recording, What};

use crate::beside::{Kind, Lane};

/// The number of each lane's lock or word: the first that is used where the lane says, by the thread `whose` if that is one. `None`: the lane
/// shows none, or it is not used in this run.
pub fn objects(lanes: &[Lane], recording: &Recording) -> Vec<Option<u32>> {
    let object = |lane: &Lane| {
        let mut threads = recording.threads.iter();
        let owner = threads.find(|thread| thread.name == lane.whose);
        recording.events.iter().find_map(|event| {
            let (number, is_lock) = match event.what {
                What::Word { word, .. } => (word, false),
                What::Lock { lock } | What::Unlock { lock } => (lock, true),
                _ => return None,
            };
            let is_its = number != NOT_SHOWN
                && is_at(&lane.at, &event.place)
                && owner.is_none_or(|owner| owner.id == event.thread)
                && is_lock == (lane.is == Kind::Lock);
            is_its.then_some(number)
        })
    };
    let shown = |lane: &Lane| lane.is.has_object().then(|| object(lane)).flatten();
    lanes.iter().map(shown).collect()
}

/// Whether a place, which is a file, a colon and the code in a line of it, is in the file that a lane names, and its code has the words behind
/// that.
fn is_at(at: &str, place: &str) -> bool {
    let (wanted, words) = at.split_once(": ").unwrap_or((at, ""));
    let (file, code) = place.split_once(": ").unwrap_or((place, ""));
    let has = |word: &str| source::words_of(code).any(|there| there == word);
    file.ends_with(&format!("/{wanted}")) && words.split_whitespace().all(has)
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
        for (name, words) in [
            // Worker 1's slot.
            ("run-10-steal", [1].as_slice()),
            // The tick and the buffer, which are used in one file, the buffer first.
            ("run-09-socket-ready", &[2, 1]),
        ] {
            let mut lanes = besides().unwrap()[name].lanes.clone();
            let recording: Recording = read(&format!("recordings/{name}.json")).unwrap();
            let shown = objects(&lanes, &recording);
            let found: Vec<u32> = shown.iter().copied().flatten().collect();
            assert_eq!(found, words, "{name}");
            lanes.reverse();
            lanes.insert(3, Lane::default());
            let mut there = objects(&lanes, &recording);
            assert_eq!(there.remove(3), None);
            there.reverse();
            assert_eq!(there, shown, "{name}");
        }
    }
}
