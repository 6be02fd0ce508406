//! The figure of a player: the lanes, and the list of the steps, which `book/src/pictures/player.js` shows. The script computes nothing.

use probe::What;
use serde_json::json;

use crate::{
    beside::{Beside, Kind},
    figure::figure,
    listing::{Listing, Mark},
    player::{
        Player, lanes,
        part::{Part, Step},
    },
    run::{frame::Frame, queue::Queue},
    text::{capital, escaped, html, number_of},
};

impl Player {
    /// The names of all futures, between backticks, each with its colour and shape.
    fn chips(&self) -> impl Iterator<Item = (String, String)> {
        self.tasks.iter().map(|name| {
            let (class, text) = (self.class(name).unwrap_or_default(), escaped(name));
            let chip = format!("<b class=\"task {class}\">{text}</b>");
            (format!("`{name}`"), chip)
        })
    }

    /// What happens in a step, and in which part.
    fn frames(&self, step: &Step) -> impl Iterator<Item = (&Part, &Frame)> {
        step.frames.iter().map(|happens| {
            let part = &self.parts[happens.part];
            (part, &part.frames[happens.frame])
        })
    }

    /// What a step does, with the name of its run if there are several. In it, the names of futures are chips.
    fn sentence(&self, step: &Step) -> String {
        let mut of_each: Vec<(&str, String)> = Vec::new();
        for (part, frame) in self.frames(step) {
            of_each.push((&part.label, self.told(part, frame)));
        }
        if let [(label, one), (_, other)] = &mut of_each[..] {
            if one == other {
                *label = "both";
                of_each.truncate(1);
            }
        }
        let mut lines = Vec::new();
        for (label, text) in of_each {
            lines.push(match label {
                "" => capital(&text),
                label => format!("<i>{label}</i>: {text}"),
            });
        }
        self.with_chips(lines.join("<br>"))
    }

    /// What happens in one of the runs. It is red where the run is lost.
    fn told(&self, part: &Part, frame: &Frame) -> String {
        let red = |text: &str| format!("<span class=\"fatal\">{text}</span>");
        let text = html(&frame.text);
        if !part.label.is_empty() && self.decides(frame) {
            let words = html(&self.beside.decides.words);
            format!("{text}: {}", red(&words))
        } else if frame.is_forever() {
            red(&text)
        } else {
            text
        }
    }

    /// What is said after the last step, with a link to the one that decided.
    fn end(&self) -> String {
        let end = &self.beside.end;
        if end.is_empty() {
            return String::new();
        }
        let (name, number) = (&self.name, self.first() + 1);
        let link = format!("<a href=\"#see:{name}:{number}\">step {number}</a>");
        let end = self.with_chips(html(end)).replace("{step}", &link);
        format!("<p class=\"end\">{end}</p>")
    }

    /// The number of the step that decides, from 0.
    fn first(&self) -> usize {
        let decides = |step: &Step| self.frames(step).any(|(_, frame)| self.decides(frame));
        self.steps.iter().position(decides).unwrap_or(0)
    }

    /// In it, the names of futures are chips.
    fn with_chips(&self, text: String) -> String {
        let chips = self.chips();
        chips.fold(text, |text, (code, chip)| text.replace(&html(&code), &chip))
    }

    /// The line at work in each step. A place that the listing has not is left out: [`faults`](Self::faults) tells it.
    fn lines(&self) -> Vec<Option<Mark>> {
        let listing = Listing::read(&self.beside.listing);
        let line_of = |frame: &Frame| {
            // What is done to a word has its line in the recording, if the listing shows that one. Of an unlock, that is
            // where the lock was taken.
            let is_unlock = matches!(frame.event.what, What::Unlock { .. });
            let recorded = frame.event.place.split_once(": ");
            let recorded = recorded.filter(|_| !is_unlock);
            let recorded = recorded.and_then(|(_, code)| listing.with_code(code));
            recorded.or_else(|| listing.find(frame.of(&self.beside.lines)?).ok())
        };
        let line = |step| self.frames(step).find_map(|(_, frame)| line_of(frame));
        self.steps.iter().map(line).collect()
    }

