//! The words of `book/players.toml`, which the README explains: what a player's picture looks like.

use std::collections::BTreeMap;

use kit::{anchor, files, source};
use serde::Deserialize;

use crate::read::read;

/// What `book/players.toml` says of a run, and of the player that shows it: the README explains each word.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Beside {
    pub(crate) title: String,
    pub(crate) caption: String,
    /// What went wrong, or else what the run has shown.
    pub(crate) end: String,
    /// What keeps the mistake out.
    pub(crate) cure: String,
    /// Of a run in which all goes well: what would go wrong without the step that decides.
    pub(crate) otherwise: String,
    pub(crate) memory: bool,
    /// The step that decides.
    pub(crate) decides: Decision,
    /// The same in the run in which it goes well.
    pub(crate) instead: Decision,
    /// The names of the threads, in the order in which they first have to do with a task.
    pub threads: Vec<String>,
    /// From above, below those of `places`.
    pub lanes: Vec<Lane>,
    /// The futures that have a colour, while the others are grey. If there are none, each has one.
    pub(crate) matters: Vec<String>,
    /// The names of its recordings, each with its label.
    pub runs: Vec<(String, String)>,
    /// Of exhibits: the code of each run, in the same order.
    pub listing: Vec<String>,
    pub(crate) lines: BTreeMap<String, String>,
    /// The tasks that poll the one watched future, by the numbers of their wakers. The last has all others, too.
    pub(crate) wakers: Vec<String>,
    /// What is written where a step ends a bar, or changes nothing in it: as in `lines`.
    pub(crate) notes: BTreeMap<String, String>,
    /// In a poll that begins so, the future that is not polled, which no recording can say.
    pub(crate) omits: BTreeMap<String, String>,
    /// The pause after such a step, in milliseconds, for what is written there.
    pub(crate) room: BTreeMap<String, u64>,
    /// What is added to the sentence of a step. If that is empty, there is no such step.
    pub(crate) says: BTreeMap<String, String>,
    pub(crate) places: Vec<Place>,
}

/// A step, as in `lines`, and what it does, in a few words.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "[String; 2]")]
pub(crate) struct Decision {
    pub(crate) step: String,
    pub(crate) words: String,
}

impl From<[String; 2]> for Decision {
    fn from([step, words]: [String; 2]) -> Decision {
        Decision { step, words }
    }
}

/// A place that no recording knows, such as a token: a rule says what is in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The label of the run, if the player shows several.
    #[serde(default)]
    pub(crate) of: String,
    pub(crate) header: String,
    /// For how many there is room. 0: there is no bound.
    #[serde(default)]
    pub(crate) room: usize,
    /// What puts the future of this event there, or that inside whose poll it happens. As in `lines`.
    pub(crate) enter: Vec<String>,
    /// What takes it out, or the first if it is not there.
    pub(crate) leave: Vec<String>,
    #[serde(default)]
    pub(crate) says: Says,
    /// How an entry is shown, if not by its name. On a phone, what comes before a comma is all.
    pub(crate) shows: Option<String>,
    /// Whether an entry has the colour of no future.
    #[serde(default)]
    pub(crate) gray: bool,
    /// What is written where nothing is there, if not `empty`.
    pub(crate) empty: Option<String>,
}

/// What is said of a place when a future…
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "[String; 4]")]
pub(crate) struct Says {
    pub(crate) enters: String,
    pub(crate) finds_no_room: String,
    pub(crate) leaves: String,
    /// There was none to leave.
    pub(crate) finds_nothing: String,
}

impl From<[String; 4]> for Says {
    fn from([enters, finds_no_room, leaves, finds_nothing]: [String; 4]) -> Says {
        Says {
            enters,
            finds_no_room,
            leaves,
            finds_nothing,
        }
    }
}

/// A lane of the picture, or what there is to say of a future or a line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lane {
    /// What is in it.
    pub is: Kind,
    pub(crate) header: String,
    /// The end of the name of a file, and the words of a line in it: where its word is used, or the line that it is of.
    pub at: String,
    /// The worker or the task that has it to itself, if one does. Of what is stolen, the worker that loses it.
    pub(crate) whose: String,
    /// What may be in the queue, or the bits or numbers of the word, from the lowest.
    pub(crate) of: Vec<String>,
}

/// The kinds of lanes: the README explains them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[expect(missing_docs)]
pub enum Kind {
    #[default]
    Thread,
    Task,
    Wakers,
    Queue,
    SharedQueue,
    OwnQueue,
    Counted,
    Lock,
    Word,
    Counts,
    Line,
    Steals,
}

impl Lane {
    /// Of a future, it is between backticks.
    pub(crate) fn name(&self) -> &str {
        let explained = self.header.split_once(": ");
        explained.map_or(&*self.header, |(name, _)| name)
    }

    /// Whether it says something of the line of this place, which is a file, a colon and the code that is recorded there.
    pub fn is_of(&self, place: &str) -> bool {
        let parts = self.at.split_once(": ").zip(place.split_once(": "));
        let Some(((in_file, words), (file, code))) = parts else {
            return false;
        };
        if !matches!(self.is, Kind::Line | Kind::Steals) || !file.ends_with(in_file) {
            return false;
        }
        let text = files::read(&files::root().join(file)).unwrap_or_default();
        let lines = anchor::lines(&text);
        source::find(&lines, words).is_ok_and(|found| lines[*found.start()].code == code)
    }

    /// The bits or numbers in a word, with their names.
    pub(crate) fn fields(&self, word: u64) -> impl Iterator<Item = (&str, u64)> {
        let bits = if self.is == Kind::Counts { 16 } else { 1 };
        let mask = (1 << bits) - 1;
        (0..).zip(&self.of).map(move |(place, explained)| {
            let name = explained.split(": ").next().unwrap_or(explained);
            (name, word >> (bits * place) & mask)
        })
    }
}

impl Kind {
    /// Whether it shows a word or a lock.
    pub fn has_object(self) -> bool {
        use Kind::{Counted, Counts, Lock, Word};
        matches!(self, Counted | Word | Counts | Lock)
    }
}

/// What `book/players.toml` says, by the names of runs and players.
///
/// # Errors
///
/// If the file cannot be read.
pub fn besides() -> Result<BTreeMap<String, Beside>, String> {
    read("players.toml")
}

/// What it says of the player that shows this run.
pub fn beside<'a>(besides: &'a BTreeMap<String, Beside>, run: &str) -> Option<&'a Beside> {
    let shows = |beside: &&Beside| beside.runs.iter().any(|(name, _)| name == run);
    besides.get(run).or_else(|| besides.values().find(shows))
}
