//! Goes through a recording event by event: what is where after each, and what the event did.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    place::Place,
    run::{Event, Run},
    sentence::sentence,
    state::State,
};

/// The state after one event, and what the event did.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) event: Event,
    /// Where it is drawn, in percent of the width.
    pub(crate) x: f32,
    /// What `players.toml` may call the event: as the second of its kind and its future or thread, as any of these, and as any of
    /// its kind.
    pub(crate) keys: [String; 3],
    /// As a sentence, with marks for style.
    pub(crate) text: String,
    /// The queue that a task was taken from, and the thread whose executor chose it.
    pub(crate) taken: Option<String>,
    /// The worker's queue that it came from, and how many came with it.
    pub(crate) stolen: Option<(String, usize)>,
    /// The task that came into a queue.
    pub(crate) sent: Option<String>,
    pub(crate) state: State,
}

/// The state after each event.
pub(crate) fn frames(run: &Run, places: &[Place]) -> Vec<Frame> {
    let (mut state, mut times) = (State::default(), BTreeMap::new());
    state.places.resize(places.len(), Vec::new());
    let mut frames = Vec::new();
    for (number, event) in (1..).zip(&run.events) {
        let before = state.clone();
        state.apply(run, event);
        let mut later = run.events[number..].iter();
        let is_last = !later.any(|it| it.thread == event.thread);
        if !run.is_half(event) {
            let mut frame = Frame {
                event: event.clone(),
                x: 0.0,
                keys: keys(event, &mut times),
                text: String::new(),
                taken: taken(&before, event),
                stolen: run.stolen(event),
                sent: sent(&before, &state),
                state: state.clone(),
            };
            frame.text = sentence(run, &frame, &before);
            for (place, there) in places.iter().zip(&mut state.places) {
                frame.text += &place.apply(there, &frame);
            }
            frame.state.places.clone_from(&state.places);
            if event.what == What::Park && is_last {
                frame.text += ", and nothing ends this sleep";
            }
            frames.push(frame);
        }
        let thread = state.threads.entry(event.thread.clone()).or_default();
        thread.over = is_last;
    }
    frames
}

fn keys(event: &Event, times: &mut BTreeMap<String, u32>) -> [String; 3] {
    let what = format!("{:?}", event.what).to_lowercase();
    let what = what.split(' ').next().unwrap_or_default();
    let of = event.task.as_ref().unwrap_or(&event.thread);
    let key = format!("{what} {of}");
    let time = times.entry(key.clone()).or_insert(0);
    *time += 1;
    [format!("{key} {time}"), key, what.to_owned()]
}

fn taken(before: &State, event: &Event) -> Option<String> {
    let is_poll = matches!(event.what, What::Poll { .. });
    let polled = event.task.as_ref().filter(|_| is_poll)?;
    let thread = before.threads.get(&event.thread);
    let takes = thread.and_then(|it| Some(&it.takes.as_ref()?.1));
    takes.or_else(|| before.queue_of(polled)).cloned()
}

fn sent(before: &State, after: &State) -> Option<String> {
    let mut queued = after.queues.values().flatten();
    queued.find(|it| before.queue_of(it).is_none()).cloned()
}

impl Frame {
    /// Whether it is a wake that the thread makes that polls the task, or is drawn from one lane to another.
    pub(crate) fn is_wake(&self, on_own_thread: bool) -> bool {
        let task = self.event.task.as_ref();
        let task = task.and_then(|it| self.state.tasks.get(it));
        let own = task.is_some_and(|it| it.poller.as_ref() == Some(&self.event.thread));
        let own = own && self.sent.is_none();
        matches!(self.event.what, What::Wake { .. }) && own == on_own_thread
    }

    /// The task that a thread puts into a queue of its own accord.
    pub(crate) fn put(&self) -> Option<&String> {
        let is_word = matches!(self.event.what, What::Word { .. });
        self.sent.as_ref().filter(|_| is_word)
    }

    /// Whether the peer of a socket sends its data: a recording has the thread `peer` for it, which does nothing else.
    pub(crate) fn is_data(&self) -> bool {
        self.event.thread == "peer"
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::run::{self, Kind, Lane};

    #[test]
    fn a_state_is_what_the_events_up_to_it_add_up_to() {
        for run in run::all().unwrap() {
            let (mut counts, mut open) = (BTreeMap::new(), BTreeMap::new());
            // From its spawn or a wake to its poll.
            let mut queued = BTreeSet::new();
            for Frame { event, state, .. } in frames(&run, &[]) {
                let polled: &mut Vec<_> = open.entry(event.thread).or_default();
                let task = event.task.unwrap_or_default();
                let (polls, wakes, wakers) = counts.entry(task.clone()).or_insert((0, 0, 0_i64));
                match event.what {
                    What::Poll { .. } => {
                        *polls += 1;
                        queued.remove(&task);
                        polled.push(task);
                    }
                    What::Pending | What::Ready | What::Panic => drop(polled.pop()),
                    What::Again { polls: more } => *polls += more,
                    What::Keep { .. } => *wakers += 1,
                    What::Release { .. } => *wakers -= 1,
                    What::Spawn => drop(queued.insert(task)),
                    What::Wake { by_value, .. } => {
                        (*wakes, *wakers) = (*wakes + 1, *wakers - i64::from(by_value));
                        queued.insert(task);
                    }
                    _ => {}
                }
                for (name, it) in &state.tasks {
                    let (polls, wakes, wakers) = counts.get(name).copied().unwrap_or_default();
                    assert_eq!((it.polls, it.wakes), (polls, wakes), "{name}");
                    assert!(i64::from(it.wakers) == wakers || !run.has(Kind::Wakers));
                    let is_queued = state.queue_of(name).is_some();
                    assert!(is_queued == queued.contains(name) || !run.has(Kind::Queue));
                }
                let lanes = run.head.lanes.iter();
                for name in lanes.filter(|it| it.kind == Kind::Counted).map(Lane::name) {
                    let there = state.queues.get(name).map_or(0, Vec::len);
                    assert_eq!(state.words.get(name).map_or(0, |it| *it as usize), there);
                }
                for (name, it) in &state.threads {
                    assert_eq!(it.polls, *open.entry(name.clone()).or_default());
                }
            }
        }
    }

    #[test]
    fn a_thief_takes_half_and_has_all_but_the_first_in_its_own_queue() {
        let mut runs = run::all().unwrap().into_iter();
        let run = runs.find(|run| run.head.name == "run-10-steal").unwrap();
        let frames = frames(&run, &[]);
        let steal = frames.iter().position(|it| it.stolen.is_some()).unwrap();
        let queues = ["worker 1's slot", "worker 1's queue", "worker 2's queue"];
        let lengths = |frame: &Frame| queues.map(|it| frame.state.queues[it].len());
        assert_eq!(lengths(&frames[steal - 1]), [1, 3, 0]);
        assert_eq!(lengths(&frames[steal]), [1, 1, 1]);
        let text = "worker 2 *steals* half of worker 1's queue: 2 of 3 tasks";
        assert_eq!(frames[steal].text, text);
    }
}
