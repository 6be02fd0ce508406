//! A run of watched futures as a list of events, to play again or to draw.

use crate::event::What;

/// What [`record`](crate::record) has seen, in the order of time.
///
/// As JSON it is an object with these fields; an event is flat, as in
/// `{"at":5210,"thread":1,"task":1,"what":"poll","waker":1}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default))]
pub struct Recording {
    /// The watched futures, in the order in which they were first seen.
    pub tasks: Vec<Named>,
    /// The threads, in the order in which they were first seen: first the one that called [`record`](crate::record).
    pub threads: Vec<Named>,
    /// What happened.
    pub events: Vec<Event>,
    /// How many events there were beyond [`Recording::MOST_EVENTS`].
    pub left_out: u64,
    /// What the watchdog said when it ended the run, or nothing.
    pub report: String,
}

/// A task or a thread: its number, from 1, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Named {
    /// What events call it.
    pub id: u32,
    /// What people call it. A thread without a name has an empty one.
    pub name: String,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct Event {
    /// Nanoseconds since the recording began.
    pub at: u64,
    /// On which thread.
    pub thread: u32,
    /// To which task. `None` for what a thread does by itself.
    #[cfg_attr(feature = "serde", serde(default))]
    pub task: Option<u32>,
    /// What it was.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub what: What,
    /// For what is done to a lock, a condition variable or a word: the line of the source, as `FILE:LINE`. Else empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub place: String,
}

impl Recording {
    /// A future that is polled without end would otherwise fill the memory.
    pub const MOST_EVENTS: usize = 100_000;

    /// As JSON, each event on a line of its own.
    pub fn to_json(&self) -> String {
        let events: Vec<_> = self.events.iter().map(Event::to_json).collect();
        let report = match self.report.as_str() {
            "" => String::new(),
            text => format!(",\n\"report\":{}", quoted(text)),
        };
        format!(
            "{{\"tasks\":[{}],\n\"threads\":[{}],\n\"events\":[\n{}\n],\n\"left_out\":{}{report}}}",
            named(&self.tasks),
            named(&self.threads),
            events.join(",\n"),
            self.left_out
        )
    }

    /// The same run without [`What::Park`] and [`What::Unpark`], which differ in each run.
    pub fn without_parks(mut self) -> Self {
        self.events
            .retain(|event| !matches!(event.what, What::Park | What::Unpark));
        self
    }
}

fn named(list: &[Named]) -> String {
    let list = list.iter();
    let list = list.map(|it| format!("{{\"id\":{},\"name\":{}}}", it.id, quoted(&it.name)));
    list.collect::<Vec<_>>().join(",")
}

/// A string of JSON. Rust's `{:?}` is none, because it writes `\u{200b}` where JSON has `\u200b` or the character itself.
fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for it in text.chars() {
        match it {
            '"' | '\\' => json.extend(['\\', it]),
            '\0'..' ' => json += &format!("\\u{:04x}", u32::from(it)),
            _ => json.push(it),
        }
    }
    json + "\""
}

impl Event {
    fn to_json(&self) -> String {
        let (at, thread) = (self.at, self.thread);
        let task = self
            .task
            .map_or(String::new(), |it| format!(",\"task\":{it}"));
        // Such as `Wake { waker: 1, by_value: true, during: None }`.
        let text = format!("{:?}", self.what).replace("AfterReady", "_after_ready");
        let (name, fields) = text.split_once(" { ").unwrap_or((&text, ""));
        let mut what = format!("\"{}\"", name.to_lowercase());
        for (name, value) in fields.split(", ").filter_map(|it| it.split_once(": ")) {
            let value = value.trim_end_matches(" }");
            let value = value.trim_start_matches("Some(").trim_end_matches(')');
            if value != "None" {
                what += &format!(",\"{name}\":{value}");
            }
        }
        let place = match self.place.as_str() {
            "" => String::new(),
            place => format!(",\"place\":{}", quoted(place)),
        };
        format!("{{\"at\":{at},\"thread\":{thread}{task},\"what\":{what}{place}}}")
    }
}
