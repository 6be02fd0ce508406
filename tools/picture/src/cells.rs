//! What the rows of the state show, in HTML. The name of a future is code, of which the player makes a chip.

use crate::{
    place::Place,
    player::Part,
    run::{Kind, Lane, Name, named},
    state::{State, Task},
    text::{code, html},
};

impl Part {
    /// The rows: what stands beside each, and what it shows of each of these states.
    pub(crate) fn rows(&self, states: &[&State]) -> Vec<(String, Vec<String>)> {
        let place = |(number, place): (usize, &Place)| {
            let (name, said) = named(&place.header);
            let cells = states.iter().map(|it| it.places.get(number));
            let cells = cells.map(|it| self.of_place(place, it));
            (format!("{name}<small>{said}</small>"), cells.collect())
        };
        let lane = |lane: &Lane| {
            let cells = states.iter().map(|it| self.of_lane(lane, it));
            Some((label(lane), cells.collect::<Option<Vec<_>>>()?))
        };
        let places = self.places.iter().enumerate().map(place);
        let lanes = self.run.beside.lanes.iter().filter_map(lane);
        places.chain(lanes).collect()
    }

    fn of_place(&self, place: &Place, there: Option<&Vec<Name>>) -> String {
        let entry = |who: &Name| {
            let is_task = self.run.tasks.contains(who);
            let who = if is_task { &code(who) } else { *who };
            place.shows[0].replace("{}", who)
        };
        let mut entries: Vec<_> = there.into_iter().flatten().map(entry).collect();
        if place.room > 1 {
            entries.resize(place.room, "<s>free</s>".to_owned());
        }
        listed(entries, &place.shows[1])
    }

    /// `None`: there is no such row, or it is of a thread or a future that was not heard of.
    fn of_lane(&self, lane: &Lane, state: &State) -> Option<String> {
        let name = lane.name().trim_matches('`');
        Some(match lane.is {
            Kind::Thread => self.of_thread(self.run.threads.iter().find(|it| **it == name)?, state),
            Kind::Task => of_task(self.run.tasks.iter().find(|it| **it == name)?, state),
            Kind::Lock | Kind::Line | Kind::Steals => return None,
            Kind::Wakers => {
                let wakers = |(name, it): (&Name, &Task)| {
                    vec![format!("wakes {}", code(name)); it.wakers as usize]
                };
                listed(state.tasks.iter().flat_map(wakers).collect(), "none")
            }
            Kind::Word | Kind::Counts => of_word(lane, state.words.get(lane.name())),
            _ => {
                let queue = state.queues.get(lane.name()).into_iter().flatten();
                listed(queue.map(|it| code(it)).collect(), "empty")
            }
        })
    }

    fn of_thread(&self, name: Name, state: &State) -> String {
        let is_first = self.run.threads[0] == name;
        let thread = state.threads.get(name).cloned();
        if thread.is_none() && !is_first {
            return "<i>nothing recorded yet</i>".to_owned();
        }
        let thread = thread.unwrap_or_default();
        let polls: Vec<_> = thread.polls.iter().map(|it| code(it)).collect();
        match (polls.last(), thread.takes) {
            _ if thread.over && !is_first => "<i>nothing more recorded</i>".to_owned(),
            (Some(inner), _) if thread.asleep => format!("<i>asleep</i> in the poll of {inner}"),
            _ if thread.asleep => "<i>asleep</i>".to_owned(),
            (_, Some((task, _))) => format!("has taken {}", code(task)),
            (Some(_), _) => format!("polls {}", polls.join(" → ")),
            _ => "runs its own code".to_owned(),
        }
    }
}

fn of_task(name: Name, state: &State) -> String {
    let Some(task) = state.tasks.get(name) else {
        return "<i>not there yet</i>".to_owned();
    };
    let (is_polled, poller) = (state.is_polled(name), task.poller.unwrap_or_default());
    let phase = match task.end {
        Some(end) => end,
        None if is_polled && task.woken => &format!("polled by {poller}, and woken meanwhile"),
        None if is_polled => &format!("polled by {poller}"),
        None if state.queue_of(name).is_some() => "in the queue",
        None if task.polls == 0 => "made",
        None if task.woken => "woken",
        None => "waits for a wake",
    };
    let s = |count| if count == 1 { "" } else { "s" };
    let [polls, wakes] = [(task.polls, "poll"), (task.wakes, "wake")]
        .map(|(count, what)| format!("{count} {what}{}", s(count)));
    format!("{phase}<small>{polls}, {wakes}</small>")
}

fn label(lane: &Lane) -> String {
    let (name, said) = (html(lane.short()), html(named(&lane.header).1));
    match lane.is {
        Kind::Wakers | Kind::Queue | Kind::SharedQueue => name,
        _ => format!("{name}<small>{said}</small>"),
    }
}

/// Lamps, which are on if there is a bit or a number.
fn of_word(lane: &Lane, word: Option<&u64>) -> String {
    let is_count = lane.is == Kind::Counts;
    let Some(word) = word.or(is_count.then_some(&0)) else {
        return "<i>not written yet</i>".to_owned();
    };
    let lamp = |(name, number): (&str, u64)| {
        let count = if is_count { &format!(" {number}") } else { "" };
        match number {
            0 => format!("<s>{name}{count}</s>"),
            _ => format!("<b class=\"on\">{name}{count}</b>"),
        }
    };
    lane.fields(*word).map(lamp).collect::<Vec<_>>().join(" ")
}

fn listed(items: Vec<String>, none: &str) -> String {
    match items[..] {
        [] => none.to_owned(),
        _ => items.join(" "),
    }
}
