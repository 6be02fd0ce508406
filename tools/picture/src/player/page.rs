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
        if self.is_lost(part, frame) {
            let words = html(&self.beside.decides.words);
            format!("{text}: {}", red(&words))
        } else if frame.is_forever() {
            red(&text)
        } else {
            text
        }
    }

    /// What is said after the last step: what went wrong, at which step and in which line, and the cure.
    fn end(&self) -> String {
        let beside = &self.beside;
        if beside.end.is_empty() {
            return String::new();
        }
        let number = self.first() + 1;
        let link = format!("<a href=\"#see:{}:{number}\">step {number}</a>", self.name);
        let place = format!("{link} {}", self.code_at(&beside.decides.step));
        let cure = format!(
            "{} {}",
            self.with_chips(html(&beside.cure)),
            self.code_at(&beside.instead.step)
        );
        let mut rows = vec![
            ("What", self.with_chips(html(&beside.end))),
            ("Where", place),
        ];
        if !beside.cure.is_empty() {
            rows.push(("Cure", cure));
        }
        if !beside.otherwise.is_empty() {
            rows.push(("If not", self.with_chips(html(&beside.otherwise))));
        }
        let row = |(name, what)| format!("<span class=\"row\"><b>{name}</b> {what}</span>");
        let rows: String = rows.into_iter().map(row).collect();
        format!("<p class=\"end\">{rows}</p>")
    }

    /// The line of a step that `players.toml` names.
    fn code_at(&self, step: &String) -> String {
        let listing = Listing::read(&self.beside.listing);
        let mut frames = self.parts.iter().flat_map(|part| &part.frames);
        let frame = frames.find(|frame| frame.keys.contains(step));
        let line = frame.and_then(|frame| self.line(&listing, frame));
        let code = line.map(|line| escaped(&listing.code(line)));
        code.map_or(String::new(), |code| format!("<code>{code}</code>"))
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

    /// The line at work. A place that the listing has not is left out: [`faults`](Self::faults) tells it.
    pub(super) fn line(&self, listing: &Listing, frame: &Frame) -> Option<Mark> {
        let said = frame.of(&self.beside.lines);
        let exactly = self.beside.lines.get(&frame.deed.to_string());
        let find = |place: Option<&String>| listing.find(place?).ok();
        // What is done to a word has its line in the recording, if the listing shows that one. Of an unlock, that is
        // where the lock was taken.
        let is_unlock = matches!(frame.event.what, What::Unlock { .. });
        let recorded = frame.event.place.split_once(": ");
        let recorded = recorded.filter(|_| !is_unlock);
        let recorded = recorded.and_then(|(_, code)| listing.with_code(code));
        find(exactly).or(recorded).or_else(|| find(said))
    }

    /// The lines at work in a step, each with the name of its run if there are several.
    fn lines(&self, step: &Step) -> Vec<(&str, Mark)> {
        let listing = Listing::read(&self.beside.listing);
        let mut lines = Vec::new();
        for (part, frame) in self.frames(step) {
            let line = self.line(&listing, frame);
            lines.extend(line.map(|line| (&*part.label, line)));
        }
        if let [(label, one), (_, other)] = &mut lines[..] {
            if one == other {
                *label = "both";
                lines.truncate(1);
            }
        }
        lines
    }

    /// What the script needs: the step that is shown first, and for each step its place, its lines, and whether it is a wake.
    fn data(&self) -> String {
        let mut lines = Vec::new();
        // Before the first step, nothing has happened.
        let mut steps = vec![json!([0, [], 0])];
        for step in &self.steps {
            let its = self.lines(step).into_iter();
            let its: Vec<usize> = its.map(|line| number_of(&mut lines, line)).collect();
            let is_wake = self.frames(step).any(|(_, frame)| frame.wake().is_some());
            let x = (step.x * 10.0).round() as i64;
            steps.push(json!([x, its, u8::from(is_wake)]));
        }
        let mut times = Vec::new();
        // Two runs have no common time. That of one is its own, also after a pause for what is written there.
        if self.parts.len() == 1 {
            for (_, frame) in self.steps.iter().flat_map(|step| self.frames(step)) {
                times.push(format!(", {:.2} ms", frame.event.at as f64 / 1e6));
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

    fn signs(&self) -> [Sign; 14] {
        let has_queue = self
            .beside
            .lanes
            .iter()
            .any(|lane| Queue::of(lane).is_some());
        let any = |is: fn(&Frame) -> bool| {
            let mut frames = self.parts.iter().flat_map(|part| &part.frames);
            frames.any(is)
        };
        let mut all = self.parts.iter().flat_map(|part| &part.frames);
        let is_wasted = all.any(|frame| self.is_wasted(frame));
        // Only a bit with a lane has an arrow that leads to it.
        let has_lane = |name: &str| {
            let mut bits = self.beside.lanes.iter().flat_map(|lane| &lane.of);
            bits.any(|bit| bit.split_once(": ").is_some_and(|(bit, _)| bit == name))
        };
        let mut all = self.parts.iter().flat_map(|part| &part.frames);
        let is_set = all.any(|frame| frame.raised().any(has_lane));
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
            sign(is_wasted, "cross", "wake that reaches nobody"),
            sign(any(Frame::is_steal), "up", "steal"),
            sign(
                any(|frame| frame.put().is_some()),
                "put",
                "put into a queue",
            ),
            sign(is_set, "put", "set by the thread"),
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
            sign(true, "", "time: not to scale"),
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
