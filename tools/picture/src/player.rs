//! A run, or two on one clock, to step through: the lanes, and the list of the steps, which
//! `book/src/pictures/player.js` shows. The script computes nothing.

use std::collections::BTreeMap;

use probe::What;
use serde_json::json;

use crate::{
    frame::{Frame, frames},
    lanes,
    listing::{Listing, Mark},
    part::{Part, Step},
    read::read,
    run::{Beside, Kind, Name, Place, Run, own_queue},
    steps::steps,
    text::{capital, escaped, figure, html, number_of},
};

pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) beside: Beside,
    pub(crate) parts: Vec<Part>,
    pub(crate) steps: Vec<Step>,
    /// The names of all futures. One that occurs in two recordings has one colour.
    tasks: Vec<Name>,
}

/// What `book/players.toml` says, by the names of runs and players.
///
/// # Errors
///
/// If the file cannot be read.
pub fn besides() -> Result<BTreeMap<String, Beside>, String> {
    read("players.toml")
}

/// What it says of the player that shows this run.
pub fn beside<'a>(besides: &'a BTreeMap<String, Beside>, run: &str) -> Option<&'a Beside> {
    let shows = |it: &&Beside| it.runs.iter().any(|(name, _)| name == run);
    besides.get(run).or_else(|| besides.values().find(shows))
}

/// The players of the book.
///
/// # Errors
///
/// What cannot be read, or is not there.
pub(crate) fn players() -> Result<Vec<Player>, String> {
    let mut players = Vec::new();
    for (name, beside) in besides()? {
        let run = |(run, label): &(String, String)| {
            let read = Run::new(beside.clone(), read(&format!("recordings/{run}.json"))?);
            let run = read.map_err(|why| format!("{run}.json: {why}"))?;
            Ok((label.clone(), run))
        };
        let runs = match &beside.runs[..] {
            [] => [(name.clone(), String::new())].iter().map(run).collect(),
            both => both.iter().map(run).collect::<Result<_, String>>(),
        };
        players.push(Player::new(&name, &beside, runs?));
    }
    Ok(players)
}

impl Player {
    pub(crate) fn new(name: &str, beside: &Beside, runs: Vec<(String, Run)>) -> Player {
        let part = |(label, run): (String, Run)| {
            let is_its = |it: &&Place| it.of.is_empty() || it.of == label;
            let places: Vec<Place> = beside.places.iter().filter(is_its).cloned().collect();
            let frames = frames(&label, &run, &places);
            Part {
                label,
                run,
                frames,
                places,
            }
        };
        let mut parts: Vec<Part> = runs.into_iter().map(part).collect();
        let steps = steps(&mut parts);
        let mut tasks = Vec::new();
        for task in parts.iter().flat_map(|part| &part.run.tasks) {
            number_of(&mut tasks, *task);
        }
        let (name, beside) = (name.to_owned(), beside.clone());
        Player {
            name,
            beside,
            parts,
            steps,
            tasks,
        }
    }

    /// Its parts, each with the name of its file in `book/recordings`.
    pub(crate) fn recordings(&self) -> impl Iterator<Item = (&str, &Part)> {
        let runs = &self.beside.runs;
        let name = |number: usize| runs.get(number).map_or(&*self.name, |(name, _)| name);
        let parts = self.parts.iter().enumerate();
        parts.map(move |(number, part)| (name(number), part))
    }

    /// The number of a future, if it is one. The rest of its division by six is its colour and shape.
    pub(crate) fn number(&self, task: &str) -> Option<usize> {
        self.tasks.iter().position(|it| *it == task)
    }

    /// The names of all futures, between backticks, each with its colour and shape.
    fn chips(&self) -> impl Iterator<Item = (String, String)> {
        self.tasks.iter().enumerate().map(|(place, name)| {
            let (class, code, text) = (1 + place % 6, format!("`{name}`"), escaped(name));
            (code, format!("<b class=\"task t{class}\">{text}</b>"))
        })
    }

    /// What happens in a step, and in which part.
    fn frames(&self, step: &Step) -> impl Iterator<Item = (&Part, &Frame)> {
        let parts = step
            .frames
            .iter()
            .map(|it| (&self.parts[it.part], it.frame));
        parts.map(|(part, frame)| (part, &part.frames[frame]))
    }

