//! A few threads, each of which is at some step, and every order of their steps, as `book/schedulers.toml` has them. The reader of the
//! book decides which thread goes next.

mod drag;
mod executor;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use crate::{
    listing::Listing,
    read,
    text::{self, html, number_of},
};

/// What some threads do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    threads: Vec<String>,
    start: String,
    /// All is well if no thread can go on, and this holds.
    done: String,
    /// The first that fits is the one. If none does, a step is made.
    waits: Vec<Wait>,
    /// The first that fits is the one.
    steps: Vec<Step>,
    rows: Vec<Row>,
    /// When it is reached, and what it is.
    goals: Vec<[String; 2]>,
    /// Why the wake is lost, from the step on that loses it.
    lost: String,
    figures: BTreeMap<String, Figure>,
    drag: Option<drag::Drag>,
}

/// When a thread can't go on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    when: String,
    why: String,
    /// The place in the listing, by its words. If it is empty, there is none.
    #[serde(default)]
    at: String,
}

/// What a thread does, in one step that no other can divide.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    when: String,
    /// What changes.
    then: String,
    does: String,
    /// As that of a [`Wait`].
    #[serde(default)]
    at: String,
    /// What it is called in the lanes.
    label: String,
    /// The row that it looks at, if it does.
    #[serde(default)]
    sees: String,
}

/// What is shown of a situation beside its steps.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// If there is none, it is a row for each thread in `of`, with its name.
    name: Option<String>,
    /// Whose place `at` is.
    #[serde(default)]
    of: Vec<usize>,
    /// When it shows what.
    #[serde(default)]
    shows: Vec<[String; 2]>,
    r#else: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    /// The words that are those of this figure alone, and stay as they are.
    start: String,
    caption: String,
    listing: Vec<String>,
    /// What has happened if all is well.
    done: String,
}

/// Two with the same words are the same one.
type Situation = BTreeMap<String, String>;

/// A step that a thread can make.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Move<'a> {
    thread: usize,
    step: &'a Step,
    /// The number of the situation that it leads to.
    to: usize,
}

/// All situations, and for each the next step of each thread, or why it can't go on.
struct All<'a> {
    situations: Vec<Situation>,
    moves: Vec<Vec<Result<Move<'a>, &'a Wait>>>,
    done: Vec<bool>,
}

fn models() -> Result<BTreeMap<String, Model>, String> {
    read("schedulers.toml")
}

/// The figures, with their names, if they can be read.
pub(crate) fn figures() -> Result<Vec<(String, String)>, String> {
    let mut figures = vec![executor::figure()?];
    for (stage, model) in models()? {
        for (name, figure) in &model.figures {
            let name = format!("scheduler-{stage}-{name}");
            let (words, data) = (model.words(figure), model.data(figure));
            let parts = [&*name, &words, &data, &figure.caption];
            let html = text::figure("game", parts, &figure.listing);
            figures.push((name, html));
        }
        if let Some(drag) = &model.drag {
            figures.push((format!("scheduler-{stage}-drag"), drag.html(&model)));
        }
    }
    Ok(figures)
}

/// The places that `book/schedulers.toml` names and that are not in the listings, and the rows that are not there.
pub(crate) fn faults() -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (stage, model) in models()? {
        let is_row = |name: &str| {
            model
                .rows
                .iter()
                .any(|row| row.name.as_deref() == Some(name))
        };
        let mut seen = model.steps.iter().map(|step| &*step.sees);
        if let Some(name) = seen.find(|it| !it.is_empty() && !is_row(it)) {
            found.push(format!(
                "book/schedulers.toml: {stage}: a step sees `{name}`: name a row"
            ));
        }
        for (name, figure) in &model.figures {
            let listing = Listing::read(&figure.listing);
            let all = model.walk(figure);
            let mut places: Vec<&str> = all.moves.iter().flatten().map(place).collect();
            places.sort_unstable();
            places.dedup();
            for place in places.into_iter().filter(|place| !place.is_empty()) {
                if let Err(why) = listing.find(place) {
                    let name = format!("scheduler-{stage}-{name}");
                    let how = "correct the words of its place";
                    found.push(format!(
                        "book/schedulers.toml: {name}: `{place}`: {why}: {how}"
                    ));
                }
            }
        }
    }
    Ok(found)
}

/// Where a thread stands.
fn place<'a>(next: &Result<Move<'a>, &'a Wait>) -> &'a str {
    match next {
        Ok(next) => &next.step.at,
        Err(wait) => &wait.at,
    }
}

/// The words of a text such as `flag=up waker=none`.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = text.split_whitespace();
    words.map(|word| word.split_once('=').expect("a word has a value"))
}

fn own(word: &str, me: usize) -> String {
    match word {
        "at" => format!("at{me}"),
        word => word.to_owned(),
    }
}

