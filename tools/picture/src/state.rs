//! What is where at one moment of a run, and what an event changes.

use std::collections::BTreeMap;

use probe::What;

use crate::run::{Event, Kind, Run, own_queue};

/// What is where at one moment of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The tasks in each queue, the next one first.
    pub(crate) queues: BTreeMap<String, Vec<String>>,
    /// The threads that were heard of.
    pub(crate) threads: BTreeMap<String, Thread>,
    /// The atomic words.
    pub(crate) words: BTreeMap<String, u64>,
    /// What is in each place: futures, or threads.
    pub(crate) places: Vec<Vec<String>>,
    /// The futures that were heard of.
    pub(crate) tasks: BTreeMap<String, Task>,
}

/// A thread at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) asleep: bool,
    /// No later event is on this thread, so nothing more is known of it.
    pub(crate) over: bool,
    /// The futures that it polls, the innermost last.
    pub(crate) polls: Vec<String>,
    /// What it has spawned last, until it puts that somewhere.
    gives: Option<String>,
    /// What it has taken, to poll it, and from which queue.
    pub(crate) takes: Option<(String, String)>,
}

/// A future at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Task {
    pub(crate) polls: u32,
    pub(crate) wakes: u32,
    /// Clones of its wakers that are stored.
    pub(crate) wakers: u32,
    /// The number of the waker that came with its latest poll.
    pub(crate) waker: u32,
    /// It was woken since its latest poll began.
    pub(crate) woken: bool,
    /// The thread that polled it last.
    pub(crate) poller: Option<String>,
    pub(crate) end: Option<End>,
}

/// How a future's polls came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Ready,
    Panicked,
    Dropped,
}

impl State {
    /// What the event changes.
    pub(crate) fn apply(&mut self, run: &Run, event: &Event) {
        let thread = self.threads.entry(event.thread.clone()).or_default();
        match event.what {
            What::Park => thread.asleep = true,
            What::Unpark => thread.asleep = false,
            What::Poll { .. } => {
                thread.polls.extend(event.task.clone());
                thread.takes = None;
            }
            What::Pending | What::Ready | What::Panic => drop(thread.polls.pop()),
            What::Spawn => thread.gives.clone_from(&event.task),
            What::Word { after, .. } => self.write(run, event, after),
            _ => {}
        }
        if let Some(task) = &event.task {
            self.apply_to_task(run, event, task);
        }
    }

    fn apply_to_task(&mut self, run: &Run, event: &Event, name: &str) {
        let is_polled = self.is_polled(name);
        let task = self.tasks.entry(name.to_owned()).or_default();
        let is_sent = match event.what {
            What::Spawn => true,
            What::Pending => run.has(Kind::QueueAgain),
            What::Again { polls } => {
                task.polls += polls;
                true
            }
            What::Wake { waker, .. } => {
                task.wakes += 1;
                let is_stale = waker < task.waker;
                task.woken |= !is_stale;
                let is_noted = is_polled && run.has(Kind::SharedQueue);
                task.end.is_none() && !is_noted && !is_stale
            }
            _ => false,
        };
        match event.what {
            What::Poll { waker } => {
                (task.polls, task.woken, task.waker) = (task.polls + 1, false, waker);
                task.poller = Some(event.thread.clone());
            }
            What::Ready => task.end = Some(End::Ready),
            What::Panic => task.end = Some(End::Panicked),
            What::Drop => task.end = task.end.or(Some(End::Dropped)),
            What::Keep { .. } => task.wakers += 1,
            What::Release { .. } | What::Wake { by_value: true, .. } => {
                task.wakers = task.wakers.saturating_sub(1);
            }
            _ => {}
        }
        if is_sent {
            self.send(run, name);
        }
        let is_polled = matches!(event.what, What::Poll { .. });
        for queue in self.queues.values_mut().filter(|_| is_polled) {
            queue.retain(|it| it != name);
        }
    }

    /// A word that has a lane, or counts what was stolen, is written.
    fn write(&mut self, run: &Run, event: &Event, after: u64) {
        if let Some((victim, count)) = run.stolen(event) {
            let left = self.queues[&victim].len() - count;
            return self.keep(&event.thread, &victim, left);
        }
        let Some(lane) = run.word(&event.what) else {
            return;
        };
        self.words.insert(lane.name().to_owned(), after);
        if lane.kind == Kind::Counted {
            return self.keep(&event.thread, lane.name(), after as usize);
        }
        // A task that was woken in its poll is sent by the thread that gives it up.
        let is = |bit: &str| lane.fields(after).any(|it| it == (bit, 1));
        let mut tasks = run.tasks.iter();
        let task = tasks.find(|it| lane.header.contains(&format!("`{it}`")));
        let is_idle = |it: &&String| is("SCHEDULED") && !is("RUNNING") && !self.is_polled(it);
        if let Some(task) = task.filter(is_idle) {
            self.send(run, task);
        }
    }

    /// A task is in the queue once at most.
    fn send(&mut self, run: &Run, task: &str) {
        if let (Some(queue), None) = (run.queue_for(task), self.queue_of(task)) {
            let queue = self.queues.entry(queue.to_owned()).or_default();
            queue.push(task.to_owned());
        }
    }

    /// A thread puts what it has spawned into this queue, or else it takes the first task from it to poll that. If it then has more
    /// than so many left, the others move to the thread's own queue.
    fn keep(&mut self, thread: &str, queue: &str, left: usize) {
        let own = own_queue(thread);
        let thread = self.threads.entry(thread.to_owned()).or_default();
        let queued = self.queues.entry(queue.to_owned()).or_default();
        let is_taken = thread.gives.is_none();
        queued.extend(thread.gives.take());
        let mut gone: Vec<String> = queued.drain(..queued.len() - left).collect();
        if is_taken && !gone.is_empty() {
            thread.takes = Some((gone.remove(0), queue.to_owned()));
        }
        self.queues.entry(own).or_default().extend(gone);
    }

    /// The queue in which this task is.
    pub(crate) fn queue_of(&self, task: &str) -> Option<&String> {
        let mut queues = self.queues.iter();
        let queue = queues.find(|(_, tasks)| tasks.iter().any(|it| it == task));
        queue.map(|it| it.0)
    }

    pub(crate) fn is_polled(&self, task: &str) -> bool {
        let mut polls = self.threads.values().flat_map(|it| &it.polls);
        polls.any(|it| it == task)
    }
}