    /// What a step does, with the name of its run if there are several. In it, the names of futures are chips.
    fn sentence(&self, step: &Step) -> String {
        let red = |text: &str| format!("<span class=\"fatal\">{text}</span>");
        let of_each = self.frames(step).map(|(part, frame)| {
            let text = html(&frame.text);
            let text = if !part.label.is_empty() && self.decides(frame) {
                format!("{text}: {}", red(&html(&self.beside.decides[1])))
            } else if frame.is_forever() {
                red(&text)
            } else {
                text
            };
            (&*part.label, text)
        });
        let mut of_each: Vec<(&str, String)> = of_each.collect();
        if let [(label, one), (_, other)] = &mut of_each[..] {
            if one == other {
                *label = "both";
                of_each.truncate(1);
            }
        }
        let lines = of_each.iter().map(|it| match it {
            ("", text) => capital(text),
            (label, text) => format!("<i>{label}</i>: {text}"),
        });
        let lines = lines.collect::<Vec<_>>().join("<br>");
        let chips = self.chips();
        chips.fold(lines, |lines, (code, chip)| {
            lines.replace(&html(&code), &chip)
        })
    }

    pub(crate) fn decides(&self, frame: &Frame) -> bool {
        frame.keys.contains(&self.beside.decides[0])
    }

    /// The line at work in each step. A place that the listing has not is left out: [`faults`](Self::faults) tells it.
    fn lines(&self) -> Vec<Option<Mark>> {
        let listing = Listing::read(&self.beside.listing);
        let line = |step| {
            self.frames(step).find_map(|(_, frame)| {
                // What is done to a word has its line in the recording, if the listing shows that one. Of an unlock, that is
                // where the lock was taken.
                let recorded = frame.event.place.split_once(": ").map(|(_, code)| code);
                let recorded =
                    recorded.filter(|_| !matches!(frame.event.what, What::Unlock { .. }));
                let recorded = recorded.and_then(|code| listing.with_code(code));
                recorded.or_else(|| listing.find(frame.of(&self.beside.lines)?).ok())
            })
        };
        self.steps.iter().map(line).collect()
    }

    /// What `book/players.toml` says of it that is not so.
    pub(crate) fn faults(&self) -> Vec<String> {
        let it = &self.beside;
        let listing = Listing::read(&it.listing);
        let frames: Vec<&Frame> = self.parts.iter().flat_map(|part| &part.frames).collect();
        let mut found = Vec::new();
        for (key, place) in &it.lines {
            if let Err(why) = listing.find(place) {
                found.push(format!("`{key}`: {why}: correct the words of its place"));
            }
            let is_used = |frame: &&Frame| frame.of(&it.lines) == Some(place);
            if !frames.iter().any(is_used) {
                found.push(format!("`{key}`: no step is at this line: remove it"));
            }
        }
        let said = it
            .says
            .iter()
            .filter(|said| !said.1.is_empty())
            .map(|said| said.0);
        let keys = it.omits.keys().chain(it.room.keys()).chain(said);
        for key in keys.chain([&it.decides[0]]) {
            if !frames.iter().any(|frame| frame.keys.contains(key)) {
                found.push(format!(
                    "no step is `{key}`: name one that is in the recording"
                ));
            }
        }
        let lanes = self.parts[0].run.beside.lanes.iter();
        for lane in lanes.filter(|lane| matches!(lane.is, Kind::Line | Kind::Steals)) {
            let mut events = self.parts.iter().flat_map(|part| &part.run.events);
            if !events.any(|event| lane.is_of(&event.place)) {
                found.push(format!(
                    "`{}`: nothing is recorded in such a line: correct its words",
                    lane.at
                ));
            }
        }
        let lanes = self.parts[0].run.beside.lanes.iter();
        for lane in lanes.filter(|lane| lane.is == Kind::Steals) {
            let from = own_queue(&lane.header);
            let mut queues = it.lanes.iter().filter(|it| it.is == Kind::OwnQueue);
            if !queues.any(|it| it.name() == from) {
                found.push(format!(
                    "`Steals`: no `OwnQueue` is `{from}`: correct the `header`"
                ));
            }
        }
        let name = &self.name;
        found
            .into_iter()
            .map(|fault| format!("book/players.toml: {name}: {fault}"))
            .collect()
    }

