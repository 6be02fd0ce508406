//! A run, or two on one clock, to step through: the lanes, the list of the steps, and the state after each, which
//! `book/theme/player.js` shows. The script computes nothing.

use std::collections::BTreeMap;

use kit::{files, markdown};
use probe::{What, Wording};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    frame::{Frame, frames},
    lanes,
    place::Place,
    run::{self, Run, book},
    state::State,
    steps::{Step, steps},
    text::{code, escaped, html},
};

/// What `book/players.toml` says of a player.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Beside {
    /// The listing: files from the root, with `:` and an anchor.
    pub(crate) listing: Vec<String>,
    /// The line at work, by its own text, for a kind of event, such as `wake`, or for that of one future or thread, such as
    /// `poll one`, or for the second of these alone: `poll one 2`.
    pub(crate) lines: BTreeMap<String, String>,
    /// What no recording knows.
    pub(crate) places: Vec<Place>,
    /// The recordings that it shows on one clock, each with what stands above it. Without them, that of its own name.
    pub(crate) runs: Vec<(String, String)>,
    /// If it is no player, but a still picture of them in which time is to scale: what it is, and what to see in it.
    pub(crate) to_scale: Option<(String, String)>,
}

pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) title: String,
    caption: String,
    pub(crate) beside: Beside,
    pub(crate) parts: Vec<Part>,
    pub(crate) steps: Vec<Step>,
    /// The names of all futures. One that occurs in two recordings has one colour.
    tasks: Vec<String>,
}

/// One of its recordings.
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) run: Run,
    pub(crate) frames: Vec<Frame>,
    pub(crate) places: Vec<Place>,
}

/// A player for each recording in the book, or for those that are shown on one clock.
///
/// # Errors
///
/// What cannot be read, or is not there.
pub(crate) fn players() -> Result<Vec<Player>, String> {
    let runs = run::all()?;
    let text = files::read(&book("players.toml")).map_err(|error| error.to_string())?;
    let says = |why: &str| format!("book/players.toml: {why}");
    let mut besides: BTreeMap<String, Beside> =
        toml::from_str(&text).map_err(|error| says(error.message()))?;
    for run in &runs {
        let mut shown = besides.values().flat_map(|it| &it.runs);
        if !shown.any(|(name, _)| *name == run.head.name) {
            besides.entry(run.head.name.clone()).or_default();
        }
    }
    let find = |(name, label): &(String, String)| {
        let run = runs.iter().find(|run| run.head.name == *name).cloned();
        let run = run.ok_or_else(|| says(&format!("there is no book/recordings/{name}.json")));
        Ok((label.clone(), run?))
    };
    let player = |(name, beside): (String, Beside)| {
        let parts: Result<_, String> = match &beside.runs[..] {
            [] => find(&(name.clone(), String::new())).map(|it| vec![it]),
            several => several.iter().map(find).collect(),
        };
        Ok(Player::new(parts?, name, beside))
    };
    besides.into_iter().map(player).collect()
}

impl Player {
    /// The player of one recording, or of several.
    pub(crate) fn new(runs: Vec<(String, Run)>, name: String, beside: Beside) -> Player {
        let head = runs[0].1.head.clone();
        let texts = beside.to_scale.clone();
        let (title, caption) = texts.unwrap_or((head.title, head.caption));
        let part = |(label, run): (String, Run)| {
            let is_its = |it: &&Place| it.of.is_empty() || it.of == label;
            let places: Vec<Place> = beside.places.iter().filter(is_its).cloned().collect();
            let frames = frames(&run, &places);
            Part {
                label,
                run,
                frames,
                places,
            }
        };
        let mut parts: Vec<Part> = runs.into_iter().map(part).collect();
        let steps = steps(&mut parts, beside.to_scale.is_some());
        let mut tasks: Vec<String> = Vec::new();
        for task in parts.iter().flat_map(|part| &part.run.tasks) {
            number_of(&mut tasks, task.clone());
        }
        Player {
            name,
            title,
            caption,
            beside,
            parts,
            steps,
            tasks,
        }
    }

    /// When its last event was, if its time is to scale.
    pub(crate) fn to_scale(&self) -> Option<u64> {
        let end = self.steps.last().map(|it| it.at);
        end.filter(|_| self.beside.to_scale.is_some())
    }

    /// The number of a future, if it is one. The rest of its division by six is its colour and shape.
    pub(crate) fn number(&self, task: &str) -> Option<usize> {
        self.tasks.iter().position(|it| it == task)
    }

