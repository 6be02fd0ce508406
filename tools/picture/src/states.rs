//! Goes through a recording event by event: what is where after each, and what the event did, in words.

use std::collections::BTreeMap;

use probe::{Event, Named, What};

use crate::run::{Kind, Lane, Place, Run, Wording};

/// What is where at one moment of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) asleep: bool,
    /// No later event is on this thread, so nothing more is known of it.
    pub(crate) over: bool,
    /// The futures that it polls, the innermost last.
    pub(crate) polls: Vec<u32>,
    /// What it has spawned or woken last, which it puts into a queue.
    gives: Option<u32>,
    /// What it has taken, to poll it, and from which queue.
    pub(crate) takes: Option<(u32, usize)>,
}

/// A future at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// The state after one event, and what the event did.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// In nanoseconds.
    pub(crate) at: u64,
    pub(crate) event: Event,
    /// What `players.toml` may call the event.
    pub(crate) keys: [String; 3],
    /// As a sentence, with marks for style.
    pub(crate) text: String,
    /// The queue that a task was taken from, and the thread whose executor chose it.
    pub(crate) taken: Option<usize>,
    /// The worker's queue that it came from, and how many came with it.
    pub(crate) stolen: Option<(usize, usize)>,
    /// The task that a thread puts back into the queue, because it was woken in its poll.
    pub(crate) put: Option<u32>,
    /// Whether it puts a task into a queue.
    is_sent: bool,
    /// Whether the peer of a socket, which is a thread and no future, sends its data.
    pub(crate) is_data: bool,
    pub(crate) state: State,
}

/// The state after each event.
pub(crate) fn frames(run: &Run, places: &[Place]) -> Vec<Frame> {
    let (mut state, mut times) = (State::default(), BTreeMap::new());
    state.places.resize(places.len(), Vec::new());
    let events = run.recording.events.iter();
    let frames = events.enumerate().filter_map(|(number, event)| {
        let before = state.clone();
        for (id, thread) in &mut state.threads {
            let later = &run.recording.events[number..];
            thread.over = !later.iter().any(|event| event.thread == *id);
        }
        let (taken, stolen) = state.apply(run, event);
        if run.is_half(event) {
            return None;
        }
        let mut text = sentence(run, event, &before, &state, taken, stolen);
        let keys = keys(run, event, &mut times);
        for (number, place) in places.iter().enumerate() {
            text += &state.go_by(place, number, &keys, event, run);
        }
        let later = &run.recording.events[number + 1..];
        if event.what == What::Park && !later.iter().any(|it| it.thread == event.thread) {
            text += ", and nothing ends this sleep";
        }
        let is_data = |task| {
            let sends = matches!(event.what, What::Spawn | What::Poll { .. });
            sends && run.task(task) == run.thread(event.thread)
        };
        let is_put = |task: &u32| state.is_queued(*task) && !before.is_queued(*task);
        let by_itself = match event.what {
            What::Pending => run.has(Kind::SharedQueue),
            _ => matches!(event.what, What::Word { .. }),
        };
        Some(Frame {
            at: event.at,
            event: event.clone(),
            keys,
            taken,
            stolen,
            put: (state.tasks.keys().copied()).find(|task| by_itself && is_put(task)),
            is_sent: state.tasks.keys().any(is_put),
            is_data: event.task.is_some_and(is_data) || text.contains("*sends the data*"),
            text,
            state: state.clone(),
        })
    });
    frames.collect()
}

/// The event as the second of its kind and its future or thread, as any of these, and as any of its kind.
fn keys<'a>(
    run: &'a Run,
    event: &Event,
    times: &mut BTreeMap<(&'a str, &'a str), u32>,
) -> [String; 3] {
    let what = kind(&event.what);
    let of = event
        .task
        .map_or_else(|| run.thread(event.thread), |it| run.task(it));
    let time = times.entry((what, of)).or_insert(0);
    *time += 1;
    [
        format!("{what} {of} {time}"),
        format!("{what} {of}"),
        what.to_owned(),
    ]
}

impl Frame {
    /// Whether it is a wake that the thread makes that polls the task, or is drawn from one lane to another.
    pub(crate) fn is_wake(&self, on_own_thread: bool) -> bool {
        let task = self.event.task.and_then(|it| self.state.tasks.get(&it));
        let own = task.is_some_and(|it| it.poller == Some(self.event.thread));
        let own = own && !self.is_sent;
        matches!(self.event.what, What::Wake { .. }) && own == on_own_thread
    }
}

