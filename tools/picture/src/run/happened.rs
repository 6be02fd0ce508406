//! What happened in a step. `sentence.rs` makes words of it, and the lanes make arrows.

use probe::What;

use crate::{
    beside::{Kind, Lane},
    run::{
        Event, Name, Run,
        queue::Queue,
        state::{Change, State},
        wrote::Wrote,
    },
};

/// Who did it: a thread, and the future inside whose poll it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By {
    pub(crate) thread: Name,
    pub(crate) inside: Option<Name>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Happened {
    Sleeps {
        /// An executor sleeps for no other reason.
        queue_is_empty: bool,
        /// Nothing ends this sleep.
        forever: bool,
    },
    Resumes,
    /// The one lock of the run, or in a reader's own run its number and where it is.
    TakesLock(Option<(u32, String)>),
    ReleasesLock(Option<u32>),
    Notifies {
        condvar: u32,
        place: String,
    },
    Waits {
        condvar: u32,
        place: String,
    },
    Writes(Write),
    Steals {
        from: Queue,
        tasks: Vec<Name>,
        /// How many were there.
        of: usize,
    },
    /// Spawns a task into this queue.
    Puts {
        task: Name,
        queue: Queue,
        /// The task that had the only place there.
        pushed_out: Option<Name>,
    },
    Spawns {
        task: Name,
        is_queued: bool,
    },
    Polls {
        task: Name,
        /// The future inside whose poll it is polled.
        outer: Option<Name>,
        from: Option<Queue>,
    },
    Pending {
        task: Name,
        bit: Bit,
    },
    Ready {
        task: Name,
    },
    Panics {
        task: Name,
    },
    PollsAfterReady {
        task: Name,
    },
    Drops {
        task: Name,
    },
    /// A clone of this task's waker is stored.
    Keeps {
        whose: Name,
    },
    /// It is dropped without a wake.
    Releases {
        whose: Name,
    },
    Wakes(Wake),
}

/// A word got another value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Write {
    /// What it means that it is written there, if `players.toml` says so.
    pub(crate) meaning: String,
    /// The numbers in it that are others now: their names, and from what to what.
    pub(crate) changes: Vec<(String, u64, u64)>,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) place: String,
}

/// What a worker found in the state of a task whose poll was pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bit {
    /// It has no such state.
    None,
    Clear,
    /// The task was woken in its poll, so the worker puts it into the queue.
    Set,
}

/// A waker was called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wake {
    /// The future with which the waker was made.
    pub(crate) task: Name,
    /// The task that polls it, if that is another one.
    pub(crate) owner: Option<Name>,
    /// Whether it is a waker of an earlier poll than the latest one.
    pub(crate) is_stale: bool,
    pub(crate) effect: Effect,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Effect {
    /// The task goes into the queue, which may end the sleep of a thread.
    Queued { wakes: Option<Name> },
    /// Of what an executor does, no more is known than that.
    Asked { wakes: Option<Name> },
    /// The task is being polled. Its bit is set, if it has one.
    DuringPoll { sets_bit: bool },
    /// It is finished.
    TooLate,
}

impl By {
    pub(super) fn of(event: &Event, before: &State) -> By {
        let thread = event.thread;
        let polls = before.threads.get(thread).map(|thread| &thread.polls);
        let inside = polls.and_then(|polls| polls.last().copied());
        By { thread, inside }
    }
}

/// An event, and the states before and after it. If it is a poll's end or a wake, the word that is written for it belongs to it.
pub(super) struct Seen<'a> {
    pub(super) run: &'a Run,
    pub(super) event: &'a Event,
    /// Its thread does nothing more.
    pub(super) is_last: bool,
    pub(super) before: &'a State,
    pub(super) change: Change,
    pub(super) after: &'a State,
}

