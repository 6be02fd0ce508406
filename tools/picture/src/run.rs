//! A run of a stage that the book shows: its recording, and what its picture looks like.

use std::{collections::BTreeMap, error::Error, fs, path::PathBuf};

use kit::files;
use probe::{Named, Recording, What, Wording};
use serde::Deserialize;

/// What a test of the stage has written to `book/recordings`, beside the recording: see `probe::Run`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Head {
    /// The name of its files.
    pub(crate) name: String,
    /// What it is, in a few words.
    pub(crate) title: String,
    /// What to see in it.
    pub(crate) caption: String,
    pub(crate) wording: Wording,
    /// The rows of its state, from above.
    pub(crate) lanes: Vec<Lane>,
}

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) head: Head,
    /// The names of all futures, which differ, as do those of the threads. The first is the thread that began the recording.
    pub(crate) tasks: Vec<String>,
    pub(crate) threads: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) left_out: u64,
}

/// A `probe::Event` with names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// In nanoseconds.
    pub(crate) at: u64,
    pub(crate) thread: String,
    pub(crate) task: Option<String>,
    pub(crate) what: What,
    pub(crate) place: String,
}

/// A row of the state, as `probe::Lane` has it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Lane {
    #[serde(rename = "lane")]
    pub(crate) kind: Kind,
    /// A line of the source.
    #[serde(default)]
    pub(crate) line: String,
    /// Its name, and after a colon, more of that, or what is done in that line, or from whom it steals.
    pub(crate) header: String,
    /// What may be in the queue, or the bits or numbers of the word, from the lowest.
    #[serde(default)]
    pub(crate) tasks: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) enum Kind {
    #[default]
    Thread,
    Task,
    Wakers,
    Queue,
    QueueAgain,
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
        named(&self.header).0
    }

    /// As it stands beside the lane.
    pub(crate) fn short(&self) -> &str {
        let is_queue = self.kind.is_queue();
        let short = self.name().strip_prefix("the ").filter(|_| is_queue);
        short.unwrap_or(self.name())
    }

    /// The bits or numbers in a word, with their names.
    pub(crate) fn fields(&self, word: u64) -> impl Iterator<Item = (&str, u64)> {
        let bits = if self.kind == Kind::Counts { 16 } else { 1 };
        let names = (0..).zip(&self.tasks);
        names.map(move |(it, name)| (name.as_str(), word >> (bits * it) & ((1 << bits) - 1)))
    }
}

/// A name, and what stands after the colon.
pub(crate) fn named(header: &str) -> (&str, &str) {
    header.split_once(": ").unwrap_or((header, ""))
}

impl Kind {
    /// Whether it is a queue of any kind.
    pub(crate) fn is_queue(self) -> bool {
        use Kind::{Counted, OwnQueue, Queue, QueueAgain, SharedQueue};
        matches!(self, Queue | QueueAgain | SharedQueue | OwnQueue | Counted)
    }
}

impl Run {
    /// # Errors
    ///
    /// What no recorder would have written.
    pub(crate) fn new(head: Head, recording: Recording) -> Result<Run, String> {
        let tasks = names(&recording.tasks, "task");
        let threads = names(&recording.threads, "thread");
        let mut events: Vec<Event> = Vec::new();
        for (number, event) in (1..).zip(recording.events) {
            let says = |fault: &str| Err(format!("event {number} {fault}"));
            let Some(thread) = threads.get(&event.thread) else {
                return says("is on a thread that is not in the list");
            };
            let task = event.task.and_then(|it| tasks.get(&it));
            if task.is_none() && event.task.is_some() {
                return says("is of a task that is not in the list");
            } else if task.is_some() == is_of_thread(&event.what) {
                return says("has no task, or one too many");
            } else if events.last().is_some_and(|it| event.at < it.at) {
                return says("is earlier than the one before it");
            }
            events.push(Event {
                at: event.at,
                thread: thread.clone(),
                task: task.cloned(),
                what: event.what,
                place: event.place,
            });
        }
        Ok(Run {
            head,
            tasks: tasks.into_values().collect(),
            threads: threads.into_values().collect(),
            events,
            left_out: recording.left_out,
        })
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.head.lanes.iter().any(|lane| lane.kind == kind)
    }

