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
            let cells = states.iter().map(|it| it.places.get(number));
            let cells = cells.map(|it| self.of_place(place, it));
            (label(&place.header), cells.collect())
        };
        let lane = |lane: &Lane| {
            let cells = states.iter().map(|it| self.of_lane(lane, it));
            Some((label(&lane.header), cells.collect::<Option<Vec<_>>>()?))
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

    /// `None`: there is no such row, because the lanes show it, or it is of a future that was not heard of.
    fn of_lane(&self, lane: &Lane, state: &State) -> Option<String> {
        let name = lane.name().trim_matches('`');
        Some(match lane.is {
            Kind::Task => of_task(self.run.tasks.iter().find(|it| **it == name)?, state),
            Kind::Wakers => {
                let wakers = |(name, it): (&Name, &Task)| {
                    vec![format!("wakes {}", code(name)); it.wakers as usize]
                };
                listed(state.tasks.iter().flat_map(wakers).collect(), "none")
            }
            Kind::Word | Kind::Counts => of_word(lane, state.words.get(lane.name())),
            _ => return None,
        })
    }
}

fn of_task(name: Name, state: &State) -> String {
    let Some(task) = state.tasks.get(name) else {
        return String::new();
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

fn label(header: &str) -> String {
    let (name, said) = named(header);
    format!("{}<small>{}</small>", html(name), html(said))
}

/// Lamps, which are on if there is a bit or a number.
fn of_word(lane: &Lane, word: Option<&u64>) -> String {
    let is_count = lane.is == Kind::Counts;
    let Some(word) = word.or(is_count.then_some(&0)) else {
        return String::new();
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