impl State {
    /// What the event changes. Returns the queue from which it takes a task, and what it steals.
    fn apply(&mut self, run: &Run, event: &Event) -> (Option<usize>, Option<(usize, usize)>) {
        let thread = self.threads.entry(event.thread).or_default();
        match event.what {
            What::Park => thread.asleep = true,
            What::Unpark => thread.asleep = false,
            What::Poll { .. } => thread.polls.extend(event.task),
            What::Pending | What::Ready | What::Panic => drop(thread.polls.pop()),
            What::Spawn | What::Wake { .. } => thread.gives = event.task,
            _ => {}
        }
        if let What::Word { before, after, .. } = event.what {
            if let Some(lane) = run.line(event).filter(|it| it.kind == Kind::Steals) {
                let (victim, count) = (run.queue_of(&lane.header), (after - before) as usize);
                self.grab(run, event.thread, victim, count);
                return (None, Some((victim, count)));
            }
        }
        if let (What::Word { before, after, .. }, Some(lane)) = (&event.what, run.word(&event.what))
        {
            self.words.insert(lane, *after);
            if run.lanes[lane].kind == Kind::Counted {
                match before.checked_sub(*after) {
                    Some(taken) if taken > 0 => self.grab(run, event.thread, lane, taken as usize),
                    _ => self.put(run, event.thread, lane, before == after),
                }
            }
            // A task that was woken in its poll is sent by the thread that gives it up.
            let lane = &run.lanes[lane];
            let is = |name: &str| {
                let bit = lane.tasks.iter().position(|it| it == name);
                bit.is_some_and(|bit| after >> bit & 1 == 1)
            };
            let task = run
                .recording
                .tasks
                .iter()
                .find(|it| lane.header.contains(&format!("`{}`", it.name)));
            if let Some(task) =
                task.filter(|task| is("SCHEDULED") && !is("RUNNING") && !self.is_polled(task.id))
            {
                self.push(run, task.id);
            }
        }
        let Some(id) = event.task else {
            return (None, None);
        };
        let polled = self.is_polled(id);
        let task = self.tasks.entry(id).or_default();
        match event.what {
            What::Spawn => self.push(run, id),
            What::Poll { waker } => {
                (task.polls, task.woken, task.waker) = (task.polls + 1, false, waker);
                task.poller = Some(event.thread);
                return (self.take(id, event.thread), None);
            }
            What::Pending if run.has(Kind::QueueAgain) => self.push(run, id),
            What::Again { polls } => {
                task.polls += polls;
                self.push(run, id);
            }
            What::Pending if task.woken && run.has(Kind::SharedQueue) && !run.has(Kind::Word) => {
                self.push(run, id);
            }
            What::Ready => task.end = Some(End::Ready),
            What::Panic => task.end = Some(End::Panicked),
            What::Drop if task.end.is_none() => task.end = Some(End::Dropped),
            What::Keep { .. } => task.wakers += 1,
            What::Release { .. } => task.wakers = task.wakers.saturating_sub(1),
            What::Wake {
                by_value, waker, ..
            } => {
                task.wakes += 1;
                if by_value {
                    task.wakers = task.wakers.saturating_sub(1);
                }
                let stale = waker < task.waker;
                task.woken |= !stale;
                let marked = polled && run.has(Kind::SharedQueue);
                if task.end.is_none() && !marked && !stale {
                    self.push(run, id);
                }
            }
            _ => {}
        }
        (None, None)
    }

    /// What the event does in this place, and what is said of that.
    fn go_by(
        &mut self,
        place: &Place,
        number: usize,
        keys: &[String],
        event: &Event,
        run: &Run,
    ) -> String {
        let inside = self.threads[&event.thread].polls.last().copied();
        let who = (event.task.or(inside), event.thread);
        let is_one = |list: &[String]| keys.iter().any(|key| list.contains(key));
        let there = &mut self.places[number];
        let mut gone = None;
        let says = if is_one(&place.enter) {
            let is_full = place.room > 0 && there.len() == place.room;
            there.extend((!is_full).then_some(who));
            usize::from(is_full)
        } else if is_one(&place.leave) {
            let at = there.iter().position(|it| it.0 == who.0).unwrap_or(0);
            gone = (at < there.len()).then(|| there.remove(at));
            2 + usize::from(gone.is_none())
        } else {
            return String::new();
        };
        let name = gone.and_then(|it| it.0).map_or("", |it| run.task(it));
        place.says[says].replace("{}", &format!("`{name}`"))
    }

