//! Two runs on one axis: time goes to the right, and each thread has a lane.
//!
//! This shows how long a thing lasts, where `lanes.rs` shows in which order things happen.

use std::{collections::BTreeMap, time::Duration};

use probe::{Event, What};

use crate::{
    canvas::{Canvas, Rect},
    figure::{Figure, Words},
    legend::{self, Entry, Key},
    run::Run,
};

/// A picture of two runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The name of its file.
    name: &'static str,
    /// What it is, in a few words.
    title: &'static str,
    /// What to see in it.
    caption: &'static str,
    /// The names of the runs, and what stands above each.
    runs: [(&'static str, &'static str); 2],
    /// From one mark of the axis to the next, in milliseconds.
    step: u16,
}

pub(crate) const ALL: &[Times] = &[
    Times {
        name: "run-01-times",
        title: "Checking every 50 ms and being woken, on one time axis",
        caption: "In both runs, the data is sent at the same time. The thread that checks the socket finds it at its next \
                  check; the run loop is woken by the data itself.",
        runs: [
            ("run-01-looking", "Checking"),
            ("run-01-told", "Being woken"),
        ],
        step: 50,
    },
    Times {
        name: "run-02-times",
        title: "Two timers side by side and one after the other, on one time axis",
        caption: "A timer's thread starts when the timer is first polled. `Join` polls both at once, so the two waits \
                  overlap. `AndThen` doesn't poll `b` until `a` is ready, so they add up.",
        runs: [("run-02-join", "Join"), ("run-02-and-then", "AndThen")],
        step: 10,
    },
];

/// The thread whose data the runs wait for, if they do.
const PEER: &str = "peer";
const LEFT: f32 = 92.0;
const RIGHT: f32 = 384.0;
const HEADER: f32 = 28.0;
const LANE: f32 = 30.0;

impl Times {
    /// Draws it.
    pub(crate) fn figure(&self, runs: &[Run]) -> Figure {
        let runs = self.runs.map(|(name, _)| {
            let run = runs.iter().find(|run| run.name == name);
            let run = run.unwrap_or_else(|| panic!("book/recordings/{name}.json is missing"));
            Spans::of(run)
        });
        let end = runs.iter().map(|it| it.end).fold(0.0, f32::max);
        let scale = (RIGHT - LEFT) / end.max(1.0);
        let x = |at: f32| LEFT + at * scale;
        let data = runs[0].data;
        let top = if data.is_some() { 24.0 } else { 4.0 };
        let lanes = runs.iter().map(|it| it.waits.len() + 1);
        let bottom = lanes.fold(top, |y, lanes| y + HEADER + LANE * count(lanes));
        let legend = legend(&runs);
        let mut canvas = Canvas::new(bottom + 34.0 + legend::height(&legend));
        let (mut y, mut sentences) = (top, Vec::new());
        for (run, (_, title)) in runs.iter().zip(self.runs) {
            let sentence = run.sentence();
            canvas.text((8.0, y + 19.0), &format!("*{title}*: {sentence}"));
            sentences.push(format!("{title}: {sentence}. {}", run.words()));
            y = run.draw(&mut canvas, y + HEADER, x);
        }
        if let Some(at) = data {
            canvas.text_around((x(at).min(RIGHT - 44.0), 15.0), "the data is sent");
            canvas.line("dash", (x(at), 20.0), (x(at), bottom));
        }
        canvas.line("", (LEFT, bottom), (RIGHT, bottom));
        for at in (0..)
            .map(|it| f32::from(self.step) * count(it))
            .take_while(|at| *at <= end)
        {
            canvas.line("", (x(at), bottom), (x(at), bottom + 5.0));
            canvas.text_around((x(at), bottom + 19.0), &format!("{at:.0}"));
        }
        canvas.text_to((LEFT - 14.0, bottom + 19.0), "ms");
        legend::draw(&mut canvas, &legend, bottom + 24.0);
        Figure {
            words: Words {
                name: self.name.to_owned(),
                title: self.title.to_owned(),
                caption: self.caption.to_owned(),
                description:
                    "Time goes to the right. The list below the picture has the same in words."
                        .to_owned(),
            },
            sentences,
            canvas,
        }
    }
}

/// A run as far as its time goes.
struct Spans {
    /// The thread that polls.
    main: String,
    /// When it polled, and whether there was an output.
    polls: Vec<(f32, bool)>,
    /// A thread that waits, since when, and when it wakes.
    waits: Vec<(String, f32, f32)>,
    /// When the data is sent.
    data: Option<f32>,
    end: f32,
}

