//! A run that the book shows: how it is recorded, what its picture looks like, and the file in which both are kept.
//!
//! The run is a test of its stage. `tools/picture` draws it from that file alone.

use std::{env, fs, panic, path::PathBuf, thread};

use crate::{
    event::What,
    recording::{Event, Recording},
};

/// What is recorded, and what its picture looks like.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The name of its file. Begins with `run-` and the number of its stage.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to see in it.
    pub caption: &'static str,
    /// The names of its threads, in the order in which they are first heard of.
    pub threads: &'static [&'static str],
    /// The rows of its state, from above, after those that `book/players.toml` adds.
    pub lanes: &'static [Lane],
    /// The words for its events.
    pub wording: Wording,
    /// Runs it. Which events come, and in which order, is the same each time, on a machine that is not too busy.
    pub record: fn() -> Recording,
}

/// A row of the state, and if it is a thread or a queue, a lane of the picture. What stands beside it comes last: its name, and after
/// a colon, what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A thread, by the name that [`Run::threads`] gives it.
    Thread(&'static str),
    /// A future, by the name that it is watched under, between backticks.
    Task(&'static str),
    /// Clones of wakers, from when they are kept to when they are used up or given back. Without this lane, that is
    /// not recorded.
    Wakers(&'static str),
    /// The executor's queue. No recording knows it, but it follows from the rule of the executor: a task is in the
    /// queue from when it is spawned or woken until it is polled.
    Queue(&'static str),
    /// The same for the executor that puts a pending task into its queue again at once.
    QueueAgain(&'static str),
    /// The same for a queue that several workers share, and these futures alone are tasks. One that is woken while it is
    /// polled gets into the queue when its `Word` says so.
    SharedQueue(&'static [&'static str], &'static str),
    /// The queue of one worker, as in `worker 1's queue`. No recording knows it. In it is what moved there from the worker's slot, or
    /// came with what it has stolen.
    OwnQueue(&'static str),
    /// A place for tasks, such as the injector or a worker's slot, first in, first out: the next word to be written in this file says
    /// how many are there. A task that a thread puts there is what it has spawned last.
    Counted(&'static str, &'static str),
    /// The lock that is the first to be taken in this file, as for `Word`. It is recorded where its guard is bound by `let`, and not
    /// where it is taken for a single expression.
    Lock(&'static str),
    /// The atomic word that is the next to be written in this file, beginning with the first, and the names of its bits, from the
    /// lowest. Words are recorded under `--cfg recorded`, with the line of each change.
    Word(&'static str, &'static [&'static str], &'static str),
    /// The same of a word with several numbers of 16 bits, which are zero at first.
    Counts(&'static str, &'static [&'static str], &'static str),
    /// No row: a line of the source, and what it means that a thread changes a word there. Such a change is recorded also if its
    /// word has no lane.
    Line(&'static str, &'static str),
    /// The same for the line in which a thief counts what it has stolen, and from which worker.
    Steals(&'static str, &'static str),
}

/// How polls are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub enum Wording {
    /// A future is polled, and is pending or ready. A wake says whom it wakes.
    Polls,
    /// The same with a plain `fn()`, which cannot say that.
    PlainWakes,
    /// A thread checks whether there is data.
    Checks,
    /// Futures are polled, and a wake sets a flag, which ends no sleep.
    Flags,
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

/// A wait that is shorter is one for a lock: of the probe, or of the memory. No two runs have the same of those.
const SHORTEST_SLEEP: u64 = 1_000_000;

impl Run {
    /// Compares what it does now with `book/recordings/NAME.json`: the events and their order, and what its picture looks
    /// like. With `SNAPSHOTS=overwrite` in the environment, writes that file if it differs.
    ///
    /// A file whose events come in the same order is left as it is, because its times differ each time.
    ///
    /// # Panics
    ///
    /// If they differ, or the file cannot be written.
    pub fn check(&self) {
        // An exhibit takes probe's locks by itself.
        let is_inside = |file: &str| !file.starts_with("exhibits/");
        let mut files = self.lanes.iter().filter_map(Lane::file);
        if files.any(is_inside) && !cfg!(recorded) {
            return eprintln!(
                "{}: skipped: it takes RUSTFLAGS=\"--cfg recorded\" and --target-dir target/recorded",
                self.name
            );
        }
        let file = format!("book/recordings/{}.json", self.name);
        let path = PathBuf::from(ROOT).join(&file);
        let wanted = order(&fs::read_to_string(&path).unwrap_or_default());
        let now = self.to_json();
        if order(&now) == wanted {
            return;
        }
        if env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
            return fs::write(&path, now).unwrap_or_else(|error| panic!("{file}: {error}"));
        }
        let now = order(&now);
        panic!(
            "{file}: stale: run this test with SNAPSHOTS=overwrite, then `cargo run -p picture -- --write`\n\
             recorded in this order:\n{now}in the book:\n{wanted}"
        );
    }

    /// What it looks like, and a recording of it.
    fn to_json(self) -> String {
        let (name, title, caption) = (self.name, self.title, self.caption);
        let wording = self.wording;
        let lanes: Vec<_> = self.lanes.iter().map(|lane| lane.to_json()).collect();
        let lanes = lanes.join(",\n");
        let recording = self.recording().to_json();
        // The texts have neither control characters nor others than ASCII, so Rust's form is that of JSON.
        format!(
            "{{\"name\":{name:?},\n\"title\":{title:?},\n\"caption\":{caption:?},\n\"wording\":\"{wording:?}\",\n\"lanes\":[\n{lanes}\n],\n{}\n",
            &recording[1..]
        )
    }

    /// Runs it on a thread of the name `main`.
    fn recording(self) -> Recording {
        let thread = thread::Builder::new().name("main".into());
        let recording = thread.spawn(self.record).map(thread::JoinHandle::join);
        let mut recording = match recording {
            Ok(Ok(recording)) => recording,
            Ok(Err(panic)) => panic::resume_unwind(panic),
            Err(error) => panic!("a recording needs a thread: {error}"),
        };
        leave_out_short_sleeps(&mut recording);
        self.keep_objects(&mut recording);
        let of_wakers = |what: &What| matches!(what, What::Keep { .. } | What::Release { .. });
        let mut lanes = self.lanes.iter();
        let has_wakers = lanes.any(|lane| matches!(lane, Lane::Wakers(_)));
        let events = &mut recording.events;
        events.retain(|event| has_wakers || !of_wakers(&event.what));
        in_order_of_their_tasks(&mut recording);
        for (thread, name) in recording.threads.iter_mut().zip(self.threads) {
            (*name).clone_into(&mut thread.name);
        }
        recording
    }

    /// Keeps what is done to words and locks that have a lane, numbered by those, or in lines that have one, and nothing else that is
    /// done to such. The line of each event is named by its text, because its number would change with every line before it.
    fn keep_objects(&self, recording: &mut Recording) {
        let mut known: Vec<Option<u32>> = Vec::new();
        for (lane, file) in self.lanes.iter().filter_map(|it| Some((it, it.file()?))) {
            let is_lock = matches!(lane, Lane::Lock(_));
            let next = recording.events.iter_mut().find_map(|event| {
                let is_its = event.place.contains(&format!("/{file}:"))
                    && is_lock != matches!(event.what, What::Word { .. });
                let number = object(&mut event.what).filter(|_| is_its).copied();
                number.filter(|it| !known.contains(&Some(*it)))
            });
            known.push(next);
        }
        recording.events.retain_mut(|event| {
            let Some(number) = object(&mut event.what) else {
                return event.place.is_empty();
            };
            let lane = known.iter().position(|it| *it == Some(*number));
            *number = lane.map_or(0, |it| it as u32 + 1);
            event.place = with_text(&event.place);
            let is_told = |lane: &Lane| match lane {
                Lane::Line(line, _) | Lane::Steals(line, _) => event.place.ends_with(line),
                _ => false,
            };
            let is_brief =
                !event.place.contains(": let ") && !matches!(event.what, What::Word { .. });
            lane.is_some() && !is_brief || self.lanes.iter().any(is_told)
        });
    }
}

/// The number of the word or lock.
fn object(what: &mut What) -> Option<&mut u32> {
    match what {
        What::Word { word: it, .. } | What::Lock { lock: it } | What::Unlock { lock: it } => {
            Some(it)
        }
        _ => None,
    }
}

/// `FILE: what is in that line`, of `FILE:LINE`.
fn with_text(place: &str) -> String {
    let (file, line) = place.rsplit_once(':').unwrap_or_default();
    let text = fs::read_to_string(PathBuf::from(ROOT).join(file)).unwrap_or_default();
    let line = line.parse().map_or(0, |it: usize| it - 1);
    format!(
        "{file}: {}",
        text.lines().nth(line).unwrap_or_default().trim()
    )
}

impl Lane {
    /// Where its word is written.
    fn file(&self) -> Option<&'static str> {
        match self {
            Lane::Counted(file, ..)
            | Lane::Word(file, ..)
            | Lane::Counts(file, ..)
            | Lane::Lock(file) => Some(file),
            _ => None,
        }
    }

    fn to_json(self) -> String {
        use Lane::*;
        let (line, header, tasks): (_, _, &[&str]) = match self {
            Thread(it) | Task(it) | Wakers(it) | Queue(it) | QueueAgain(it) => ("", it, &[]),
            OwnQueue(it) | Counted(_, it) | Lock(it) => ("", it, &[]),
            SharedQueue(tasks, it) | Word(_, tasks, it) | Counts(_, tasks, it) => ("", it, tasks),
            Line(line, it) | Steals(line, it) => (line, it, &[]),
        };
        let kind = format!("{self:?}");
        let kind = kind.split('(').next();
        let mut json = format!("{{\"lane\":{:?}", kind.unwrap_or_default());
        if !line.is_empty() {
            json += &format!(",\"line\":{line:?}");
        }
        json += &format!(",\"header\":{header:?}");
        if !tasks.is_empty() {
            json += &format!(",\"tasks\":{tasks:?}");
        }
        json + "}"
    }
}

/// What two recordings of one run have in common.
///
/// Who slept when is left out: Linux alone tells that. So are the times, how often a busy task was polled, and the numbers of wakers: whether the next poll gets
/// the number of a waker that was woken is a race with the thread that woke it, which has yet to drop it.
fn order(json: &str) -> String {
    let lines = json.lines().map(|line| line.trim_end_matches(','));
    let lines = lines.filter(|line| !line.contains("\"park\"") && !line.contains("\"unpark\""));
    let keys = ["\"at\":", "\"waker\":", "\"polls\":"];
    let lines = lines.map(|line| keys.iter().fold(line.to_owned(), without_number) + "\n");
    lines.collect()
}

fn without_number(line: String, key: &&str) -> String {
    let Some((before, after)) = line.split_once(key) else {
        return line;
    };
    let after = after.trim_start_matches(|it: char| it.is_ascii_digit());
    format!("{before}{key}{after}")
}

/// The threads in the order in which they had to do with a task. Which worker is the first to lock the queue, nobody can say.
fn in_order_of_their_tasks(recording: &mut Recording) {
    let first = |thread: u32| {
        let its = |event: &Event| event.thread == thread && event.task.is_some();
        recording.events.iter().position(its).unwrap_or(usize::MAX)
    };
    let mut order: Vec<u32> = recording.threads.iter().map(|it| it.id).collect();
    // The first is the thread that records.
    if let [_, others @ ..] = &mut order[..] {
        others.sort_by_key(|thread| first(*thread));
    }
    for event in &mut recording.events {
        let place = order.iter().position(|it| *it == event.thread);
        event.thread = u32::try_from(place.map_or(0, |it| it + 1)).unwrap_or(0);
    }
}

fn leave_out_short_sleeps(recording: &mut Recording) {
    let all = recording.events.clone();
    let is_its = |park: &Event, it: &Event| it.thread == park.thread && it.what == What::Unpark;
    for (number, park) in (1..).zip(all.iter()).filter(|it| it.1.what == What::Park) {
        let end = all[number..].iter().find(|it| is_its(park, it));
        if let Some(end) = end.filter(|end| end.at - park.at < SHORTEST_SLEEP) {
            recording.events.retain(|it| it != park && it != end);
        }
    }
}