    /// The names of all futures, each with its colour and shape.
    fn chips(&self) -> impl Iterator<Item = (&String, String)> {
        self.tasks.iter().enumerate().map(|(place, name)| {
            let (class, text) = (1 + place % 6, escaped(name));
            (name, format!("<b class=\"task t{class}\">{text}</b>"))
        })
    }

    /// Text with marks, in which the names of futures are chips.
    fn html(&self, text: &str) -> String {
        let chips = self.chips();
        chips.fold(html(text), |html, it| html.replace(&code(it.0), &it.1))
    }

    /// What happens in a step, and in which part.
    fn frames(&self, step: &Step) -> impl Iterator<Item = (&Part, &Frame)> {
        let parts = step.frames.iter().map(|it| (&self.parts[it.0], it.1));
        parts.map(|(part, frame)| (part, &part.frames[frame]))
    }

    /// What each step does, with the name of its run if there are several.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let sentence = |step: &Step| {
            let said = self.frames(step).map(|it| (&*it.0.label, &it.1.text));
            let said = match &said.collect::<Vec<_>>()[..] {
                [("", text)] => return self.html(text),
                [(_, text), (_, other)] if text == other => vec![("both", *text)],
                several => several.to_owned(),
            };
            let said = said.iter().map(|it| (it.0, self.html(it.1)));
            let said = said.map(|(label, html)| format!("<i>{label}</i>: {html}"));
            said.collect::<Vec<_>>().join("; ")
        };
        self.steps.iter().map(sentence).collect()
    }

    /// The line at work in each step.
    pub(crate) fn lines(&self) -> Vec<Option<&str>> {
        let listing = self.listing();
        let line = |step| {
            self.frames(step).find_map(|(part, frame)| {
                let own = frame.keys[1..].iter();
                let own = own.map(|it| format!("{} {it}", part.label));
                let mut keys = own.chain(frame.keys.clone());
                let named = keys.find_map(|key| self.beside.lines.get(&key));
                // What is done to a word has its line in the recording, if the listing shows that one. Of an unlock, that is
                // where the lock was taken.
                let recorded = frame.event.place.split_once(": ").map(|(_, line)| line);
                let is_shown = |it: &&str| listing.iter().filter(|line| line == it).count() == 1;
                let recorded = recorded.filter(|it| is_shown(it) && frame.keys[2] != "unlock");
                recorded.or(named.map(String::as_str))
            })
        };
        self.steps.iter().map(line).collect()
    }

    /// The rows of the table: what stands beside each, and what it shows in each step. Of a heading, that is nothing.
    fn rows(&self) -> Vec<(String, Vec<String>)> {
        let mut rows = Vec::new();
        let nothing = State::default();
        for (number, part) in self.parts.iter().enumerate() {
            if self.parts.len() > 1 {
                rows.push((format!("#{}", part.label), Vec::new()));
            }
            let mut states = vec![&nothing];
            for step in &self.steps {
                let frame = step.frames.iter().find(|it| it.0 == number);
                let state = frame.map(|it| &part.frames[it.1].state);
                states.push(state.unwrap_or(states[states.len() - 1]));
            }
            rows.extend(part.rows(&states));
        }
        rows
    }

    /// What the script needs: rows, the different cells, and for each step its place, its line, whether it is a wake, which
    /// future an executor chose to poll, and the cells. In a cell, a number in braces is the name of a future.
    pub(crate) fn data(&self) -> Value {
        let short = |html: &str| {
            let tasks = (0..).zip(&self.tasks);
            tasks.fold(html.to_owned(), |html, (it, name)| {
                html.replace(&code(name), &format!("{{{it}}}"))
            })
        };
        let (rows, work) = (self.rows(), self.lines());
        let (mut cells, mut lines) = (Vec::new(), Vec::new());
        let mut with_cells = |mut step: Vec<i64>, number: usize| {
            let filled = rows.iter().filter_map(|(_, cells)| cells.get(number));
            step.extend(filled.map(|it| number_of(&mut cells, short(it))));
            step
        };
        let mut steps = vec![with_cells(vec![0, -1, 0, -1], 0)];
        for (number, step) in self.steps.iter().enumerate() {
            let is_wake = |it: &Frame| matches!(it.event.what, What::Wake { .. });
            let chosen = self.frames(step).find(|(_, frame)| frame.taken.is_some());
            let chosen = chosen.and_then(|(_, frame)| self.number(frame.event.task.as_ref()?));
            let head = vec![
                (step.x * 10.0).round() as i64,
                work[number].map_or(-1, |line| number_of(&mut lines, line)),
                i64::from(self.frames(step).any(|it| is_wake(it.1))),
                chosen.map_or(-1, |task| task as i64),
            ];
            steps.push(with_cells(head, number + 1));
        }
        let labels: Vec<_> = rows.iter().map(|(label, _)| short(label)).collect();
        let times = self.steps.iter().map(|it| it.at as f64 / 1e6);
        let times: Vec<_> = times.map(|it| format!("{it:.2}")).collect();
        let tasks: Vec<_> = self.chips().map(|it| it.1).collect();
        json!({ "rows": labels, "cells": cells, "lines": lines, "at": times, "tasks": tasks, "steps": steps })
    }

    /// The lines of the listing, without their indent.
    pub(crate) fn listing(&self) -> Vec<String> {
        let part = |part: &String| {
            let (file, anchor) = part.split_once(':').unwrap_or((part, ""));
            let text = files::read(&files::root().join(file)).unwrap_or_default();
            let begin = format!("// ANCHOR: {anchor}");
            let end = format!("// ANCHOR_END: {anchor}");
            let lines = text.lines().map(|it| it.trim().to_owned());
            let lines = lines.skip_while(|it| *it != begin);
            lines.take_while(|it| *it != end).collect::<Vec<_>>()
        };
        self.beside.listing.iter().flat_map(part).collect()
    }

    /// As a figure for a page. Its only empty lines are around the listing, which Markdown reads.
    pub(crate) fn to_html(&self) -> String {
        let items = self.sentences().into_iter();
        let items: String = items.map(|it| format!("<li>{it}</li>\n")).collect();
        let left_out: u64 = self.parts.iter().map(|it| it.run.left_out).sum();
        let more = match left_out {
            0 => String::new(),
            _ => format!("<p>And so on, {left_out} more.</p>"),
        };
        let played = match self.to_scale() {
            Some(_) => String::new(),
            None => {
                let listing = markdown::listing(&self.beside.listing);
                // In HTML, `</` would end the script.
                let data = self.data().to_string().replace("</", "<\\/");
                format!(
                    "<script type=\"application/json\">{data}</script>\n<div class=\"listing\">\n{listing}</div>\n"
                )
            }
        };
        let (name, caption) = (&self.name, html(&self.caption));
        let (lanes, key, count) = (lanes::draw(self), self.key(), self.steps.len());
        format!(
            "<figure class=\"picture player\" id=\"{name}\">{lanes}\n<p class=\"key\">{key}</p>\n\
             <details><summary>The same in words: {count} steps</summary><ol>\n{items}</ol>{more}</details>\n\
             {played}<figcaption>\n{caption}\n</figcaption></figure>\n"
        )
    }

    /// The signs that occur in the lanes.
    fn key(&self) -> String {
        let parts = || self.parts.iter();
        let any = |is: fn(&Frame) -> bool| parts().any(|part| part.frames.iter().any(is));
        let mut lanes = parts().flat_map(|part| &part.run.head.lanes);
        let has_queue = lanes.any(|lane| lane.kind.is_queue());
        let has_place = !self.beside.places.is_empty();
        let to_scale = self.to_scale().is_some();
        let checks = parts().all(Part::checks);
        let hollow = to_scale && any(|it| it.is_wake(false));
        let signs = [
            (checks, "box", "check"),
            (!checks, "box", "polled"),
            (has_place, "strip", "there"),
            (has_queue && !has_place, "strip", "in the queue"),
            (true, "thick", "thread awake"),
            (hollow, "hollow", "thread waits"),
            (parts().any(Part::checks), "shade", "data unnoticed"),
            (any(|it| it.is_wake(false)), "up", "wake"),
            (any(|it| it.is_wake(true)), "loop", "wake by its own thread"),
            (any(|it| it.stolen.is_some()), "up", "steal"),
            (any(|it| it.put().is_some()), "put", "put into the queue"),
            (any(|it| it.event.what == What::Ready), "tick", "ready"),
        ];
        let is_thread = |name: &str| {
            let mut threads = parts().flat_map(|part| &part.run.threads);
            threads.any(|it| it == name)
        };
        let chips = self.chips().filter(|it| !is_thread(it.0)).map(|it| it.1);
        let signs = signs.iter().filter(|it| it.0);
        let signs = signs.map(|(_, class, text)| format!("<span class=\"{class}\">{text}</span>"));
        let mut key: Vec<_> = chips.chain(signs).collect();
        if !to_scale {
            key.push("<span><i>not to scale</i></span>".to_owned());
        }
        key.join(" ")
    }
}

impl Part {
    /// Whether a thread checks on its own, so that it isn't woken.
    pub(crate) fn checks(&self) -> bool {
        self.run.head.wording == Wording::Checks
    }
}

/// The number of something in a list, into which it is put if it is not there.
fn number_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> i64 {
    let known = list.iter().position(|it| *it == item);
    known.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    }) as i64
}