impl Spans {
    fn of(run: &Run) -> Spans {
        let recording = &run.recording;
        let at = |event: &Event| Duration::from_nanos(event.at).as_secs_f32() * 1e3;
        let thread = |event: &Event| run.thread(event.thread);
        let (mut spans, mut polling, mut started) = (
            Spans {
                main: recording
                    .threads
                    .first()
                    .map_or_else(String::new, |it| it.name.clone()),
                polls: Vec::new(),
                waits: Vec::new(),
                data: None,
                end: 0.0,
            },
            Vec::new(),
            BTreeMap::new(),
        );
        for event in &recording.events {
            match event.what {
                What::Spawn if thread(event) == PEER => spans.data = Some(at(event)),
                What::Poll { .. } => {
                    started.entry(event.task).or_insert(at(event));
                    polling.push(at(event));
                }
                // The outermost future's answer is that of the whole poll.
                What::Pending | What::Ready => {
                    if let (Some(begin), true) = (polling.pop(), polling.is_empty()) {
                        spans.polls.push((begin, event.what == What::Ready));
                        spans.end = spans.end.max(at(event));
                    }
                }
                What::Wake { .. } => {
                    let since = started.get(&event.task).copied().unwrap_or_default();
                    spans
                        .waits
                        .push((thread(event).to_owned(), since, at(event)));
                }
                _ => {}
            }
        }
        spans
    }

    fn found(&self) -> Option<f32> {
        self.polls.iter().find(|it| it.1).map(|it| it.0)
    }

    /// What to read off it.
    fn sentence(&self) -> String {
        match (self.data, self.found()) {
            (Some(data), Some(found)) if found - data < 1.0 => "found in less than 1 ms".to_owned(),
            (Some(data), Some(found)) => format!("found {:.0} ms late", found - data),
            (None, Some(found)) => format!("ready after {found:.0} ms"),
            _ => "not ready".to_owned(),
        }
    }

    /// All of it, for those who can't see it.
    fn words(&self) -> String {
        let polls = self.polls.iter().map(|(at, _)| format!("{at:.0}"));
        let mut words = format!("Polls at {} ms.", polls.collect::<Vec<_>>().join(", "));
        for (thread, from, to) in &self.waits {
            words +=
                &format!(" The thread {thread} waits from {from:.0} to {to:.0} ms, and wakes.");
        }
        if let Some(data) = self.data {
            words += &format!(" The data is sent at {data:.0} ms.");
        }
        words
    }

    /// Draws the lanes from `y` on, and returns where they end.
    fn draw(&self, canvas: &mut Canvas, y: f32, x: impl Fn(f32) -> f32) -> f32 {
        let main = y + LANE / 2.0;
        let lane = |canvas: &mut Canvas, y: f32, name: &str| {
            canvas.text((16.0, y + 4.5), name);
            canvas.line("dots", (LEFT, y), (RIGHT, y));
        };
        lane(canvas, main, &self.main);
        if let (Some(from), Some(to)) = (self.data, self.found()) {
            let (from, to) = (x(from), x(to));
            canvas.rect(
                "late",
                Rect {
                    x: from,
                    y: y + 2.0,
                    w: to - from,
                    h: LANE - 4.0,
                },
            );
        }
        for ((thread, from, to), number) in self.waits.iter().zip(1..) {
            let y = main + LANE * count(number);
            lane(canvas, y, thread);
            let (from, to) = (x(*from), x(*to));
            canvas.rect(
                "held",
                Rect {
                    x: from,
                    y: y - 5.0,
                    w: to - from,
                    h: 10.0,
                },
            );
            canvas.arrow("wake", (to, y - 5.0), (to, main + 9.0));
        }
        for (at, found) in &self.polls {
            let class = if *found { "poll" } else { "hole" };
            canvas.rect(
                class,
                Rect {
                    x: x(*at) - 2.5,
                    y: main - 8.0,
                    w: 5.0,
                    h: 16.0,
                },
            );
        }
        y + LANE * count(self.waits.len() + 1)
    }
}

fn legend(runs: &[Spans]) -> Vec<Entry> {
    let late = runs.iter().any(|it| it.data.is_some());
    let mut legend = vec![
        (Key::Strip("hole", 5.0), "poll: pending"),
        (Key::Strip("poll", 5.0), "poll: ready"),
        (Key::Strip("held", 18.0), "thread waits"),
        (Key::Arrow("wake"), "*wake*"),
    ];
    if late {
        legend.push((Key::Strip("late", 18.0), "data unnoticed"));
    }
    legend
}

fn count(number: usize) -> f32 {
    u16::try_from(number).map_or(0.0, f32::from)
}
