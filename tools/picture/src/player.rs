//! A run, or two on one clock, to step through: the lanes, the list of the steps, and the state after each, which
//! `book/theme/player.js` shows. The script computes nothing.

use std::collections::BTreeMap;

use kit::{files, markdown};
use probe::{Named, What};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    frame::{Frame, frames},
    lanes,
    run::{self, Kind, Lane, Place, Run, Wording, book, named},
    state::{End, State, Thread},
    steps::{Step, steps},
    text::{escaped, html},
};

/// What `book/players.toml` says of a player.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beside {
    /// The listing: files from the root, with `:` and an anchor.
    #[serde(default)]
    pub(crate) listing: Vec<String>,
    /// The line at work, by its own text, for a kind of event, such as `wake`, or for that of one future or thread, such as
    /// `poll one`, or for the second of these alone: `poll one 2`.
    #[serde(default)]
    pub(crate) lines: BTreeMap<String, String>,
    /// What no recording knows.
    #[serde(default)]
    pub(crate) places: Vec<Place>,
    /// The recordings that it shows on one clock, each with what stands above it. Without them, that of its own name.
    #[serde(default)]
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
    pub(crate) places: Vec<f32>,
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
        if !shown.any(|(name, _)| *name == run.name) {
            besides.entry(run.name.clone()).or_default();
        }
    }
    let find = |(name, label): &(String, String)| {
        let run = runs.iter().find(|run| run.name == *name).cloned();
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
        let (title, caption) = match (&beside.to_scale, &runs[..]) {
            (Some(texts), _) => texts.clone(),
            (_, [(_, run), ..]) => (run.title.clone(), run.caption.clone()),
            _ => Default::default(),
        };
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
        let parts: Vec<Part> = runs.into_iter().map(part).collect();
        let steps = steps(&parts);
        let mut tasks: Vec<String> = Vec::new();
        for task in parts.iter().flat_map(|part| &part.run.recording.tasks) {
            if !tasks.contains(&task.name) {
                tasks.push(task.name.clone());
            }
        }
        Player {
            name,
            title,
            caption,
            beside,
            places: lanes::places(&steps),
            parts,
            steps,
            tasks,
        }
    }

    /// When its last event was, if its time is to scale.
    pub(crate) fn to_scale(&self) -> Option<u64> {
        let ends = self.parts.iter().filter_map(|part| part.frames.last());
        let end = ends.map(|frame| frame.event.at).max()?;
        self.beside.to_scale.as_ref().map(|_| end)
    }

    /// The number of a future's colour and shape.
    pub(crate) fn colour(&self, part: &Part, task: u32) -> usize {
        1 + self.place(part, task) % 6
    }

    /// What happens in a step, and in which part.
    fn frames<'b>(&'b self, step: &'b Step) -> impl Iterator<Item = (&'b Part, &'b Frame)> {
        let frames = step.frames.iter();
        frames.map(|(part, frame)| (&self.parts[*part], &self.parts[*part].frames[*frame]))
    }

    /// The names of all futures, each with its colour and shape.
    fn chips(&self) -> Vec<String> {
        let chip = |(place, name): (usize, &String)| {
            let name = escaped(name);
            format!("<b class=\"task t{}\">{name}</b>", 1 + place % 6)
        };
        self.tasks.iter().enumerate().map(chip).collect()
    }

    fn chip(&self, part: &Part, task: u32) -> String {
        self.chips().swap_remove(self.place(part, task))
    }

    fn place(&self, part: &Part, task: u32) -> usize {
        let name = part.run.task(task);
        self.tasks.iter().position(|it| it == name).unwrap_or(0)
    }

    /// Text with marks, in which the names of futures are chips.
    fn html(&self, part: &Part, text: &str) -> String {
        let mut html = html(text);
        for task in &part.run.recording.tasks {
            let name = escaped(&task.name);
            html = html.replace(&format!("<code>{name}</code>"), &self.chip(part, task.id));
        }
        html
    }

    /// What each step does, with the name of its run if there are two.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let sentence = |step: &Step| {
            let said: Vec<_> = self
                .frames(step)
                .map(|(part, frame)| (&part.label, self.html(part, &frame.text)))
                .collect();
            match &said[..] {
                [(label, text)] if label.is_empty() => text.clone(),
                [(_, text), (_, other)] if text == other => format!("<i>both</i>: {text}"),
                several => {
                    let several = several
                        .iter()
                        .map(|(label, text)| format!("<i>{label}</i>: {text}"));
                    several.collect::<Vec<_>>().join("; ")
                }
            }
        };
        self.steps.iter().map(sentence).collect()
    }

    /// The line at work in each step.
    pub(crate) fn lines(&self) -> Vec<Option<&str>> {
        let mut lines = Vec::new();
        let listing = self.listing();
        for step in &self.steps {
            let mut line = None;
            for (part, frame) in self.frames(step) {
                let [nth, of, what] = &frame.keys;
                let keys = [
                    &format!("{} {of}", part.label),
                    &format!("{} {what}", part.label),
                    nth,
                    of,
                    what,
                ];
                let named = keys.iter().find_map(|key| self.beside.lines.get(*key));
                // What is done to a word has its line in the recording, if the listing shows that one. Of an unlock, that is
                // where the lock was taken.
                let recorded = frame.event.place.split_once(": ").map(|(_, line)| line);
                let is_shown = |it: &&str| listing.iter().filter(|line| line == it).count() == 1;
                let recorded = recorded.filter(|it| is_shown(it) && what != "unlock");
                line = line.or(recorded).or(named.map(String::as_str));
            }
            lines.push(line);
        }
        lines
    }

    /// The rows of the table: what each shows, and in each step.
    pub(crate) fn rows(&self) -> Vec<(String, Vec<String>)> {
        let mut rows = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            if self.parts.len() > 1 {
                rows.push((format!("#{}", part.label), Vec::new()));
            }
            let nothing = State::default();
            let mut state = &nothing;
            let mut states = vec![state];
            for step in &self.steps {
                if let Some((_, frame)) = step.frames.iter().find(|it| it.0 == number) {
                    state = &part.frames[*frame].state;
                }
                states.push(state);
            }
            for (number, place) in part.places.iter().enumerate() {
                let cells = states
                    .iter()
                    .map(|state| self.place_cell(part, number, state));
                let (name, said) = named(&place.header);
                rows.push((format!("{name}<small>{said}</small>"), cells.collect()));
            }
            for (place, lane) in part.run.lanes.iter().enumerate() {
                let cells = states.iter().map(|state| self.cell(part, place, state));
                if let Some(cells) = cells.collect::<Option<Vec<_>>>() {
                    rows.push((self.label(part, lane), cells));
                }
            }
        }
        rows
    }

    fn label(&self, part: &Part, lane: &Lane) -> String {
        let name = self.html(part, lane.short());
        let said = self.html(part, named(&lane.header).1);
        match lane.kind {
            Kind::Wakers | Kind::Queue | Kind::QueueAgain | Kind::SharedQueue => name,
            _ => format!("{name}<small>{said}</small>"),
        }
    }

    /// What a row shows. `None`: it is of a thread or a future that was not heard of.
    fn cell(&self, part: &Part, place: usize, state: &State) -> Option<String> {
        let (run, lane) = (&part.run, &part.run.lanes[place]);
        let chip = |task: &u32| self.chip(part, *task);
        let listed = |items: Vec<String>, none: &str| match items.is_empty() {
            true => none.to_owned(),
            false => items.join(" "),
        };
        let name = lane.name().trim_matches('`');
        let named = |list: &[Named]| list.iter().find(|it| it.name == name).map(|it| it.id);
        Some(match lane.kind {
            Kind::Thread => self.thread(part, state, named(&run.recording.threads)?),
            Kind::Task => self.task(part, state, named(&run.recording.tasks)?),
            Kind::Wakers => {
                let stored = state
                    .tasks
                    .iter()
                    .flat_map(|(task, it)| (0..it.wakers).map(move |_| task));
                listed(
                    stored.map(|task| format!("wakes {}", chip(task))).collect(),
                    "none",
                )
            }
            Kind::Word | Kind::Counts => {
                let is_count = lane.kind == Kind::Counts;
                let none = is_count.then_some(&0);
                let Some(word) = state.words.get(&place).or(none) else {
                    return Some("<i>not written yet</i>".to_owned());
                };
                let lamp = |(name, number): (&str, u64)| {
                    let shown = match is_count {
                        true => &format!("{name} {number}"),
                        false => name,
                    };
                    match number {
                        0 => format!("<s>{shown}</s>"),
                        _ => format!("<b class=\"on\">{shown}</b>"),
                    }
                };
                lane.fields(*word).map(lamp).collect::<Vec<_>>().join(" ")
            }
            Kind::Lock | Kind::Line | Kind::Steals => return None,
            _ => {
                let queue = state.queues.get(&place).into_iter().flatten();
                listed(queue.map(chip).collect(), "empty")
            }
        })
    }

    /// The row of a place.
    fn place_cell(&self, part: &Part, number: usize, state: &State) -> String {
        let place = &part.places[number];
        let entry = |(task, thread): &(Option<u32>, u32)| {
            let who = task.map_or(part.run.thread(*thread).to_owned(), |it| {
                self.chip(part, it)
            });
            place.shows[0].replace("{}", &who)
        };
        let there = state.places.get(number).into_iter().flatten();
        let entries: Vec<_> = there.map(entry).collect();
        let free = (entries.len()..place.room.max(2)).filter(|_| place.room > 1);
        let all: Vec<_> = entries
            .into_iter()
            .chain(free.map(|_| "<s>free</s>".to_owned()))
            .collect();
        if all.is_empty() {
            place.shows[1].clone()
        } else {
            all.join(" ")
        }
    }

    fn thread(&self, part: &Part, state: &State, id: u32) -> String {
        let is_first = part.is_first(id);
        match state.threads.get(&id) {
            Some(thread) if thread.over && !is_first => "<i>nothing more recorded</i>".to_owned(),
            Some(thread) if thread.asleep && !thread.polls.is_empty() => {
                let polled = thread
                    .polls
                    .last()
                    .map_or_else(String::new, |it| self.chip(part, *it));
                format!("<i>asleep</i> in the poll of {polled}")
            }
            Some(thread) if thread.asleep => "<i>asleep</i>".to_owned(),
            Some(Thread {
                takes: Some((task, _)),
                ..
            }) => format!("has taken {}", self.chip(part, *task)),
            Some(thread) if !thread.polls.is_empty() => {
                let chips: Vec<_> = thread.polls.iter().map(|it| self.chip(part, *it)).collect();
                match part.run.wording {
                    Wording::Checks => "checks".to_owned(),
                    _ => format!("polls {}", chips.join(" → ")),
                }
            }
            None if !is_first => "<i>nothing recorded yet</i>".to_owned(),
            _ => "runs its own code".to_owned(),
        }
    }

    fn task(&self, part: &Part, state: &State, id: u32) -> String {
        let Some(task) = state.tasks.get(&id) else {
            return "<i>not there yet</i>".to_owned();
        };
        let poller = task
            .poller
            .map(|it| part.run.thread(it))
            .unwrap_or_default();
        let phase = match task.end {
            Some(End::Ready) => "ready".to_owned(),
            Some(End::Panicked) => "panicked".to_owned(),
            Some(End::Dropped) => "dropped".to_owned(),
            None if state.is_polled(id) && task.woken => {
                format!("polled by {poller}, and woken meanwhile")
            }
            None if state.is_polled(id) => format!("polled by {poller}"),
            None if state.queue_of(id).is_some() => "in the queue".to_owned(),
            None if task.polls == 0 => "made".to_owned(),
            None if task.woken => "woken".to_owned(),
            None => "waits for a wake".to_owned(),
        };
        let count = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        format!(
            "{phase}<small>{}, {}</small>",
            count(task.polls, "poll"),
            count(task.wakes, "wake")
        )
    }

    /// What the script needs: rows, the different cells, and for each step its place, its line, whether it is a wake, which
    /// future an executor chose to poll, and the cells. In a cell, a number in braces is the name of a future.
    pub(crate) fn data(&self) -> Value {
        let (tasks, rows) = (self.chips(), self.rows());
        let short = |html: &String| {
            let chips = tasks.iter().enumerate();
            chips.fold(html.clone(), |html, (place, chip)| {
                html.replace(chip, &format!("{{{place}}}"))
            })
        };
        let (mut cells, mut lines) = (Vec::new(), Vec::new());
        let mut cells_at = |step: usize| -> Vec<i64> {
            let filled = rows.iter().filter(|(_, cells)| !cells.is_empty());
            filled
                .map(|(_, row)| number_of(&mut cells, short(&row[step])))
                .collect()
        };
        let mut steps = vec![[vec![0, -1, 0, -1], cells_at(0)].concat()];
        for (number, (step, line)) in (1..).zip(self.steps.iter().zip(self.lines())) {
            let is_wake =
                |(_, frame): (&Part, &Frame)| matches!(frame.event.what, What::Wake { .. });
            let chosen = self.frames(step).find(|(_, frame)| frame.taken.is_some());
            let chosen = chosen.and_then(|(part, frame)| Some(self.place(part, frame.event.task?)));
            let head = vec![
                (self.places[number - 1] * 10.0).round() as i64,
                line.map_or(-1, |line| number_of(&mut lines, line)),
                i64::from(self.frames(step).any(is_wake)),
                chosen.map_or(-1, |task| task as i64),
            ];
            steps.push([head, cells_at(number)].concat());
        }
        let labels: Vec<_> = rows.iter().map(|(label, _)| short(label)).collect();
        let at = |step: &Step| format!("{:.2}", step.at as f64 / 1e6);
        let times: Vec<_> = self.steps.iter().map(at).collect();
        json!({ "rows": labels, "cells": cells, "lines": lines, "at": times, "tasks": tasks, "steps": steps })
    }

    /// The lines of the listing, without their indent.
    pub(crate) fn listing(&self) -> Vec<String> {
        let part = |part: &String| {
            let (file, anchor) = part.split_once(':').unwrap_or((part, ""));
            let text = files::read(&files::root().join(file)).unwrap_or_default();
            let lines = text.lines().map(|it| it.trim().to_owned());
            let mark = |word: &str| format!("// {word}: {anchor}");
            let (begin, end) = (mark("ANCHOR"), mark("ANCHOR_END"));
            match anchor {
                "" => lines.collect::<Vec<_>>(),
                _ => lines
                    .skip_while(|it| *it != begin)
                    .take_while(|it| *it != end)
                    .collect(),
            }
        };
        self.beside.listing.iter().flat_map(part).collect()
    }

    /// As a figure for a page. Its only empty lines are around the listing, which Markdown reads.
    pub(crate) fn to_html(&self) -> String {
        let mut items = String::new();
        for sentence in self.sentences() {
            items += &format!("<li>{sentence}</li>\n");
        }
        let left_out: u64 = self.parts.iter().map(|it| it.run.recording.left_out).sum();
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
        let key = self.key();
        format!(
            "<figure class=\"picture player\" id=\"{name}\">{}\n<p class=\"key\">{key}</p>\n\
             <details><summary>The same in words: {} steps</summary><ol>\n{items}</ol>{more}</details>\n\
             {played}<figcaption>\n{caption}\n</figcaption></figure>\n",
            lanes::draw(self),
            self.steps.len(),
        )
    }

    /// The signs that occur in the lanes.
    fn key(&self) -> String {
        let mut chips = Vec::new();
        for part in &self.parts {
            for task in &part.run.recording.tasks {
                let is_thread = part
                    .run
                    .recording
                    .threads
                    .iter()
                    .any(|it| it.name == task.name);
                let chip = self.chip(part, task.id);
                if !is_thread && !chips.contains(&chip) {
                    chips.push(chip);
                }
            }
        }
        let any = |is: fn(&Frame) -> bool| self.parts.iter().any(|part| part.frames.iter().any(is));
        let has_queue = self
            .parts
            .iter()
            .any(|part| part.run.lanes.iter().any(|lane| lane.kind.is_queue()));
        let has_place = !self.beside.places.is_empty();
        let all_check = self.parts.iter().all(Part::checks);
        let to_scale = self.to_scale().is_some();
        let entries = [
            (true, "box", if all_check { "check" } else { "polled" }),
            (
                has_queue || has_place,
                "strip",
                if has_place { "there" } else { "in the queue" },
            ),
            (true, "thick", "thread awake"),
            (
                to_scale && any(|it| it.is_wake(false)),
                "hollow",
                "thread waits",
            ),
            (
                self.parts.iter().any(Part::checks),
                "shade",
                "data unnoticed",
            ),
            (any(|it| it.is_wake(false)), "up", "wake"),
            (any(|it| it.is_wake(true)), "loop", "wake by its own thread"),
            (any(|it| it.stolen.is_some()), "up", "steal"),
            (any(|it| it.put().is_some()), "put", "put into the queue"),
            (any(|it| it.event.what == What::Ready), "tick", "ready"),
        ];
        for (_, class, text) in entries.iter().filter(|it| it.0) {
            chips.push(format!("<span class=\"{class}\">{text}</span>"));
        }
        if !to_scale {
            chips.push("<span><i>not to scale</i></span>".to_owned());
        }
        chips.join(" ")
    }
}

impl Part {
    /// Whether it is the thread that began the recording.
    pub(crate) fn is_first(&self, thread: u32) -> bool {
        let first = self.run.recording.threads.first();
        first.is_some_and(|it| it.id == thread)
    }

    /// Whether a thread checks on its own, so that it isn't woken.
    pub(crate) fn checks(&self) -> bool {
        self.run.wording == Wording::Checks
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
