//! A few threads, each of which is at some step, and every order of their steps, as `book/schedulers.toml` has them. The reader of the
//! book decides which thread goes next.

mod drag;
mod executor;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use crate::{
    player::listed,
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
    /// When, what changes, what the thread does, its line, and perhaps a label; or when, why it cannot go on, and perhaps its line.
    steps: Vec<Vec<String>>,
    /// The name, when what is shown, and what else.
    rows: Vec<Vec<String>>,
    /// When it is reached, and what it is.
    goals: Vec<[String; 2]>,
    /// Why the wake is lost, from the step on that loses it.
    lost: String,
    figures: BTreeMap<String, Figure>,
    drag: Option<drag::Drag>,
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

/// A step of an order: which thread goes, what it does, its line, and to which situation that leads.
type Step<'a> = (usize, &'a str, &'a str, usize);

/// All situations, and for each the next step of each thread, or why it cannot go on and its line.
struct All<'a> {
    situations: Vec<Situation>,
    moves: Vec<Vec<Result<Step<'a>, (&'a str, &'a str)>>>,
    done: Vec<bool>,
}

/// The figures, with their names, if they can be read.
pub(crate) fn figures() -> Result<Vec<(String, String)>, String> {
    let mut figures = vec![executor::figure()?];
    let models: BTreeMap<String, Model> = read("schedulers.toml")?;
    for (stage, model) in models {
        for (name, figure) in &model.figures {
            let name = format!("scheduler-{stage}-{name}");
            let (all, listing) = (model.walk(figure), listed(&figure.listing));
            let mut quoted = all.moves.iter().flatten().flat_map(|it| match it {
                Ok((_, _, line, _)) | Err((_, line)) => line.lines(),
            });
            if let Some(gone) = quoted.find(|it| !listing.iter().any(|line| line == it)) {
                let what = "no such line in its listing: quote one that is there";
                return Err(format!("book/schedulers.toml: {name}: `{gone}`: {what}"));
            }
            let (words, data) = (model.words(figure), model.data(figure));
            let html = text::figure([&name, &words, &data, &figure.caption], &figure.listing);
            figures.push((name, html));
        }
        if let Some(drag) = &model.drag {
            figures.push((format!("scheduler-{stage}-drag"), drag.html(&model)));
        }
    }
    Ok(figures)
}

/// The words of a text such as `flag=up waker=none`.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace()
        .map(|it| it.split_once('=').expect("a word has a value"))
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
        _ => values.split('|').any(|it| here[&own(word, me)] == it),
    })
}

impl Model {
    /// The thread's next step, and where it leads.
    fn step(&self, here: &Situation, me: usize) -> Result<(&str, &str, Situation), (&str, &str)> {
        let mut steps = self.steps.iter();
        let step = steps.find(|it| holds(here, me, &it[0]));
        match &step.expect("in each situation there is a step")[..] {
            [_, changes, does, line, ..] => {
                let mut next = here.clone();
                for (word, value) in words(changes) {
                    let value = value.strip_prefix('$').map_or(value, |it| &here[it]);
                    next.insert(own(word, me), value.to_owned());
                }
                Ok((does, line, next))
            }
            [_, why] => Err((why, "")),
            [_, why, line] => Err((why, line)),
            step => panic!("a step has at least two texts: {step:?}"),
        }
    }

    /// What a step is called, if anything.
    fn label(&self, step: &Step<'_>) -> &str {
        let mut steps = self.steps.iter().filter(|it| it.len() > 4);
        let step = steps.find(|it| (&*it[2], &*it[3]) == (step.1, step.2));
        step.map_or("", |it| &it[4])
    }

