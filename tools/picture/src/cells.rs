//! What the rows of the state show, in HTML. The name of a future is code, of which the player makes a chip.

use probe::Named;

use crate::{
    place::Place,
    player::Part,
    run::{Kind, Lane, named},
    state::{End, State, Task},
    text::{code, html},
};

impl Part {
    /// The rows: what stands beside each, and what it shows of each of these states.
    pub(crate) fn rows(&self, states: &[&State]) -> Vec<(String, Vec<String>)> {
        let place = |(number, place): (usize, &Place)| {
            let (name, said) = named(&place.header);
            let cells = states.iter().map(|it| self.of_place(number, place, it));
            (format!("{name}<small>{said}</small>"), cells.collect())
        };
        let lane = |(place, lane): (usize, &Lane)| {
            let cells = states.iter().map(|it| self.of_lane(place, lane, it));
            Some((label(lane), cells.collect::<Option<Vec<_>>>()?))
        };
        let places = self.places.iter().enumerate().map(place);
        let lanes = self.run.lanes.iter().enumerate();
        places.chain(lanes.filter_map(lane)).collect()
    }

    fn code(&self, task: u32) -> String {
        code(self.run.task(task))
    }

    fn of_place(&self, number: usize, place: &Place, state: &State) -> String {
        let entry = |(task, thread): &(Option<u32>, u32)| {
            let thread = self.run.thread(*thread);
            let who = task.map_or(thread.to_owned(), |it| self.code(it));
            place.shows[0].replace("{}", &who)
        };
        let there = state.places.get(number).into_iter().flatten();
        let mut entries: Vec<_> = there.map(entry).collect();
        if place.room > 1 {
            entries.resize(place.room, "<s>free</s>".to_owned());
        }
        listed(&entries, &place.shows[1])
    }

    /// `None`: there is no such row, or it is of a thread or a future that was not heard of.
    fn of_lane(&self, place: usize, lane: &Lane, state: &State) -> Option<String> {
        let name = lane.name().trim_matches('`');
        let id = |list: &[Named]| Some(list.iter().find(|it| it.name == name)?.id);
        Some(match lane.kind {
            Kind::Thread => self.of_thread(state, id(&self.run.recording.threads)?),
            Kind::Task => self.of_task(state, id(&self.run.recording.tasks)?),
            Kind::Wakers => {
                let tasks = state.tasks.iter();
                let wakers = |(task, it): (&u32, &Task)| {
                    let waker = format!("wakes {}", self.code(*task));
                    vec![waker; it.wakers as usize]
                };
                listed(&tasks.flat_map(wakers).collect::<Vec<_>>(), "none")
            }
            Kind::Word | Kind::Counts => of_word(lane, state.words.get(&place)),
            Kind::Lock | Kind::Line | Kind::Steals => return None,
            _ => {
                let queue = state.queues.get(&place).into_iter().flatten();
                let tasks = queue.map(|it| self.code(*it));
                listed(&tasks.collect::<Vec<_>>(), "empty")
            }
        })
    }

    fn of_thread(&self, state: &State, id: u32) -> String {
        let thread = state.threads.get(&id).cloned();
        let (is_known, thread) = (thread.is_some(), thread.unwrap_or_default());
        let polls: Vec<_> = thread.polls.iter().map(|it| self.code(*it)).collect();
        match (polls.last(), thread.takes) {
            _ if !is_known && !self.is_first(id) => "<i>nothing recorded yet</i>".to_owned(),
            _ if thread.over && !self.is_first(id) => "<i>nothing more recorded</i>".to_owned(),
            (Some(inner), _) if thread.asleep => format!("<i>asleep</i> in the poll of {inner}"),
            _ if thread.asleep => "<i>asleep</i>".to_owned(),
            (_, Some((task, _))) => format!("has taken {}", self.code(task)),
            (Some(_), _) if self.checks() => "checks".to_owned(),
            (Some(_), _) => format!("polls {}", polls.join(" → ")),
            _ => "runs its own code".to_owned(),
        }
    }

    fn of_task(&self, state: &State, id: u32) -> String {
        let Some(task) = state.tasks.get(&id) else {
            return "<i>not there yet</i>".to_owned();
        };
        let is_polled = state.is_polled(id);
        let phase = match task.end {
            Some(End::Ready) => "ready",
            Some(End::Panicked) => "panicked",
            Some(End::Dropped) => "dropped",
            None if is_polled => {
                let poller = task.poller.map_or("", |it| self.run.thread(it));
                let woken = if task.woken {
                    ", and woken meanwhile"
                } else {
                    ""
                };
                &format!("polled by {poller}{woken}")
            }
            None if state.queue_of(id).is_some() => "in the queue",
            None if task.polls == 0 => "made",
            None if task.woken => "woken",
            None => "waits for a wake",
        };
        let count = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let (polls, wakes) = (count(task.polls, "poll"), count(task.wakes, "wake"));
        format!("{phase}<small>{polls}, {wakes}</small>")
    }
}

fn label(lane: &Lane) -> String {
    let (name, said) = (html(lane.short()), html(named(&lane.header).1));
    match lane.kind {
        Kind::Wakers | Kind::Queue | Kind::QueueAgain | Kind::SharedQueue => name,
        _ => format!("{name}<small>{said}</small>"),
    }
}

/// Lamps, which are on if there is a bit or a number.
fn of_word(lane: &Lane, word: Option<&u64>) -> String {
    let is_count = lane.kind == Kind::Counts;
    let Some(word) = word.or(is_count.then_some(&0)) else {
        return "<i>not written yet</i>".to_owned();
    };
    let lamp = |(name, number): (&str, u64)| match (number, is_count) {
        (0, true) => format!("<s>{name} 0</s>"),
        (0, false) => format!("<s>{name}</s>"),
        (_, true) => format!("<b class=\"on\">{name} {number}</b>"),
        (_, false) => format!("<b class=\"on\">{name}</b>"),
    };
    lane.fields(*word).map(lamp).collect::<Vec<_>>().join(" ")
}

fn listed(items: &[String], none: &str) -> String {
    match items {
        [] => none.to_owned(),
        items => items.join(" "),
    }
}
