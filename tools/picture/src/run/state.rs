//! What is where at one moment of a run, and what an event changes.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    beside::Kind,
    run::{Event, Name, Run, queue::Queue, wrote::Wrote},
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
    /// The task that it has spawned last, until it puts it into a queue.
    spawned: Option<Name>,
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

/// What an event has changed, as far as the next state does not say it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    /// The task that came into a queue.
    pub(crate) queued: Option<Name>,
    /// The task that it pushed out of there.
    pub(crate) pushed_out: Option<Name>,
    /// Whether the state of a task, which is a word, is another one now.
    pub(crate) has_new_bits: bool,
}

impl Change {
    /// This, and what a second event has changed.
    pub(crate) fn and(self, second: Change) -> Change {
        Change {
            queued: self.queued.or(second.queued),
            pushed_out: self.pushed_out.or(second.pushed_out),
            has_new_bits: self.has_new_bits || second.has_new_bits,
        }
    }
}

impl State {
    /// Makes of this state the one after the event.
    pub(crate) fn apply(&mut self, run: &Run, event: &Event) -> Change {
        let mut change = Change::default();
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
                thread.polls.pop();
                if run.has_owners() {
                    thread.polls.pop();
                }
            }
            What::Spawn => thread.spawned = event.task,
            What::Word { after, .. } => change = self.write(run, event, after),
            _ => {}
        }
        if let Some(task) = event.task {
            change.queued = self.apply_to_task(run, event, task);
        }
        change
    }

    /// Returns the task if it came into a queue.
    fn apply_to_task(&mut self, run: &Run, event: &Event, name: Name) -> Option<Name> {
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
        if is_sent { self.send(run, name) } else { None }
    }

    /// A thread writes a word.
    fn write(&mut self, run: &Run, event: &Event, after: u64) -> Change {
        let mut change = Change::default();
        if let Some(lane) = run.word(&event.what) {
            let before = self.words.insert(lane.name().to_owned(), after);
            change.has_new_bits = lane.is == Kind::Word && before != Some(after);
        }
        match Wrote::of(run, event) {
            Some(Wrote::Put { queue, len }) => {
                change.queued = self.thread(event.thread).spawned.take();
                change.pushed_out = self.put(event.thread, queue, change.queued, len);
            }
            Some(Wrote::Took { queue, left }) => self.take(event.thread, queue, left),
            Some(Wrote::Stole { from, count }) => {
                let there = self.queues.get(&from).map_or(0, Vec::len);
                self.take(event.thread, from, there.saturating_sub(count));
            }
            // A task that was woken in its poll is sent by the thread that gives it up.
            Some(Wrote::Scheduled(task)) if !self.is_polled(task) => {
                change.queued = self.send(run, task);
            }
            _ => {}
        }
        change
    }

    /// A task is in the queue once at most. Returns it if it was not there.
    fn send(&mut self, run: &Run, task: Name) -> Option<Name> {
        let (Some(queue), None) = (run.queue_for(task), self.queue_of(task)) else {
            return None;
        };
        self.queues.entry(queue).or_default().push(task);
        Some(task)
    }

    /// A thread puts a task into this queue. If there are more than `len` then, the first goes to the thread's own queue, and is returned.
    fn put(&mut self, thread: Name, queue: Queue, task: Option<Name>, len: usize) -> Option<Name> {
        let queued = self.queues.entry(queue).or_default();
        queued.extend(task);
        let pushed_out = (queued.len() > len).then(|| queued.remove(0));
        self.own_queue(thread).extend(pushed_out);
        pushed_out
    }

    /// A thread takes the first task from this queue, to poll it. If there are more than `left` then, the others go to its own queue.
    fn take(&mut self, thread: Name, queue: Queue, left: usize) {
        let queued = self.queues.entry(queue.clone()).or_default();
        let mut taken = queued.drain(..queued.len().saturating_sub(left));
        if taken.next().is_none() {
            return;
        }
        let others: Vec<Name> = taken.collect();
        self.own_queue(thread).extend(others);
        self.thread(thread).takes = Some(queue);
    }

    fn own_queue(&mut self, thread: Name) -> &mut Vec<Name> {
        let queue = Queue::Own(thread.to_owned());
        self.queues.entry(queue).or_default()
    }

    fn thread(&mut self, name: Name) -> &mut Thread {
        self.threads.entry(name).or_default()
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