impl Seen<'_> {
    /// What the event did.
    pub(super) fn happened(&self) -> Happened {
        match (&self.event.what, self.event.task) {
            (What::Word { before, after, .. }, _) => self.word(*before, *after),
            (_, Some(task)) => self.task(task),
            _ => self.thread(),
        }
    }

    /// A thread did something by itself.
    fn thread(&self) -> Happened {
        let has_lane = self.run.has(Kind::Lock);
        let place = || self.event.place.clone();
        match self.event.what {
            What::Park => Happened::Sleeps {
                queue_is_empty: self.run.has(Kind::Queue) || self.run.has(Kind::Word),
                forever: self.is_last,
            },
            What::Lock { lock } => Happened::TakesLock((!has_lane).then(|| (lock, place()))),
            What::Unlock { lock } => Happened::ReleasesLock((!has_lane).then_some(lock)),
            What::Notify { condvar } => Happened::Notifies {
                condvar,
                place: place(),
            },
            What::Wait { condvar } => Happened::Waits {
                condvar,
                place: place(),
            },
            _ => Happened::Resumes,
        }
    }

    /// A thread wrote a word.
    fn word(&self, before: u64, after: u64) -> Happened {
        match Wrote::of(self.run, self.event) {
            Some(Wrote::Stole { from, count }) => {
                let there = self.before.queues.get(&from).map_or(&[][..], Vec::as_slice);
                return Happened::Steals {
                    tasks: there.iter().copied().take(count).collect(),
                    of: there.len(),
                    from,
                };
            }
            Some(Wrote::Put { queue, .. }) => {
                return Happened::Puts {
                    task: self.change.queued.unwrap_or_default(),
                    queue,
                    pushed_out: self.change.pushed_out,
                };
            }
            _ => {}
        }
        let lane = self.run.word(&self.event.what);
        let meaning = self.run.line(self.event);
        Happened::Writes(Write {
            meaning: meaning.map_or(String::new(), |lane| lane.header.clone()),
            changes: lane.map_or(Vec::new(), |lane| changes(lane, before, after)),
            before,
            after,
            place: self.event.place.clone(),
        })
    }

    /// Something happened to a future.
    fn task(&self, task: Name) -> Happened {
        let is_queued = self.change.queued == Some(task);
        let whose = |waker| self.run.owner(waker).unwrap_or(task);
        match self.event.what {
            What::Spawn => Happened::Spawns { task, is_queued },
            What::Poll { .. } => self.polls(task),
            What::Pending => {
                let bit = if is_queued {
                    Bit::Set
                } else if self.change.has_new_bits {
                    Bit::Clear
                } else {
                    Bit::None
                };
                Happened::Pending { task, bit }
            }
            What::Ready => Happened::Ready { task },
            What::Panic => Happened::Panics { task },
            What::PollAfterReady => Happened::PollsAfterReady { task },
            What::Drop => Happened::Drops { task },
            What::Keep { waker } => Happened::Keeps {
                whose: whose(waker),
            },
            What::Release { waker } => Happened::Releases {
                whose: whose(waker),
            },
            What::Wake { waker, .. } => Happened::Wakes(Wake {
                task,
                owner: self.run.owner(waker),
                is_stale: waker < self.after.tasks[task].waker,
                effect: self.effect(task, is_queued),
            }),
            // What is left is of a thread, or a word.
            _ => Happened::Resumes,
        }
    }

    fn polls(&self, task: Name) -> Happened {
        let polled = &self.after.threads[self.event.thread].polls;
        let thread = self.before.threads.get(self.event.thread);
        let taken = thread.and_then(|thread| thread.takes.as_ref());
        let from = taken.or_else(|| self.before.queue_of(task));
        Happened::Polls {
            task,
            outer: polled.iter().rev().nth(1).copied(),
            from: from.cloned(),
        }
    }

    fn effect(&self, name: Name, is_queued: bool) -> Effect {
        let task = &self.after.tasks[name];
        let wakes = task.poller.filter(|poller| {
            let thread = self.before.threads.get(poller);
            thread.is_some_and(|thread| thread.asleep && thread.polls.is_empty())
        });
        if is_queued {
            Effect::Queued { wakes }
        } else if task.end.is_some() {
            Effect::TooLate
        } else if self.before.is_polled(name) {
            Effect::DuringPoll {
                sets_bit: self.change.has_new_bits,
            }
        } else {
            Effect::Asked { wakes }
        }
    }
}

/// What became of the numbers in a word.
fn changes(lane: &Lane, before: u64, after: u64) -> Vec<(String, u64, u64)> {
    let both = lane.fields(before).zip(lane.fields(after));
    let changed = both.filter(|((_, before), (_, after))| before != after);
    let named = changed.map(|((name, before), (_, after))| (name.to_owned(), before, after));
    named.collect()
}