    /// What the script needs: the step that is shown first, and for each step its place, its line, and whether it is a wake.
    fn data(&self) -> String {
        let (work, mut lines, mut steps) = (self.lines(), Vec::new(), vec![[0, -1, 0]]);
        for (step, line) in self.steps.iter().zip(work) {
            steps.push([
                (step.x * 10.0).round() as i64,
                line.map_or(-1, |line| number_of(&mut lines, line) as i64),
                self.frames(step).any(|it| it.1.is_wake()).into(),
            ]);
        }
        let decides = |step: &Step| self.frames(step).any(|it| self.decides(it.1));
        let first = self.steps.iter().position(decides).unwrap_or(0);
        let time = |it: &Step| format!(", {:.2} ms", it.at as f64 / 1e6);
        let timed = self.steps.iter().filter(|_| self.parts.len() == 1); // Two runs have no common time.
        let times = timed.map(time).collect::<Vec<_>>();
        let mut data = json!({ "first": first, "lines": lines, "at": times, "steps": steps });
        if self.beside.memory {
            let frames = self.steps.iter().flat_map(|it| self.frames(it));
            data["memory"] = frames.map(|it| memory(it.0, it.1)).collect();
        }
        data.to_string()
    }

    pub(crate) fn to_html(&self) -> String {
        let items = self.steps.iter().map(|step| self.sentence(step));
        let items: String = items.map(|it| format!("<li>{it}</li>\n")).collect();
        let more = match self.parts.iter().map(|it| it.run.left_out).sum() {
            0 => String::new(),
            left_out => format!("<p>And so on, {left_out} more.</p>"),
        };
        let (lanes, key, count) = (lanes::draw(self), self.key(), self.steps.len());
        let body = format!(
            "{lanes}\n<p class=\"key\">{key}</p>\n\
             <details><summary>The same in words: {count} steps</summary><ol>\n{items}</ol>{more}</details>"
        );
        let it = &self.beside;
        let html = figure(
            "player",
            [&self.name, &body, &self.data(), &it.caption],
            &it.listing,
        );
        let class = if it.memory { "player code" } else { "player" };
        html.replacen("player", class, 1)
    }

    fn key(&self) -> String {
        let mut lanes = self.beside.lanes.iter();
        let any = |is: fn(&Frame) -> bool| self.parts.iter().flat_map(|it| &it.frames).any(is);
        let sleeps = |frame: &Frame| frame.state.threads.values().any(|it| it.asleep);
        let sign = |is_used, class, text| Sign {
            is_used,
            class,
            text,
        };
        let signs = [
            sign(true, "box", "poll: runs a future until it ends or waits"),
            sign(lanes.any(|it| it.is.is_queue()), "strip", "in a queue"),
            sign(true, "thick", "thread awake"),
            sign(any(sleeps), "dotted", "asleep"),
            sign(any(Frame::is_forever), "forever", "asleep forever"),
            sign(
                any(|it| it.is_wake() && !it.is_own_wake()),
                "up",
                "wake: asks for a poll",
            ),
            sign(
                any(|it| it.is_own_wake() && !it.is_stale()),
                "loop",
                "wake, same thread: asks for a poll",
            ),
            sign(any(Frame::is_stale), "cross", "wake that reaches nobody"),
            sign(any(|it| it.stolen.is_some()), "up", "steal"),
            sign(any(|it| it.put().is_some()), "put", "put into a queue"),
            sign(
                any(|it| it.event.what == What::Pending),
                "",
                "<b>Pending</b>: has to wait",
            ),
            sign(
                any(|it| it.event.what == What::Ready),
                "tick",
                "<b>Ready</b>: finished",
            ),
        ];
        let who = self.chips().map(|(name, chip)| {
            let mut lanes = self.beside.lanes.iter();
            let lane = lanes.find(|it| it.is == Kind::Task && it.name() == name);
            let said = lane.and_then(|it| it.header.split_once(": "));
            format!("<span>{chip} {}</span>", html(said.map_or("", |it| it.1)))
        });
        let used = signs.iter().filter(|sign| sign.is_used);
        let signs =
            used.map(|Sign { class, text, .. }| format!("<span class=\"{class}\">{text}</span>"));
        who.chain(signs).collect::<Vec<_>>().join(" ")
    }
}

/// What a mark in the lanes means.
struct Sign {
    is_used: bool,
    class: &'static str,
    text: &'static str,
}

/// In which of its places the future is, and what it has there.
fn memory(part: &Part, frame: &Frame) -> String {
    let mut places = part.places.iter().zip(&frame.state.places);
    let full = places.find(|it| !it.1.is_empty());
    full.map_or("nothing".to_owned(), |(it, _)| {
        let has = it.shows.as_deref().unwrap_or_default();
        format!("<b>{}</b> <span>{has}</span>", it.header)
    })
}
