//! A run of a stage that the book shows: how it is made, and how it is recorded.

use std::{panic, thread};

use probe::{Recording, What};

/// What is recorded, and what its picture looks like.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The name of its files.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to see in it.
    pub caption: &'static str,
    /// The names of its threads, in the order in which they are first heard of.
    pub threads: &'static [&'static str],
    /// The columns of its picture, from left to right.
    pub lanes: &'static [Lane],
    /// The words for its events.
    pub wording: Wording,
    /// Of how many events the picture is made. The others are counted.
    pub most: usize,
    /// Runs it. Which events come, and in which order, is the same each time, on a machine that is not too busy.
    pub record: fn() -> Recording,
}

/// A column of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A thread, by the name that [`Run::threads`] gives it, and what stands above it.
    Thread(&'static str, &'static str),
    /// A future, by the name that it is watched under, and what stands above it.
    Task(&'static str, &'static str),
    /// Clones of wakers, from when they are kept to when they are used up or given back. Without this lane, that is
    /// not recorded.
    Wakers(&'static str),
    /// The executor's queue. No recording knows it, but it follows from the rule of the executor: a task is in the
    /// queue from when it is spawned or woken until it is polled.
    Queue(&'static str),
    /// The same for the executor that puts a pending task into its queue again at once.
    QueueAgain(&'static str),
    /// The same for a queue that several workers share, and these futures alone are tasks. One that is woken while it is
    /// polled gets into the queue when that poll is over.
    SharedQueue(&'static [&'static str], &'static str),
    /// The queue of one worker, by the worker's name, and the tasks that may be in it. What the worker spawns is in its queue
    /// until it is polled. Another worker that polls the first task in it has stolen half of the tasks, and has the others
    /// in its own queue. The recording of a run checks that with the worker's own counts.
    ///
    /// With such lanes, a task needs no lane: its polls are shown in the lane of its worker.
    OwnQueue(&'static str, &'static [&'static str], &'static str),
}

impl Lane {
    /// What stands above it.
    pub fn header(&self) -> &'static str {
        match self {
            Lane::Thread(_, header) | Lane::Task(_, header) => header,
            Lane::Wakers(header) | Lane::Queue(header) | Lane::QueueAgain(header) => header,
            Lane::SharedQueue(_, header) | Lane::OwnQueue(_, _, header) => header,
        }
    }

    /// What it is called in sentences, with marks for style.
    pub fn name(&self) -> String {
        match self {
            Lane::Thread(name, _) => (*name).to_owned(),
            Lane::Task(name, _) => format!("`{name}`"),
            Lane::Wakers(_) => "a waker".to_owned(),
            Lane::Queue(_) | Lane::QueueAgain(_) | Lane::SharedQueue(..) => "the queue".to_owned(),
            Lane::OwnQueue(worker, ..) => format!("{worker}'s queue"),
        }
    }
}

/// How polls are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// A future is polled, and is pending or ready. A wake says whom it wakes.
    Polls,
    /// The same with a plain `fn()`, which cannot say that.
    PlainWakes,
    /// A thread checks whether there is data.
    Looks,
}

/// A wait that is shorter is one for a lock: of the probe, or of the memory. No two runs have the same of those.
const SHORTEST_SLEEP: u64 = 1_000_000;

/// So often a run is recorded in the hope of an order of events.
///
/// The runs are such that the order is fixed as long as no thread is kept from its work for longer than the shortest
/// of their delays, 10 ms. On a busy machine one may be.
pub const TRIES: usize = 10;

impl Run {
    /// Runs it, on a thread of the name `main`.
    pub fn record(&self) -> Recording {
        let thread = thread::Builder::new().name("main".into());
        let recording = thread.spawn(self.record).map(thread::JoinHandle::join);
        let mut recording = match recording {
            Ok(Ok(recording)) => recording,
            Ok(Err(panic)) => panic::resume_unwind(panic),
            Err(error) => panic!("a recording needs a thread: {error}"),
        };
        for (thread, name) in recording.threads.iter_mut().zip(self.threads) {
            (*name).clone_into(&mut thread.name);
        }
        leave_out_short_sleeps(&mut recording);
        if !self
            .lanes
            .iter()
            .any(|lane| matches!(lane, Lane::Wakers(_)))
        {
            let of_wakers = |what: &What| matches!(what, What::Keep { .. } | What::Release { .. });
            recording.events.retain(|event| !of_wakers(&event.what));
        }
        let more = recording.events.len().saturating_sub(self.most);
        recording.events.truncate(self.most);
        recording.left_out += u64::try_from(more).unwrap_or(u64::MAX);
        recording
    }

    /// Records until the order of events is this one, [`TRIES`] times at most. The last recording, if none has it.
    pub fn record_like(&self, wanted: &str) -> Recording {
        let mut recording = self.record();
        for _ in 1..TRIES {
            if order(&recording) == wanted {
                break;
            }
            recording = self.record();
        }
        recording
    }
}

/// The order of events as text.
///
/// Who slept when is left out: Linux alone tells that. So are the numbers of wakers: whether the next poll gets the
/// number of a waker that was woken is a race with the thread that woke it, which has yet to drop it.
pub fn order(recording: &Recording) -> String {
    let mut recording = recording.clone().without_parks();
    for event in &mut recording.events {
        match &mut event.what {
            What::Poll { waker }
            | What::Keep { waker }
            | What::Release { waker }
            | What::Wake { waker, .. } => *waker = 1,
            _ => {}
        }
    }
    recording.to_text()
}

fn leave_out_short_sleeps(recording: &mut Recording) {
    let events = &recording.events;
    let mut short = vec![false; events.len()];
    for (at, park) in events.iter().enumerate() {
        if park.what != What::Park {
            continue;
        }
        let end = (at + 1..events.len())
            .find(|end| events[*end].thread == park.thread && events[*end].what == What::Unpark);
        if let Some(end) = end {
            let is_short = events[end].at - park.at < SHORTEST_SLEEP;
            (short[at], short[end]) = (is_short, is_short);
        }
    }
    let mut short = short.into_iter();
    recording
        .events
        .retain(|_| !short.next().unwrap_or_default());
}
