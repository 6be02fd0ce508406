//! A run of a stage that the book shows: its recording, and what its picture looks like.

use std::{fs, path::PathBuf};

use kit::files;
use probe::{Event, Named, Recording, What};
use serde::Deserialize;

/// What a test of the stage has written to `book/recordings`: see `probe::Run`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Run {
    /// The name of its files.
    pub(crate) name: String,
    /// What it is, in a few words.
    pub(crate) title: String,
    /// What to see in it.
    pub(crate) caption: String,
    pub(crate) wording: Wording,
    /// The rows of its state, from above.
    pub(crate) lanes: Vec<Lane>,
    #[serde(flatten)]
    pub(crate) recording: Recording,
}

/// A row of the state, as `probe::Lane` has it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Lane {
    #[serde(rename = "lane")]
    pub(crate) kind: Kind,
    /// A line of the source.
    #[serde(default)]
    line: String,
    /// Its name, and after a colon, more of that, or what is done in that line, or from whom it steals.
    pub(crate) header: String,
    /// What may be in the queue, or the bits or numbers of the word, from the lowest.
    #[serde(default)]
    tasks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
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
    /// One with nothing but a header.
    pub(crate) fn new(kind: Kind, header: String) -> Self {
        let (line, tasks) = Default::default();
        Lane {
            kind,
            line,
            header,
            tasks,
        }
    }

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

/// How polls are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wording {
    Polls,
    PlainWakes,
    Checks,
    Flags,
}

impl Kind {
    /// Whether it is a queue of any kind.
    pub(crate) fn is_queue(self) -> bool {
        use Kind::{Counted, OwnQueue, Queue, QueueAgain, SharedQueue};
        matches!(self, Queue | QueueAgain | SharedQueue | OwnQueue | Counted)
    }
}

impl Run {
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.lanes.iter().any(|lane| lane.kind == kind)
    }

    /// The lane of the word that this writes.
    pub(crate) fn word(&self, what: &What) -> Option<usize> {
        let What::Word { word, .. } = what else {
            return None;
        };
        let lanes = self.lanes.iter().enumerate();
        use Kind::{Counted, Counts, Lock, Word};
        let mut words =
            lanes.filter(|(_, lane)| matches!(lane.kind, Counted | Word | Counts | Lock));
        Some(words.nth(usize::try_from(word.checked_sub(1)?).ok()?)?.0)
    }

    /// The lane of a worker's own queue.
    pub(crate) fn queue_of(&self, worker: &str) -> usize {
        let name = format!("{worker}'s queue");
        let place = self.lanes.iter().position(|it| it.name() == name);
        place.unwrap_or(usize::MAX)
    }

    /// What a lane says of the line in which a word is written.
    pub(crate) fn line(&self, event: &Event) -> Option<&Lane> {
        let is_of = |it: &&Lane| matches!(it.kind, Kind::Line | Kind::Steals);
        let mut lines = self.lanes.iter().filter(is_of);
        lines.find(|it| event.place.ends_with(&it.line))
    }

    /// Whether a later step of this thread says what this event has done, if words say what is in the queues: a spawned task is put
    /// somewhere, a task that was taken is polled, and one that is dropped was ready.
    pub(crate) fn is_half(&self, event: &Event) -> bool {
        let is_counted = |lane: usize| self.lanes[lane].kind == Kind::Counted;
        match event.what {
            What::Word { before, after, .. } if after >= before => false,
            What::Word { .. } => self.word(&event.what).is_some_and(is_counted),
            _ => self.has(Kind::Counted) && matches!(event.what, What::Spawn | What::Drop),
        }
    }

    /// From which worker's queue a thread steals, and how many tasks.
    pub(crate) fn stolen(&self, event: &Event) -> Option<(usize, usize)> {
        let What::Word { before, after, .. } = event.what else {
            return None;
        };
        let line = self.line(event).filter(|it| it.kind == Kind::Steals)?;
        Some((self.queue_of(&line.header), (after - before) as usize))
    }

    /// The queue into which this task is put. `None`: there is no such queue, or this future is no task.
    pub(crate) fn queue_for(&self, task: u32) -> Option<usize> {
        let task = self.task(task);
        let takes = |lane: &Lane| match lane.kind {
            Kind::Queue | Kind::QueueAgain => true,
            Kind::SharedQueue => lane.tasks.iter().any(|it| it == task),
            _ => false,
        };
        self.lanes.iter().position(takes)
    }

    pub(crate) fn task(&self, id: u32) -> &str {
        name(&self.recording.tasks, id, "a task")
    }

    pub(crate) fn thread(&self, id: u32) -> &str {
        name(&self.recording.threads, id, "a thread")
    }
}

fn name<'a>(list: &'a [Named], id: u32, else_: &'a str) -> &'a str {
    let named = list.iter().find(|it| it.id == id && !it.name.is_empty());
    named.map_or(else_, |it| &it.name)
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
    let mut files = files::below(&book("recordings")).map_err(|error| error.to_string())?;
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).map_err(|error| error.to_string());
        text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", files::shown(&files::root(), file)))
    };
    files.iter().map(read).collect()
}
