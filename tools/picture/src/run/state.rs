//! What is where at one moment of a run, and what an event changes.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    beside::Kind,
    run::{Event, Name, Run, queue::Queue},
};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The tasks in each queue, the next one first.
    pub(crate) queues: BTreeMap<Queue, Vec<Name>>,
    /// The threads that were heard of.
    pub(crate) threads: BTreeMap<Name, Thread>,
    pub(crate) words: BTreeMap<String, u64>,
    /// The wakers that are stored: of which task, and the number.
    pub(crate) wakers: Vec<(Name, u32)>,
    /// What is in each place: futures, or threads.
    pub(crate) places: Vec<Vec<Name>>,
    /// The futures that were heard of.
    pub(crate) tasks: BTreeMap<Name, Task>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) asleep: bool,
    /// The futures that it polls, the innermost last.
    pub(crate) polls: Vec<Name>,
    /// What it has spawned last, until it puts that somewhere.
    gives: Option<Name>,
    /// The queue from which it has taken a task, to poll it.
    pub(crate) takes: Option<Queue>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Task {
    /// The number of the waker that came with its latest poll.
    pub(crate) waker: u32,
    /// The thread that polled it last.
    pub(crate) poller: Option<Name>,
    pub(crate) end: Option<End>,
}

/// How a future ended.
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
            What::Poll { waker } => {
                thread.polls.extend(run.owner(waker));
                thread.polls.extend(event.task);
                thread.takes = None;
            }
            What::Pending | What::Ready | What::Panic => {
                let ended = 1 + run.beside.wakers.len().min(1);
                let left = thread.polls.len().saturating_sub(ended);
                thread.polls.truncate(left);
            }
            What::Spawn => thread.gives = event.task,
            What::Word { after, .. } => self.write(run, event, after),
            _ => {}
        }
        if let Some(task) = event.task {
            self.apply_to_task(run, event, task);
        }
    }

    fn apply_to_task(&mut self, run: &Run, event: &Event, name: Name) {
        let is_noted = self.is_polled(name) && run.has(Kind::SharedQueue);
        let task = self.tasks.entry(name).or_default();
        let mut is_sent = false;
        match event.what {
            What::Spawn => is_sent = true,
            What::Poll { waker } => {
                (task.waker, task.poller) = (waker, Some(event.thread));
                for queue in self.queues.values_mut() {
                    queue.retain(|queued| *queued != name);
                }
            }
            What::Ready => task.end = Some(End::Ready),
            What::Panic => task.end = Some(End::Panicked),
            What::Drop => task.end = task.end.or(Some(End::Dropped)),
            What::Wake { waker, .. } => {
                is_sent = task.end.is_none() && !is_noted && waker >= task.waker;
            }
            _ => {}
        }
        let wakers = &mut self.wakers;
        match event.what {
            What::Keep { waker } => wakers.push((name, waker)),
            What::Release { waker }
            | What::Wake {
                waker,
                by_value: true,
                ..
            } => {
                if let Some(place) = wakers.iter().position(|kept| *kept == (name, waker)) {
                    wakers.remove(place);
                }
            }
            _ => {}
        }
        if is_sent {
            self.send(run, name);
        }
    }

    /// A word that has a lane, or counts what was stolen, is written.
    fn write(&mut self, run: &Run, event: &Event, after: u64) {
        if let Some((victim, count)) = run.stolen(event) {
            let there = self.queues.get(&victim).map_or(0, Vec::len);
            let left = there.saturating_sub(count);
            return self.keep(event.thread, victim, left);
        }
        let Some(lane) = run.word(&event.what) else {
            return;
        };
        self.words.insert(lane.name().to_owned(), after);
        if let (Kind::Counted, Some(queue)) = (lane.is, Queue::of(lane)) {
            return self.keep(event.thread, queue, after as usize);
        }
        // A task that was woken in its poll is sent by the thread that gives it up.
        let is_set = |bit: &str| lane.fields(after).any(|field| field == (bit, 1));
        let is_due = is_set("SCHEDULED") && !is_set("RUNNING");
        let mut tasks = run.tasks.iter();
        if let Some(task) = tasks.find(|name| **name == lane.whose) {
            if is_due && !self.is_polled(task) {
                self.send(run, task);
            }
        }
    }

    /// A task is in the queue once at most.
    fn send(&mut self, run: &Run, task: Name) {
        if let (Some(queue), None) = (run.queue_for(task), self.queue_of(task)) {
            self.queues.entry(queue).or_default().push(task);
        }
    }

    /// A thread puts what it has spawned into this queue, or else it takes the first task from it to poll that. If it then has more
    /// than so many left, the others move to the thread's own queue.
    fn keep(&mut self, name: Name, queue: Queue, left: usize) {
        let thread = self.threads.entry(name).or_default();
        let queued = self.queues.entry(queue.clone()).or_default();
        let is_taken = thread.gives.is_none();
        queued.extend(thread.gives.take());
        let mut gone: Vec<Name> = queued.drain(..queued.len().saturating_sub(left)).collect();
        if is_taken && !gone.is_empty() {
            gone.remove(0);
            thread.takes = Some(queue);
        }
        let own = Queue::Own(name.to_owned());
        self.queues.entry(own).or_default().extend(gone);
    }

    /// The queue in which this task is.
    pub(crate) fn queue_of(&self, task: Name) -> Option<&Queue> {
        let mut queues = self.queues.iter();
        let (queue, _) = queues.find(|(_, queued)| queued.contains(&task))?;
        Some(queue)
    }

    pub(crate) fn is_polled(&self, task: Name) -> bool {
        let mut threads = self.threads.values();
        threads.any(|thread| thread.polls.contains(&task))
    }
}
