//! What is where at one moment of a run, and what an event changes.

use std::collections::BTreeMap;

use probe::{Event, What};

use crate::run::{Kind, Run};

/// What is where at one moment of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The tasks in each queue, by the place of the queue's lane, the next one first.
    pub(crate) queues: BTreeMap<usize, Vec<u32>>,
    /// The threads that were heard of.
    pub(crate) threads: BTreeMap<u32, Thread>,
    /// The atomic words, by the place of their lane.
    pub(crate) words: BTreeMap<usize, u64>,
    /// What is in each place: futures, and their threads.
    pub(crate) places: Vec<Vec<(Option<u32>, u32)>>,
    /// The futures that were heard of.
    pub(crate) tasks: BTreeMap<u32, Task>,
}

/// A thread at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) asleep: bool,
    /// No later event is on this thread, so nothing more is known of it.
    pub(crate) over: bool,
    /// The futures that it polls, the innermost last.
    pub(crate) polls: Vec<u32>,
    /// What it has spawned last, until it puts that somewhere.
    gives: Option<u32>,
    /// What it has taken, to poll it, and from which queue.
    pub(crate) takes: Option<(u32, usize)>,
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
    pub(crate) poller: Option<u32>,
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
        let thread = self.threads.entry(event.thread).or_default();
        match event.what {
            What::Park => thread.asleep = true,
            What::Unpark => thread.asleep = false,
            What::Poll { .. } => thread.polls.extend(event.task),
            What::Pending | What::Ready | What::Panic => drop(thread.polls.pop()),
            What::Spawn => thread.gives = event.task,
            What::Word { after, .. } => self.write(run, event, after),
            _ => {}
        }
        if let Some(id) = event.task {
            self.apply_to_task(run, event, id);
        }
    }

    fn apply_to_task(&mut self, run: &Run, event: &Event, id: u32) {
        let is_polled = self.is_polled(id);
        let task = self.tasks.entry(id).or_default();
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
                task.poller = Some(event.thread);
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
            self.send(run, id);
        }
        if let What::Poll { .. } = event.what {
            self.threads.entry(event.thread).or_default().takes = None;
            self.queues
                .values_mut()
                .for_each(|it| it.retain(|it| *it != id));
        }
    }

    /// A word that has a lane, or counts what was stolen, is written.
    fn write(&mut self, run: &Run, event: &Event, after: u64) {
        if let Some((victim, count)) = run.stolen(event) {
            let left = self.queues[&victim].len() - count;
            return self.keep(run, event.thread, victim, left);
        }
        let Some(place) = run.word(&event.what) else {
            return;
        };
        self.words.insert(place, after);
        let lane = &run.lanes[place];
        if lane.kind == Kind::Counted {
            return self.keep(run, event.thread, place, after as usize);
        }
        // A task that was woken in its poll is sent by the thread that gives it up.
        let is = |bit: &str| lane.fields(after).any(|it| it == (bit, 1));
        let mut tasks = run.recording.tasks.iter();
        let task = tasks.find(|it| lane.header.contains(&format!("`{}`", it.name)));
        let is_idle = |id: u32| is("SCHEDULED") && !is("RUNNING") && !self.is_polled(id);
        if let Some(task) = task.filter(|it| is_idle(it.id)) {
            self.send(run, task.id);
        }
    }

    /// A task is in the queue once at most.
    fn send(&mut self, run: &Run, task: u32) {
        if let (Some(queue), None) = (run.queue_for(task), self.queue_of(task)) {
            self.queues.entry(queue).or_default().push(task);
        }
    }

    /// A thread puts what it has spawned into this queue, or else it takes the first task from it to poll that. If it then has more
    /// than so many left, the others move to the thread's own queue.
    fn keep(&mut self, run: &Run, thread: u32, queue: usize, left: usize) {
        let own = run.queue_of(run.thread(thread));
        let thread = self.threads.entry(thread).or_default();
        let queued = self.queues.entry(queue).or_default();
        let given = thread.gives.take();
        queued.extend(given);
        let mut gone = queued.drain(..queued.len() - left);
        if given.is_none() {
            thread.takes = gone.next().map(|task| (task, queue));
        }
        let gone: Vec<u32> = gone.collect();
        self.queues.entry(own).or_default().extend(gone);
    }

    /// The queue in which this task is.
    pub(crate) fn queue_of(&self, task: u32) -> Option<usize> {
        let mut queues = self.queues.iter();
        queues.find(|it| it.1.contains(&task)).map(|it| *it.0)
    }

    pub(crate) fn is_polled(&self, task: u32) -> bool {
        let mut threads = self.threads.values();
        threads.any(|thread| thread.polls.contains(&task))
    }
}