fn holds(here: &Situation, me: usize, when: &str) -> bool {
    words(when).all(|(word, values)| match word {
        "me" => values == me.to_string(),
        _ => values.split('|').any(|value| here[&own(word, me)] == value),
    })
}

impl Model {
    /// The thread's next step, and where it leads.
    fn step(&self, here: &Situation, me: usize) -> Result<(&Step, Situation), &Wait> {
        if let Some(wait) = self.waits.iter().find(|wait| holds(here, me, &wait.when)) {
            return Err(wait);
        }
        let mut steps = self.steps.iter();
        let step = steps.find(|step| holds(here, me, &step.when));
        let step = step.expect("in each situation there is a step");
        let mut next = here.clone();
        for (word, value) in words(&step.then) {
            let value = value.strip_prefix('$').map_or(value, |other| &here[other]);
            next.insert(own(word, me), value.to_owned());
        }
        Ok((step, next))
    }

    /// Goes all ways from the start.
    fn walk(&self, figure: &Figure) -> All<'_> {
        let start = words(&self.start).chain(words(&figure.start));
        let start = start.map(|(word, value)| (word.to_owned(), value.to_owned()));
        let (mut situations, mut moves) = (vec![start.collect()], Vec::new());
        while let Some(here) = situations.get(moves.len()).cloned() {
            let next = |thread| {
                let (step, next) = self.step(&here, thread)?;
                let to = number_of(&mut situations, next);
                Ok(Move { thread, step, to })
            };
            moves.push((0..self.threads.len()).map(next).collect());
        }
        let is_done = |here: &Situation| holds(here, 0, &self.done);
        let done = situations.iter().map(is_done).collect();
        All {
            situations,
            moves,
            done,
        }
    }

    /// The rows, each with its name and the thread that it is of, without those that this figure has nothing to show in.
    fn rows(&self, all: &All<'_>) -> Vec<(&str, Option<usize>, &Row)> {
        let mut rows = Vec::new();
        for row in &self.rows {
            if let Some(name) = &row.name {
                rows.push((&**name, None, row));
            }
            let of = row
                .of
                .iter()
                .map(|it| (&*self.threads[*it], Some(*it), row));
            rows.extend(of);
        }
        let shows = |it: &(_, Option<usize>, &Row)| {
            let mut situations = all.situations.iter();
            situations.any(|here| !it.2.shown(here, it.1.unwrap_or(0)).is_empty())
        };
        rows.retain(shows);
        rows
    }

    /// The orders that lose the wake.
    fn words(&self, of: &Figure) -> String {
        let all = self.walk(of);
        let (mut count, mut fatal, mut words) = (0, 0, String::new());
        all.ways(0, &mut Vec::new(), &mut |way, is_done| {
            count += 1;
            if is_done {
                return;
            }
            fatal += 1;
            let lost = way.iter().position(|next| all.is_lost(next.to));
            let lost = lost.expect("its end is lost") + 1;
            words += "<ol>";
            for (number, next) in (1..).zip(way) {
                let class = if number == lost {
                    " class=\"fatal\""
                } else {
                    ""
                };
                words += &format!("<li{class}>{}</li>", self.said(next));
            }
            words += &format!("</ol>\n<p>{}</p>\n", self.lost_in(&lost.to_string()));
        });
        let which = match fatal {
            0 => return format!("<p>None of the {count} orders of steps loses the wake.</p>"),
            1 => format!("The one order of {count} that loses the wake"),
            fatal => format!("The {fatal} orders of {count} that lose the wake"),
        };
        format!("<details><summary>{which}, in words</summary>\n{words}</details>")
    }

    fn said(&self, next: &Move<'_>) -> String {
        format!("{} {}", self.threads[next.thread], html(&next.step.does))
    }

    /// What there is to say after the step that loses the wake.
    fn lost_in(&self, step: &str) -> String {
        let why = html(&self.lost).replace('#', step);
        format!("From step {step} on, nothing can save the wake: {why}")
    }

    /// The goals, and which of them are reached.
    fn reached(&self, here: &Situation) -> String {
        let mut goals = String::new();
        for [when, what] in &self.goals {
            goals += &if holds(here, 0, when) {
                format!("<span class=\"got\">☑ {what}</span> ")
            } else {
                format!("<span class=\"\">☐ {what}</span> ")
            };
        }
        goals
    }

    /// What `book/src/pictures/game.js` needs. A situation is whether it is lost or the end, the step of each thread (what it does, its
    /// lines, where it leads, its label, the row that it looks at), the goals, how many orders of steps begin there, and the rows.
    fn data(&self, of: &Figure) -> String {
        let (all, listing) = (self.walk(of), Listing::read(&of.listing));
        let rows = self.rows(&all);
        let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut situations, mut longest) = (Vec::new(), 0);
        for (at, here) in all.situations.iter().enumerate() {
            let mut steps = Vec::new();
            for next in &all.moves[at] {
                let line = listing.find(place(next)).ok();
                let line = number_of(&mut lines, line);
                steps.push(match next {
                    Ok(Move { step, to, .. }) => {
                        let does = number_of(&mut texts, html(&step.does));
                        let sees = rows.iter().position(|row| row.0 == step.sees);
                        json!([does, line, to, step.label, sees])
                    }
                    Err(wait) => json!([number_of(&mut texts, html(&wait.why)), line, -1]),
                });
            }
            let end = match (all.is_lost(at), all.is_over(at)) {
                (true, _) => 1,
                (false, true) => 2,
                (false, false) => 0,
            };
            let mut orders = 0;
            all.ways(at, &mut Vec::new(), &mut |way, _| {
                orders += 1;
                longest = longest.max(way.len());
            });
            let goals = number_of(&mut cells, self.reached(here));
            let mut situation = vec![json!(end), json!(steps), json!(goals), json!(orders)];
            for (_, thread, row) in &rows {
                let shown = row.shown(here, thread.unwrap_or(0));
                situation.push(json!(number_of(&mut cells, shown)));
            }
            situations.push(situation);
        }
        let rows: Vec<_> = rows.iter().map(|(name, of, _)| (name, of)).collect();
        let lost = self.lost_in("#");
        let data = json!({
            "rows": rows, "cells": cells, "lines": lines, "threads": self.threads, "longest": longest,
            "texts": texts, "ends": ["", lost, html(&of.done)], "situations": situations,
        });
        data.to_string()
    }
}