    /// The lane of the word that this writes.
    pub(crate) fn word(&self, what: &What) -> Option<&Lane> {
        use Kind::{Counted, Counts, Lock, Word};
        let What::Word { word, .. } = what else {
            return None;
        };
        let is_numbered = |it: &&Lane| matches!(it.kind, Counted | Word | Counts | Lock);
        let mut lanes = self.head.lanes.iter().filter(is_numbered);
        lanes.nth((*word as usize).checked_sub(1)?)
    }

    /// What a lane says of the line in which a word is written.
    pub(crate) fn line(&self, event: &Event) -> Option<&Lane> {
        let is_of = |it: &&Lane| matches!(it.kind, Kind::Line | Kind::Steals);
        let mut lines = self.head.lanes.iter().filter(is_of);
        lines.find(|it| event.place.ends_with(&it.line))
    }

    /// Whether a later step of this thread says what this event has done, if words say what is in the queues: a spawned task is put
    /// somewhere, a task that was taken is polled, and one that is dropped was ready.
    pub(crate) fn is_half(&self, event: &Event) -> bool {
        let is_counted = |it: &Lane| it.kind == Kind::Counted;
        match event.what {
            What::Word { before, after, .. } if after >= before => false,
            What::Word { .. } => self.word(&event.what).is_some_and(is_counted),
            _ => self.has(Kind::Counted) && matches!(event.what, What::Spawn | What::Drop),
        }
    }

    /// From which worker's queue a thread steals, and how many tasks.
    pub(crate) fn stolen(&self, event: &Event) -> Option<(String, usize)> {
        let What::Word { before, after, .. } = event.what else {
            return None;
        };
        let line = self.line(event).filter(|it| it.kind == Kind::Steals)?;
        Some((own_queue(&line.header), (after - before) as usize))
    }

    /// The queue into which this task is put. `None`: there is no such queue, or this future is no task.
    pub(crate) fn queue_for(&self, task: &str) -> Option<&str> {
        let takes = |lane: &&Lane| match lane.kind {
            Kind::Queue | Kind::QueueAgain => true,
            Kind::SharedQueue => lane.tasks.iter().any(|it| it == task),
            _ => false,
        };
        self.head.lanes.iter().find(takes).map(Lane::name)
    }
}

/// The name of a worker's queue.
pub(crate) fn own_queue(worker: &str) -> String {
    format!("{worker}'s queue")
}

/// By the number. No two are the same, and none has a colon, which would end it in a lane.
fn names(list: &[Named], what: &str) -> BTreeMap<u32, String> {
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for Named { id, name } in list {
        let name = name.replace(": ", ":");
        let name = match names.values().any(|it| *it == name) {
            _ if name.is_empty() => format!("{what} {id}"),
            true => format!("{name} ({id})"),
            false => name,
        };
        names.insert(*id, name);
    }
    names
}

fn is_of_thread(what: &What) -> bool {
    use What::{Lock, Notify, Park, Unlock, Unpark, Wait, Word};
    let is_waited = matches!(what, Notify { .. } | Wait { .. } | Park | Unpark);
    is_waited || matches!(what, Word { .. } | Lock { .. } | Unlock { .. })
}

/// A file in the folder of the book.
pub(crate) fn book(path: &str) -> PathBuf {
    files::root().join("book").join(path)
}

/// All runs that were recorded, in the order of their names.
///
/// # Errors
///
/// What cannot be read.
pub(crate) fn all() -> Result<Vec<Run>, String> {
    let files = files::below(&book("recordings")).map_err(|error| error.to_string())?;
    let read = |file: &PathBuf| -> Result<Run, Box<dyn Error>> {
        let text = fs::read_to_string(file)?;
        let (head, recording) = (serde_json::from_str(&text)?, serde_json::from_str(&text)?);
        Ok(Run::new(head, recording)?)
    };
    let shown = |file| files::shown(&files::root(), file);
    let run = |file| read(file).map_err(|error| format!("{}: {error}", shown(file)));
    files.iter().map(run).collect()
}