    /// Goes all ways from the start.
    fn walk(&self, figure: &Figure) -> All<'_> {
        let start = words(&self.start).chain(words(&figure.start));
        let start = start.map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
        let (mut situations, mut moves) = (vec![start], Vec::new());
        while let Some(here) = situations.get(moves.len()).cloned() {
            let step = |me| {
                let (does, line, next) = self.step(&here, me)?;
                Ok((me, does, line, number_of(&mut situations, next)))
            };
            moves.push((0..self.threads.len()).map(step).collect());
        }
        let is_done = |it: &Situation| holds(it, 0, &self.done);
        let done = situations.iter().map(is_done).collect();
        All {
            situations,
            moves,
            done,
        }
    }

    fn shown(&self, row: &[String], here: &Situation) -> String {
        let me = row[0].split_once('|').map_or("0", |it| it.1);
        let me = me.parse().expect("the number of a thread");
        let mut cases = row[1..].chunks(2);
        let shown = cases.find(|it| it.len() == 1 || holds(here, me, &it[0]));
        let text = shown.and_then(|it| it.last());
        let text = text.expect("the last one has no condition");
        here.iter().fold(text.clone(), |text, (word, value)| {
            let value = match value.as_str() {
                "on" => &format!("<b class=\"on\">{word}</b>"),
                "off" => &format!("<s>{word}</s>"),
                value => value,
            };
            text.replace(&format!("{{{word}}}"), value)
        })
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
            let lost = way.iter().position(|it| all.is_lost(it.3));
            let lost = lost.expect("its end is lost") + 1;
            words += "<ol>";
            for (number, step) in (1..).zip(way) {
                let class = [" class=\"fatal\"", ""][usize::from(number != lost)];
                words += &format!("<li{class}>{}</li>", self.said(step));
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

    fn said(&self, step: &Step<'_>) -> String {
        format!("{} {}", self.threads[step.0], html(step.1))
    }

    /// What there is to say after the step that loses the wake.
    fn lost_in(&self, step: &str) -> String {
        let why = html(&self.lost).replace('#', step);
        format!("From step {step} on, nothing can save the wake: {why}")
    }

    /// The goals, and which of them are reached.
    fn reached(&self, here: &Situation) -> String {
        let goal = |[when, what]: &[String; 2]| {
            let [class, sign] = [["", "☐"], ["got", "☑"]][usize::from(holds(here, 0, when))];
            format!("<span class=\"{class}\">{sign} {what}</span> ")
        };
        self.goals.iter().map(goal).collect()
    }

    /// What `book/src/pictures/player.js` needs. A situation is whether it is lost or the end, the step of each thread (what it does, its
    /// lines, where it leads), the goals, and the rows.
    fn data(&self, of: &Figure) -> String {
        let all = self.walk(of);
        let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let situations = all.situations.iter().enumerate().map(|(at, here)| {
            let steps = all.moves[at].iter().map(|step| {
                let (does, line, to) = match step {
                    Ok((_, does, line, to)) => (does, line, *to as i64),
                    Err((why, line)) => (why, line, -1),
                };
                let does = number_of(&mut texts, html(does));
                json!([does, number_of(&mut lines, *line), to])
            });
            let steps: Vec<_> = steps.collect();
            let (is_lost, is_over) = (all.is_lost(at), all.is_over(at));
            let end = if is_lost { 1 } else { 2 * u8::from(is_over) };
            let rows = self.rows.iter().map(|row| self.shown(row, here));
            let values = [self.reached(here)].into_iter().chain(rows);
            let values = values.map(|it| json!(number_of(&mut cells, it)));
            [json!(end), json!(steps)]
                .into_iter()
                .chain(values)
                .collect()
        });
        let situations: Vec<Vec<_>> = situations.collect();
        let rows = self.rows.iter().flat_map(|it| it[0].split('|').next());
        let lost = self.lost_in("#");
        let data = json!({
            "rows": rows.collect::<Vec<_>>(), "cells": cells, "lines": lines, "threads": self.threads,
            "texts": texts, "ends": ["", lost, html(&of.done)], "situations": situations,
        });
        data.to_string()
    }
}

impl<'a> All<'a> {
    /// Whether no thread can go on, but for steps that change nothing.
    fn is_over(&self, at: usize) -> bool {
        self.moves[at].iter().flatten().all(|step| step.3 == at)
    }

    /// Each order of steps from a situation to an end.
    fn ways(&self, at: usize, way: &mut Vec<Step<'a>>, end: &mut impl FnMut(&[Step<'a>], bool)) {
        assert!(
            way.len() < self.situations.len(),
            "the model goes in a circle"
        );
        if self.is_over(at) {
            end(way, self.done[at]);
        }
        for step in self.moves[at].iter().flatten().filter(|it| it.3 != at) {
            way.push(*step);
            self.ways(step.3, way, end);
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
    use step08_join_handle::v2_state_bits::state::{Idle, State};

    use super::*;

    #[test]
    fn all_goals_of_a_game_are_met_exactly_where_its_run_is_lost() {
        let models: BTreeMap<String, Model> = read("schedulers.toml").unwrap();
        let mut wrong = Vec::new();
        for (stage, model) in &models {
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
        let model = read::<BTreeMap<String, Model>>("schedulers.toml")
            .unwrap()
            .remove("08")
            .unwrap();
        for all in model.figures.values().map(|it| model.walk(it)) {
            all.ways(0, &mut Vec::new(), &mut |way, _| {
                let (state, mut before) = (State::spawned(), &all.situations[0]);
                for (worker, does, _, to) in way {
                    let now = &all.situations[*to];
                    let is_to_push = now[&own("at", *worker)] == "push";
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
}