impl Row {
    fn shown(&self, here: &Situation, thread: usize) -> String {
        let mut cases = self.shows.iter();
        let case = cases.find(|[when, _]| holds(here, thread, when));
        let mut text = case.map_or(&self.r#else, |[_, text]| text).clone();
        for (word, value) in here {
            text = text.replace(&format!("{{{word}}}"), value);
        }
        text
    }
}

impl<'a> All<'a> {
    /// Whether no thread can go on, but for steps that change nothing.
    fn is_over(&self, at: usize) -> bool {
        self.moves[at].iter().flatten().all(|next| next.to == at)
    }

    /// Each order of steps from a situation to an end.
    fn ways(&self, at: usize, way: &mut Vec<Move<'a>>, end: &mut impl FnMut(&[Move<'a>], bool)) {
        assert!(
            way.len() < self.situations.len(),
            "the model goes in a circle"
        );
        if self.is_over(at) {
            end(way, self.done[at]);
        }
        for next in self.moves[at].iter().flatten().filter(|next| next.to != at) {
            way.push(*next);
            self.ways(next.to, way, end);
            way.pop();
        }
    }

    /// Whether each way from a situation loses the wake.
    fn is_lost(&self, at: usize) -> bool {
        let mut lost = true;
        self.ways(at, &mut Vec::new(), &mut |_, done| lost &= !done);
        lost
    }
}

#[cfg(test)]
mod tests {
    use std::task::Context;

    use museum::orders::{self, Order};
    use probe::CountingWaker;
    use step03_timer_future::Signal;
    use step08_join_handle::v2_state_bits::state::{Idle, State};

    use super::*;

