//! A run of a stage: its recording, with names, and what its picture looks like.

use std::{collections::BTreeMap, mem};

use kit::{anchor, files, source};
use probe::{Named, Recording, What};
use serde::Deserialize;

/// The name of a thread or a future. Of one run, no two are the same. They live as long as the program, which isn't long.
pub(crate) type Name = &'static str;

/// What `book/players.toml` says of a run, and of the player that shows it: the README explains each word.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Beside {
    pub(crate) title: String,
    pub(crate) caption: String,
    pub(crate) memory: bool,
    /// The step that decides: as in `lines`, and what it does, in a few words.
    pub(crate) decides: [String; 2],
    /// The same in the run in which it goes well.
    pub(crate) instead: [String; 2],
    /// The names of the threads, in the order in which they first have to do with a task.
    pub threads: Vec<String>,
    /// From above, below those of `places`.
    pub lanes: Vec<Lane>,
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
    /// What is said when it comes in, finds no room, or leaves, and when there is none to leave.
    #[serde(default)]
    pub(crate) says: [String; 4],
    /// How an entry is shown, if not by its name.
    pub(crate) shows: Option<String>,
}

/// A lane of the picture, or what there is to say of a future or a line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lane {
    /// What is in it.
    pub is: Kind,
    pub(crate) header: String,
    /// The file in which its word is written, or the end of its name and the words of a line.
    pub at: String,
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

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) beside: Beside,
    pub(crate) tasks: Vec<Name>,
    /// The first is the thread that began the recording.
    pub(crate) threads: Vec<Name>,
    pub(crate) events: Vec<Event>,
    pub(crate) left_out: u64,
}

/// A `probe::Event` with names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// In nanoseconds.
    pub(crate) at: u64,
    pub(crate) thread: Name,
    pub(crate) task: Option<Name>,
    pub(crate) what: What,
    pub(crate) place: String,
}

impl Lane {
    /// Of a future, it is between backticks.
    pub(crate) fn name(&self) -> &str {
        let name = self.header.split_once(": ");
        name.map_or(&*self.header, |it| it.0)
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
        source::find(&lines, words)
            .is_ok_and(|found| source::code(lines[*found.start()].text) == code)
    }

    /// The bits or numbers in a word, with their names.
    pub(crate) fn fields(&self, word: u64) -> impl Iterator<Item = (&str, u64)> {
        let bits = if self.is == Kind::Counts { 16 } else { 1 };
        let names = (0..).zip(&self.of);
        let names = names.map(|(it, name)| (it, name.split(": ").next().unwrap_or(name)));
        names.map(move |(it, name)| (name, word >> (bits * it) & ((1 << bits) - 1)))
    }
}

impl Kind {
    pub(crate) fn is_queue(self) -> bool {
        use Kind::{Counted, OwnQueue, Queue, SharedQueue};
        matches!(self, Queue | SharedQueue | OwnQueue | Counted)
    }

    /// Whether it has a word or a lock, which has a number in the recording: that of its place among such lanes.
    pub fn is_numbered(self) -> bool {
        use Kind::{Counted, Counts, Lock, Word};
        matches!(self, Counted | Word | Counts | Lock)
    }
}

impl Run {
    /// # Errors
    ///
    /// If no recorder would have written that.
    pub(crate) fn new(beside: Beside, recording: Recording) -> Result<Run, String> {
        let tasks = names(&recording.tasks, "task");
        let threads = names(&recording.threads, "thread");
        let event = |it: probe::Event| {
            let task = it.task.map(|task| tasks.get(&task).copied());
            Some(Event {
                at: it.at,
                thread: threads.get(&it.thread)?,
                task: task.map_or(Some(None), |it| it.map(Some))?,
                what: it.what,
                place: it.place,
            })
        };
        let events: Option<Vec<_>> = recording.events.into_iter().map(event).collect();
        let mut events = events.ok_or("an event is of a task or on a thread that is in no list")?;
        // A drop is recorded when it is over. In an exhibit, what it has woken is told after it.
        for at in (1..events.len()).filter(|_| !beside.runs.is_empty()) {
            if let ([.., wake], [drop, ..]) = events.split_at_mut(at) {
                if drop.what == What::Drop && matches!(wake.what, What::Wake { .. }) {
                    mem::swap(wake, drop);
                    mem::swap(&mut wake.at, &mut drop.at);
                }
            }
        }
        let owners = beside.wakers.iter().map(|it| &*it.clone().leak());
        Ok(Run {
            tasks: tasks.into_values().chain(owners).collect(),
            beside,
            events,
            threads: threads.into_values().collect(),
            left_out: recording.left_out,
        })
    }

    /// The task that such a waker wakes, if it is not the future itself.
    pub(crate) fn owner(&self, waker: u32) -> Option<Name> {
        let owners = &self.tasks[self.tasks.len() - self.beside.wakers.len()..];
        owners.get(waker as usize - 1).or(owners.last()).copied()
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.beside.lanes.iter().any(|lane| lane.is == kind)
    }

    /// The lane of the word that this writes.
    pub(crate) fn word(&self, what: &What) -> Option<&Lane> {
        let What::Word { word, .. } = what else {
            return None;
        };
        let mut lanes = self.beside.lanes.iter().filter(|it| it.is.is_numbered());
        lanes.nth((*word as usize).checked_sub(1)?)
    }

    /// What a lane says of the line in which a word is written.
    pub(crate) fn line(&self, event: &Event) -> Option<&Lane> {
        self.beside.lanes.iter().find(|it| it.is_of(&event.place))
    }

    /// Whether another step of this thread says what this event has done: the state of a task is written for a poll or a wake. If words
    /// say what is in the queues, a spawned task is put somewhere, a task that was taken is polled, and one that is dropped was ready.
    pub(crate) fn is_half(&self, event: &Event) -> bool {
        let kind = self.word(&event.what).map(|it| it.is);
        match event.what {
            _ if kind == Some(Kind::Word) => true,
            What::Word { before, after, .. } if after >= before => false,
            What::Word { .. } => kind == Some(Kind::Counted),
            _ => self.has(Kind::Counted) && matches!(event.what, What::Spawn | What::Drop),
        }
    }

    /// From which worker's queue a thread steals, and how many tasks.
    pub(crate) fn stolen(&self, event: &Event) -> Option<(String, usize)> {
        let What::Word { before, after, .. } = event.what else {
            return None;
        };
        let line = self.line(event).filter(|it| it.is == Kind::Steals)?;
        Some((own_queue(&line.header), (after - before) as usize))
    }

    /// The queue into which this task is put. `None`: there is no such queue, or this future is no task.
    pub(crate) fn queue_for(&self, task: &str) -> Option<&str> {
        let takes = |lane: &&Lane| match lane.is {
            Kind::Queue => true,
            Kind::SharedQueue => lane.of.iter().any(|it| it == task),
            _ => false,
        };
        self.beside.lanes.iter().find(takes).map(Lane::name)
    }
}

pub(crate) fn own_queue(worker: &str) -> String {
    format!("{worker}'s queue")
}

/// By the number. No two are the same, and none has a colon, which would end it in a lane.
fn names(list: &[Named], what: &str) -> BTreeMap<u32, Name> {
    let mut names: BTreeMap<u32, Name> = BTreeMap::new();
    for Named { id, name } in list {
        let mut name = name.replace(": ", ":");
        if name.is_empty() {
            name = format!("{what} {id}");
        } else if names.values().any(|it| *it == name) {
            name += &format!(" ({id})");
        }
        names.insert(*id, name.leak());
    }
    names
}