    /// A task is in the queue once at most.
    fn push(&mut self, run: &Run, task: u32) {
        let Some(queue) = run.queue_for(task) else {
            return;
        };
        if !self.is_queued(task) {
            self.queues.entry(queue).or_default().push(task);
        }
    }

    /// Takes the task from where it is. Returns the queue, if the task was there when the thread took it.
    fn take(&mut self, task: u32, thread: u32) -> Option<usize> {
        let taken = self.threads.entry(thread).or_default().takes.take();
        if let Some((_, from)) = taken.filter(|it| it.0 == task) {
            return Some(from);
        }
        let (from, queue) = (self.queues.iter_mut()).find(|(_, queue)| queue.contains(&task))?;
        queue.retain(|it| *it != task);
        Some(*from)
    }

    /// What a thread has spawned or woken last is put here. If this is a slot, the earlier task may have to make room.
    fn put(&mut self, run: &Run, thread: u32, lane: usize, has_earlier: bool) {
        let queue = self.queues.entry(lane).or_default();
        let earlier = if has_earlier { queue.pop() } else { None };
        queue.extend(self.threads.get(&thread).and_then(|it| it.gives));
        self.queues
            .entry(run.queue_of(run.thread(thread)))
            .or_default()
            .extend(earlier);
    }

    /// A thread takes so many tasks from here, the first to poll it, and the others for its own queue.
    fn grab(&mut self, run: &Run, thread: u32, lane: usize, count: usize) {
        let mut taken = self.queues.entry(lane).or_default().drain(..count);
        let first = taken.next().map(|task| (task, lane));
        let rest: Vec<u32> = taken.collect();
        self.threads.entry(thread).or_default().takes = first;
        self.queues
            .entry(run.queue_of(run.thread(thread)))
            .or_default()
            .extend(rest);
    }

    pub(crate) fn is_queued(&self, task: u32) -> bool {
        self.queues.values().any(|queue| queue.contains(&task))
    }

    pub(crate) fn is_polled(&self, task: u32) -> bool {
        let mut threads = self.threads.values();
        threads.any(|thread| thread.polls.contains(&task))
    }
}