    #[test]
    fn all_goals_of_a_game_are_met_exactly_where_its_run_is_lost() {
        let mut wrong = Vec::new();
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let all = model.walk(figure);
                for (at, here) in all.situations.iter().enumerate() {
                    let are_met = model.goals.iter().all(|[when, _]| holds(here, 0, when));
                    let is_lost = all.is_over(at) && !all.done[at];
                    if are_met != is_lost {
                        wrong.push(format!(
                            "{stage} {name}: met: {are_met}, lost: {is_lost}: {here:?}"
                        ));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn in_every_order_the_bits_of_the_task_are_those_of_stage_08() {
        let model = &models().unwrap()["08"];
        for all in model.figures.values().map(|it| model.walk(it)) {
            all.ways(0, &mut Vec::new(), &mut |way, _| {
                let (state, mut before) = (State::spawned(), &all.situations[0]);
                for Move { thread, step, to } in way {
                    let (does, now) = (&step.does, &all.situations[*to]);
                    let is_to_push = now[&own("at", *thread)] == "push";
                    if does.contains("`wake`") {
                        assert_eq!(state.wake(), is_to_push, "{does}");
                    } else if does.contains("`start`") {
                        assert!(state.start());
                    } else if does.contains("calls `idle`") {
                        assert_eq!(state.idle() == Idle::Schedule, is_to_push, "{does}");
                    } else if does.contains("ends `idle`") {
                        let _ = state.idle(); // it may see what the two steps do not
                    } else if does.contains("`finish`") {
                        assert!(state.finish().handle);
                    } else if does.starts_with("puts") {
                        assert_eq!(before["queue"], "empty", "it is in the queue twice");
                    }
                    for bit in ["SCHEDULED", "RUNNING", "FINISHED"] {
                        let is_set = format!("{state:?}").contains(bit);
                        assert_eq!(is_set, now[bit] == "on", "{bit} after: {does}");
                    }
                    before = now;
                }
            });
        }
    }

    /// The two locks of an exhibit, each by the words with which a step begins that takes it.
    type Locks = [&'static [&'static str]; 2];

    const FLAG_AND_WAKER: Locks = [
        &["polls the task", "raises the flag"],
        &["stores the waker", "looks for a waker"],
    ];
    const BYTES_AND_READINESS: Locks = [
        &["sends a byte", "tries to read"],
        &["checks `ready`", "calls `clear`", "gets a report"],
    ];
    const QUEUE_AND_SLEEPERS: Locks = [
        &["looks into the queue", "pushes a task"],
        &["announces its sleep", "looks for a sleeper"],
    ];

    /// Whether the wake arrives in each order of a game.
    fn ends(stage: &str, figure: &str, locks: Locks, before: &Order) -> BTreeMap<Order, bool> {
        let model = &models().unwrap()[stage];
        let all = model.walk(&model.figures[figure]);
        let mut ends = BTreeMap::new();
        all.ways(0, &mut Vec::new(), &mut |way, is_done| {
            let (mut order, mut has_returned) = (before.clone(), false);
            for Move { thread, step, to } in way {
                let takes = |words: &&[&str]| words.iter().any(|it| step.does.starts_with(it));
                // In an exhibit, the peer and the reactor are one thread, and a task that is woken is not polled again.
                let (thread, lock) = (*thread.min(&1), locks.iter().position(takes));
                if let Some(lock) = lock.filter(|_| thread == 1 || !has_returned) {
                    order.take(thread, lock);
                }
                has_returned |= all.situations[*to]["at0"] == "sleep";
            }
            let before = ends.insert(order, is_done);
            assert!(before.is_none_or(|before| before == is_done), "two ends");
        });
        ends
    }

    #[test]
    fn in_every_order_a_game_ends_as_the_exhibit_whose_code_it_shows() {
        let [two_locks, event, last_look] = [
            "two-locks",
            "newer-event-cleared",
            "sleeps-without-a-last-look",
        ]
        .map(|name| museum::exhibit(name).unwrap());
        let (none, mut reported) = (Order::default(), Order::default());
        // An earlier event, before the game begins.
        reported.take(0, 1);
        for (stage, figure, locks, before, program) in [
            ("03", "two-locks", FLAG_AND_WAKER, &none, two_locks.broken),
            ("09", "edge", BYTES_AND_READINESS, &reported, event.broken),
            ("09", "tick", BYTES_AND_READINESS, &reported, event.repaired),
            (
                "10",
                "looks-once",
                QUEUE_AND_SLEEPERS,
                &none,
                last_look.broken,
            ),
            (
                "10",
                "looks-again",
                QUEUE_AND_SLEEPERS,
                &none,
                last_look.repaired,
            ),
        ] {
            let ends = ends(stage, figure, locks, before);
            assert_eq!(ends, orders::ends(program), "{stage} {figure}");
        }
    }

    /// What is between taking the lock and releasing it is one call of the signal, made where it changes something.
    #[test]
    fn in_every_order_the_one_lock_of_03_does_what_the_signal_of_stage_03_does() {
        let model = &models().unwrap()["03"];
        let all = model.walk(&model.figures["one-lock"]);
        let mut orders = 0;
        all.ways(0, &mut Vec::new(), &mut |way, _| {
            orders += 1;
            let (signal, counting) = (Signal::default(), CountingWaker::new());
            let waker = counting.waker();
            let mut cx = Context::from_waker(&waker);
            for Move { step, to, .. } in way {
                let now = &all.situations[*to];
                match &*step.does {
                    "stores the waker" => assert!(signal.poll_fired(&mut cx).is_pending()),
                    does if does.starts_with("checks the flag: it's up") => {
                        assert!(signal.poll_fired(&mut cx).is_ready());
                    }
                    does if does.starts_with("looks for a waker") => signal.fire(),
                    _ => continue,
                }
                // Without the one from which the task polls.
                let is_stored = counting.live() == 2;
                assert_eq!(is_stored, now["waker"] == "stored", "after: {}", step.does);
            }
            let is_woken = way.iter().any(|next| next.step.does == "calls the waker");
            assert_eq!(counting.wakes(), usize::from(is_woken));
        });
        assert_eq!(orders, 2);
    }
}