    /// What the script needs: the step that is shown first, and for each step its place, its line, and whether it is a wake.
    fn data(&self) -> String {
        let mut lines = Vec::new();
        // Before the first step, nothing has happened.
        let mut steps = vec![[0, -1, 0]];
        for (step, line) in self.steps.iter().zip(self.lines()) {
            let line = line.map_or(-1, |line| number_of(&mut lines, line) as i64);
            let is_wake = self.frames(step).any(|(_, frame)| frame.wake().is_some());
            steps.push([(step.x * 10.0).round() as i64, line, is_wake.into()]);
        }
        let mut times = Vec::new();
        // Two runs have no common time.
        if self.parts.len() == 1 {
            for step in &self.steps {
                times.push(format!(", {:.2} ms", step.at as f64 / 1e6));
            }
        }
        let mut data =
            json!({ "first": self.first(), "lines": lines, "at": times, "steps": steps });
        if self.beside.memory {
            let frames = self.steps.iter().flat_map(|step| self.frames(step));
            data["memory"] = frames.map(|(part, frame)| memory(part, frame)).collect();
        }
        data.to_string()
    }

    pub(crate) fn to_html(&self) -> String {
        let items = self.steps.iter().map(|step| self.sentence(step));
        let items: String = items.map(|item| format!("<li>{item}</li>\n")).collect();
        let more = match self.parts.iter().map(|part| part.run.left_out).sum() {
            0 => String::new(),
            left_out => format!("<p>And so on, {left_out} more.</p>"),
        };
        let (lanes, key, count) = (lanes::draw(self), self.key(), self.steps.len());
        let body = format!(
            "{lanes}\n<p class=\"key\">{key}</p>\n\
             <details><summary>The same in words: {count} steps</summary><ol>\n{items}</ol>{more}{}</details>",
            self.end()
        );
        let Beside {
            title,
            memory,
            caption,
            listing,
            ..
        } = &self.beside;
        let caption = match &**caption {
            "" => String::new(),
            caption => format!("*{title}.* {caption}"),
        };
        let html = figure(
            "player",
            [&self.name, &body, &self.data(), &caption],
            listing,
        );
        let class = if *memory { "player code" } else { "player" };
        html.replacen("player", class, 1)
    }

    /// What each future is, and what the marks in the lanes mean.
    fn key(&self) -> String {
        let mut entries = Vec::new();
        for (name, chip) in self.chips() {
            let mut lanes = self.beside.lanes.iter();
            let lane = lanes.find(|lane| lane.is == Kind::Task && lane.name() == name);
            let explained = lane.and_then(|lane| lane.header.split_once(": "));
            let meaning = explained.map_or("", |(_, meaning)| meaning);
            entries.push(format!("<span>{chip} {}</span>", html(meaning)));
        }
        for Sign { class, text, .. } in self.signs().iter().filter(|sign| sign.is_used) {
            entries.push(format!("<span class=\"{class}\">{text}</span>"));
        }
        entries.join(" ")
    }

    fn signs(&self) -> [Sign; 13] {
        let has_queue = self
            .beside
            .lanes
            .iter()
            .any(|lane| Queue::of(lane).is_some());
        let any = |is: fn(&Frame) -> bool| {
            let mut frames = self.parts.iter().flat_map(|part| &part.frames);
            frames.any(is)
        };
        let is_asleep = |frame: &Frame| frame.state.threads.values().any(|thread| thread.asleep);
        let sign = |is_used, class, text| Sign {
            is_used,
            class,
            text,
        };
        [
            sign(true, "box", "poll: runs a future until it ends or waits"),
            sign(has_queue, "strip", "in a queue"),
            sign(true, "thick", "thread awake"),
            sign(any(is_asleep), "dotted", "asleep"),
            sign(any(Frame::is_forever), "forever", "asleep forever"),
            sign(
                any(|frame| frame.wake().is_some() && !frame.is_own_wake()),
                "up",
                "wake: asks for a poll",
            ),
            sign(
                any(|frame| frame.is_own_wake() && !frame.is_stale()),
                "loop",
                "wake, same thread: asks for a poll",
            ),
            sign(any(Frame::is_stale), "cross", "wake that reaches nobody"),
            sign(any(Frame::is_steal), "up", "steal"),
            sign(
                any(|frame| frame.put().is_some()),
                "put",
                "put into a queue",
            ),
            sign(
                any(|frame| frame.raised().next().is_some()),
                "put",
                "set by the thread",
            ),
            sign(
                any(|frame| frame.event.what == What::Pending),
                "pending",
                "<b>Pending</b>: has to wait",
            ),
            sign(
                any(|frame| frame.event.what == What::Ready),
                "tick",
                "<b>Ready</b>: finished",
            ),
        ]
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
    match places.find(|(_, there)| !there.is_empty()) {
        None => "nothing".to_owned(),
        Some((place, _)) => {
            let has = place.shows.as_deref().unwrap_or_default();
            format!("<b>{}</b> <span>{has}</span>", place.header)
        }
    }
}