impl Run {
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.lanes.iter().any(|lane| lane.kind == kind)
    }

    /// The lane of the word that this writes.
    fn word(&self, what: &What) -> Option<usize> {
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
    fn queue_of(&self, worker: &str) -> usize {
        let is_its = |it: &Lane| it.kind == Kind::OwnQueue && it.name == worker;
        self.lanes.iter().position(is_its).unwrap_or(usize::MAX)
    }

    /// What a lane says of the line in which a word is written.
    fn line(&self, event: &Event) -> Option<&Lane> {
        let is_of = |it: &&Lane| matches!(it.kind, Kind::Line | Kind::Steals);
        let mut lines = self.lanes.iter().filter(is_of);
        lines.find(|it| event.place.ends_with(&it.name))
    }

    /// Whether a later step of this thread says what this event has done, if words say what is in the queues: a spawned task is put
    /// somewhere, a task that was taken is polled, and one that is dropped was ready.
    fn is_half(&self, event: &Event) -> bool {
        let is_counted = |lane: usize| self.lanes[lane].kind == Kind::Counted;
        match event.what {
            What::Word { before, after, .. } if after >= before => false,
            What::Word { .. } => self.word(&event.what).is_some_and(is_counted),
            _ => self.has(Kind::Counted) && matches!(event.what, What::Spawn | What::Drop),
        }
    }

    /// The queue into which this task is put. `None`: there is no such queue, or this future is no task.
    fn queue_for(&self, task: u32) -> Option<usize> {
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

/// As `players.toml` calls it.
pub(crate) fn kind(what: &What) -> &'static str {
    match what {
        What::Spawn => "spawn",
        What::Poll { .. } => "poll",
        What::Pending => "pending",
        What::Again { .. } => "again",
        What::Ready => "ready",
        What::Panic => "panic",
        What::PollAfterReady => "poll_after_ready",
        What::Drop => "drop",
        What::Keep { .. } => "keep",
        What::Release { .. } => "release",
        What::Wake { .. } => "wake",
        What::Word { .. } => "word",
        What::Lock { .. } => "lock",
        What::Unlock { .. } => "unlock",
        What::Notify { .. } => "notify",
        What::Wait { .. } => "wait",
        What::Park => "park",
        What::Unpark => "unpark",
    }
}

/// What became of a word.
fn written(lane: &Lane, before: u64, after: u64) -> String {
    let bits = |changed: u64| {
        let bits = lane.tasks.iter().enumerate();
        let bits = bits.filter(|(bit, _)| changed >> bit & 1 == 1);
        bits.map(|(_, name)| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(" and ")
    };
    let (set, cleared) = (bits(after & !before), bits(before & !after));
    let change = match (set.as_str(), cleared.as_str()) {
        ("", "") if after > 0 => format!("finds {} *set already*", bits(after)),
        ("", "") => "writes what is there already".to_owned(),
        (set, "") => format!("*sets* {set}"),
        ("", cleared) => format!("*clears* {cleared}"),
        (set, cleared) => format!("*sets* {set} and *clears* {cleared}"),
    };
    format!("{change}, in {}", lane.header)
}

/// What became of the numbers in a word.
fn counted(lane: &Lane, before: u64, after: u64) -> String {
    let numbers = |word: u64| (0..lane.tasks.len()).map(move |it| word >> (16 * it) & 0xFFFF);
    let changes = numbers(before).zip(numbers(after)).zip(&lane.tasks);
    let changes = changes.filter(|((before, after), _)| before != after);
    let changes = changes.map(|((before, after), name)| format!("{name} {before} → {after}"));
    changes.collect::<Vec<_>>().join(", ")
}

/// A task is put into a slot or the injector.
fn put(
    run: &Run,
    event: &Event,
    (before, after): (&State, &State),
    lane: usize,
    makes_room: bool,
) -> String {
    let code = |task: &u32| format!("`{}`", run.task(*task));
    let last = |state: &State| state.queues.get(&lane)?.last().map(code);
    let inner = before.threads[&event.thread].polls.last();
    let by = inner.map_or(run.thread(event.thread).to_owned(), code);
    let (task, lane) = (last(after).unwrap_or_default(), &run.lanes[lane]);
    let earlier = last(before).filter(|_| makes_room);
    let moves = earlier.map_or(String::new(), |it| {
        format!(", and {it} moves to the back of the queue")
    });
    format!("{by} spawns {task}: it goes into {}{moves}", lane.place())
}

/// What the event did, as a sentence with marks for style.
fn sentence(
    run: &Run,
    event: &Event,
    before: &State,
    after: &State,
    taken: Option<usize>,
    stolen: Option<(usize, usize)>,
) -> String {
    let thread = run.thread(event.thread);
    let Some(id) = event.task else {
        if let What::Word {
            before: old,
            after: new,
            ..
        } = event.what
        {
            if let Some((victim, count)) = stolen {
                let of = before.queues[&victim].len();
                let victim = run.lanes[victim].place();
                return format!("{thread} *steals* half of {victim}: {count} of {of} tasks");
            }
            let told = run.line(event).map_or("", |it| &it.header);
            let change = match run.word(&event.what).map(|it| (it, &run.lanes[it])) {
                Some((it, lane)) if lane.kind == Kind::Counted => {
                    return put(run, event, (before, after), it, old == new);
                }
                Some((_, lane)) if lane.kind == Kind::Counts => counted(lane, old, new),
                Some((_, lane)) => written(lane, old, new),
                None if told.is_empty() => {
                    format!("writes a word, from {old:b} to {new:b} at {}", event.place)
                }
                None => String::new(),
            };
            let colon = if told.is_empty() || change.is_empty() {
                ""
            } else {
                ": "
            };
            let queued = |state: &State| state.queues.values().map(Vec::len).sum::<usize>();
            let is_sent = queued(after) > queued(before);
            let sent = if is_sent {
                ", and puts it into the queue"
            } else {
                ""
            };
            return format!("{thread} {told}{colon}{change}{sent}");
        }
        let thread_is = before.threads.get(&event.thread);
        let inside = thread_is.and_then(|it| it.polls.last());
        let by = inside.map_or(thread.to_owned(), |it| format!("`{}`", run.task(*it)));
        return match (&event.what, inside) {
            (What::Park, Some(task)) => {
                format!("{thread} sleeps inside the poll of `{}`", run.task(*task))
            }
            (What::Park, None) if run.has(Kind::Queue) => {
                format!("{thread} sleeps: the queue is empty")
            }
            (What::Park, None) => format!("{thread} sleeps"),
            (What::Lock { .. }, _) if run.has(Kind::Lock) => format!("{by} *takes* the lock"),
            (What::Unlock { .. }, _) if run.has(Kind::Lock) => format!("{by} *releases* the lock"),
            (What::Lock { lock }, _) => format!("{thread} takes lock {lock} at {}", event.place),
            (What::Unlock { lock }, _) => format!("{thread} releases lock {lock}"),
            (What::Notify { condvar }, _) => {
                format!(
                    "{thread} notifies condition variable {condvar} at {}",
                    event.place
                )
            }
            (What::Wait { condvar }, _) => {
                format!(
                    "{thread} waits at condition variable {condvar} at {}",
                    event.place
                )
            }
            _ => format!("{thread} goes on"),
        };
    };
    let task = run.task(id);
    let is_queued = after.is_queued(id) && !before.is_queued(id);
    let polling = before.threads.get(&event.thread);
    let inner = polling.and_then(|it| it.polls.last().copied());
    let checks = run.wording == Wording::Checks;
    match event.what {
        What::Spawn | What::Poll { .. } if task == thread => format!("{thread} sends the data"),
        What::Ready | What::Drop if task == thread => format!("{thread} is done"),
        What::Spawn if is_queued => format!("`{task}` is spawned, which puts it into the queue"),
        What::Spawn => format!("`{task}` is made"),
        What::Poll { .. } if checks => format!("{thread} checks"),
        What::Poll { .. } => match (taken.map(|it| &run.lanes[it]), inner) {
            (Some(lane), _) if lane.kind == Kind::OwnQueue && lane.name != thread => {
                format!("{thread} polls `{task}`, which it has stolen")
            }
            (Some(lane), _) => {
                let place = lane.place().replace(&format!("{thread}'s"), "its");
                format!("{thread} takes `{task}` from {place} and polls it")
            }
            (None, Some(outer)) => format!("`{}` polls `{task}`", run.task(outer)),
            _ => format!("{thread} polls `{task}`"),
        },
        What::Pending if checks => "there is nothing yet".to_owned(),
        What::Pending if is_queued && before.tasks[&id].woken => {
            format!(
                "`{task}` is *Pending*, and was woken meanwhile, so {thread} puts it into the queue"
            )
        }
        What::Pending if is_queued => {
            format!("`{task}` is *Pending*, and goes back into the queue at once")
        }
        What::Pending => format!("`{task}` is *Pending*"),
        What::Again { polls } => {
            format!("{thread} polls `{task}` *{polls} times* more, and it is pending each time")
        }
        What::Ready if checks => "the data is there".to_owned(),
        What::Ready => format!("`{task}` is *Ready*"),
        What::Panic => format!("`{task}` panics"),
        What::PollAfterReady => format!("{thread} polls `{task}`, which was ready before"),
        What::Drop => format!("`{task}` is dropped"),
        What::Keep { .. } => format!("a clone of `{task}`'s waker is stored"),
        What::Release { .. } => format!("a clone of `{task}`'s waker is dropped, not woken"),
        What::Wake { waker, .. } if waker < before.tasks[&id].waker => {
            format!("{thread} calls an *old waker* of `{task}`, not that of its latest poll")
        }
        What::Wake { .. } => {
            let by = inner.map_or(thread.to_owned(), |it| format!("`{}`", run.task(it)));
            let whom = if inner == Some(id) {
                "itself".to_owned()
            } else {
                format!("`{task}`")
            };
            let poller = after.tasks[&id].poller;
            let sleeper = poller.filter(|it| {
                before
                    .threads
                    .get(it)
                    .is_some_and(|it| it.asleep && it.polls.is_empty())
            });
            let sleeper = sleeper.map_or(String::new(), |it| {
                format!(", which ends the sleep of {}", run.thread(it))
            });
            let effect = match (is_queued, after.tasks[&id].end, after.is_polled(id)) {
                (true, ..) => format!(": it goes into the queue{sleeper}"),
                (_, Some(_), _) => ": too late, it is finished".to_owned(),
                _ if run.wording == Wording::Flags => {
                    ": that sets its flag, and ends no sleep".to_owned()
                }
                (_, _, true) if run.has(Kind::SharedQueue) => {
                    " during its poll: that is noted".to_owned()
                }
                (_, _, true) => " during its poll".to_owned(),
                _ if before.is_queued(id) => {
                    ": it's in the queue already, so the wakes count as one".to_owned()
                }
                _ => sleeper,
            };
            match run.wording {
                Wording::PlainWakes => format!("{by} *calls* `wake`{effect}"),
                _ => format!("{by} *wakes* {whom}{effect}"),
            }
        }
        _ => unreachable!("it has no task"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    /// Of each recording in the book: the events up to each frame, and the state there.
    fn each_state(mut check: impl FnMut(&Run, &[Event], &State)) {
        for run in run::all().unwrap() {
            for frame in frames(&run, &[]) {
                let events = &run.recording.events;
                let number = events.iter().position(|it| *it == frame.event).unwrap();
                check(&run, &events[..=number], &frame.state);
            }
        }
    }

    #[test]
    fn a_future_has_been_polled_and_woken_as_often_as_there_are_such_events() {
        each_state(|_, events, state| {
            for (task, it) in &state.tasks {
                let own = || events.iter().filter(|it| it.task == Some(*task));
                let polls = own().map(|it| match it.what {
                    What::Poll { .. } => 1,
                    What::Again { polls } => polls,
                    _ => 0,
                });
                let polls: u32 = polls.sum();
                let wakes = own()
                    .filter(|it| matches!(it.what, What::Wake { .. }))
                    .count();
                assert_eq!((it.polls, it.wakes as usize), (polls, wakes));
            }
        });
    }

    #[test]
    fn wakers_are_stored_if_they_were_cloned_and_neither_dropped_nor_used_up() {
        each_state(|run, events, state| {
            for (task, it) in state.tasks.iter().filter(|_| run.has(Kind::Wakers)) {
                let own = || events.iter().filter(|it| it.task == Some(*task));
                let made = own()
                    .filter(|it| matches!(it.what, What::Keep { .. }))
                    .count();
                let gone = |it: &&Event| {
                    matches!(
                        it.what,
                        What::Release { .. } | What::Wake { by_value: true, .. }
                    )
                };
                assert_eq!(
                    it.wakers as usize,
                    made - own().filter(gone).count(),
                    "{}",
                    run.name
                );
            }
        });
    }

    #[test]
    fn a_task_is_in_the_queue_from_its_spawn_or_wake_to_its_poll() {
        each_state(|run, events, state| {
            for task in state.tasks.keys().filter(|_| run.has(Kind::Queue)) {
                let own = events.iter().rev().filter(|it| it.task == Some(*task));
                let mut latest = own.map(|it| &it.what);
                let latest = latest
                    .find(|it| matches!(it, What::Spawn | What::Wake { .. } | What::Poll { .. }));
                let waits = !matches!(latest, Some(What::Poll { .. }));
                assert_eq!(state.is_queued(*task), waits, "{}, task {task}", run.name);
            }
        });
    }

    #[test]
    fn a_thread_polls_what_it_has_begun_to_poll_and_not_ended() {
        each_state(|_, events, state| {
            for (id, thread) in &state.threads {
                let own = || events.iter().filter(|it| it.thread == *id);
                let begun = own()
                    .filter(|it| matches!(it.what, What::Poll { .. }))
                    .count();
                let ended =
                    own().filter(|it| matches!(it.what, What::Pending | What::Ready | What::Panic));
                assert_eq!(thread.polls.len(), begun - ended.count());
            }
        });
    }

    #[test]
    fn a_thief_takes_half_and_has_all_but_the_first_in_its_own_queue() {
        let runs = run::all().unwrap();
        let run = runs.iter().find(|run| run.name == "run-10-steal").unwrap();
        let frames = frames(run, &[]);
        let (steal, frame) = (0..)
            .zip(&frames)
            .find(|(_, it)| it.stolen.is_some())
            .unwrap();
        // The injector, a slot and two queues.
        let lengths = |frame: &Frame| {
            let queues = frame.state.queues.values().map(Vec::len);
            queues.take(4).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&frames[steal - 1]), [0, 1, 3, 0]);
        assert_eq!(lengths(frame), [0, 1, 1, 1]);
        let text = "worker 2 *steals* half of worker 1's queue: 2 of 3 tasks";
        assert_eq!(frame.text, text);
    }

    #[test]
    fn a_slot_and_the_injector_have_as_many_tasks_as_their_words_say() {
        let mut seen = 0;
        each_state(|run, _, state| {
            for (lane, number) in &state.words {
                if run.lanes[*lane].kind == Kind::Counted {
                    assert_eq!(state.queues[lane].len() as u64, *number, "{}", run.name);
                    seen += 1;
                }
            }
        });
        assert!(seen > 0);
    }
}
