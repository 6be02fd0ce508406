//! The lanes of a run: time goes to the right, each thread and each queue has a lane, and steps are as far apart as it takes to
//! see each. They are the still picture, and the player's scrubber.
//!
//! Across, everything is in percent, so that the picture takes the width there is and its text keeps its size.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    frame::Frame,
    player::{Part, Player},
    run::{Kind, named},
    state::End,
    steps::Step,
    text::escaped,
};

const LANE: f32 = 32.0;
/// The height of one task in a queue.
const SLOT: f32 = 9.0;
const LEFT: f32 = 1.5;
const WIDTH: f32 = 97.0;
/// How much of the width is pauses, beside the room that each step has.
const PAUSES: f32 = 0.7;

/// Where each step is, in percent of the width.
pub(crate) fn places(steps: &[Step]) -> Vec<f32> {
    let gap = |pair: &[Step]| (pair[1].at - pair[0].at) as f32;
    let all: f32 = steps.windows(2).map(gap).sum();
    let count = steps.len() as f32;
    let mut places = vec![0.0];
    for pair in steps.windows(2) {
        let pause = gap(pair) / all.max(1.0) * PAUSES * count;
        places.push(places[places.len() - 1] + 1.0 + pause);
    }
    let last = places[places.len() - 1] + 1.0;
    places.iter().map(|it| LEFT + it / last * WIDTH).collect()
}

/// Where a moment is if time is to scale, and the end is at this one.
fn to_scale(at: u64, end: u64) -> f32 {
    LEFT + at as f32 / end.max(1) as f32 * 92.0
}

/// The names of the lanes, and beside them the lanes.
pub(crate) fn draw(player: &Player) -> String {
    let mut picture = Picture::default();
    for (number, part) in player.parts.iter().enumerate() {
        let places: Vec<f32> = match player.to_scale() {
            // A poll would be too short to be seen.
            Some(end) => (part.frames.iter())
                .scan(0.0_f32, |free, frame| {
                    let place = to_scale(frame.event.at, end).max(*free);
                    let is_poll = matches!(frame.event.what, What::Poll { .. });
                    *free = place + if is_poll { 1.6 } else { 0.3 };
                    Some(place)
                })
                .collect(),
            None => (player.steps.iter().zip(&player.places))
                .filter(|(step, _)| step.frames.iter().any(|it| it.0 == number))
                .map(|(_, place)| *place)
                .collect(),
        };
        if player.parts.len() > 1 {
            picture.heading(&part.label);
            if let ([_, _, _, ..], Some(last)) = (&player.parts[..], part.frames.last()) {
                let polls: u32 = last.state.tasks.values().map(|it| it.polls).sum();
                let y = picture.y - 6.0;
                picture.text("at first", LEFT, y, &format!("{polls} polls"));
            }
        }
        picture.part(player, part, &places);
    }
    picture.axis(player);
    let height = picture.y + 18.0;
    let (title, description) = (
        format!("picture-{}-title", player.name),
        format!("picture-{}-desc", player.name),
    );
    format!(
        "<div class=\"lanes\"><svg class=\"names\" aria-hidden=\"true\" height=\"{height}\">{}</svg>\
         <svg class=\"time\" role=\"img\" aria-labelledby=\"{title} {description}\" height=\"{height}\">\
         <title id=\"{title}\">{}</title><desc id=\"{description}\">Time goes to the right. Lanes, from above: {}. The list \
         below has the steps.</desc>{}</svg></div>",
        picture.names,
        player.title,
        picture.lanes.join(", "),
        picture.shapes
    )
}

/// Whether this future polls others.
fn frames_inside(part: &Part, task: u32) -> bool {
    let mut threads = part.frames.iter().flat_map(|it| it.state.threads.values());
    threads.any(|it| it.polls.len() > 1 && it.polls[0] == task)
}

#[derive(Default)]
struct Picture {
    names: String,
    shapes: String,
    lanes: Vec<String>,
    y: f32,
}

impl Picture {
    fn heading(&mut self, text: &str) {
        let y = self.y + 16.0;
        self.add_name(&format!("<text class=\"bold\" y=\"{y}\">{text}</text>"));
        self.y += 22.0;
    }

    fn add_name(&mut self, svg: &str) {
        self.names += svg;
    }

    fn rect(&mut self, class: &str, (from, to): (f32, f32), y: f32, height: f32) {
        let width = to - from;
        self.shapes += &format!(
            "<rect class=\"{class}\" x=\"{from:.1}%\" y=\"{y:.0}\" width=\"{width:.1}%\" height=\"{height:.0}\"/>"
        );
    }

    fn text(&mut self, class: &str, x: f32, y: f32, text: &str) {
        self.shapes += &format!("<text class=\"{class}\" x=\"{x:.1}%\" y=\"{y:.0}\">{text}</text>");
    }

    /// A line up or down, with a head.
    fn arrow(&mut self, class: &str, x: f32, from: f32, to: f32) {
        let side = if to > from { -1.0 } else { 1.0 };
        self.shapes += &format!(
            "<line class=\"line halo\" x1=\"{x:.1}%\" x2=\"{x:.1}%\" y1=\"{from:.0}\" y2=\"{:.0}\"/>\
             <line class=\"line {class}\" x1=\"{x:.1}%\" x2=\"{x:.1}%\" y1=\"{from:.0}\" y2=\"{:.0}\"/>\
             <svg x=\"{x:.1}%\" y=\"{to:.0}\"><path class=\"head {class}\" d=\"M0 0L-5 {2}L5 {2}z\"/></svg>",
            to + side * 10.0,
            to + side * 8.0,
            side * 9.0
        );
    }

    fn part(&mut self, player: &Player, part: &Part, places: &[f32]) {
        let (run, frames) = (&part.run, &part.frames);
        let (Some(last), Some(own)) = (player.places.last(), places.last()) else {
            return;
        };
        let end = match player.to_scale() {
            Some(_) => own + 0.6,
            None => last + (100.0 - last) / 2.0,
        };
        let part_top = self.y;
        let mut of_queue = BTreeMap::new();
        let mut of_thread = BTreeMap::new();
        for (number, place) in part.places.iter().enumerate() {
            let there = |frame: &Frame| {
                let there = frame.state.places[number].iter();
                there.map(|it| it.0.unwrap_or(0)).collect()
            };
            let name = named(&place.header).0;
            let top = self.y;
            self.queue(player, part, places, end, there);
            self.lane_name(name.to_owned(), top);
        }
        for (place, lane) in run.lanes.iter().enumerate() {
            let top = self.y;
            if lane.kind.is_queue() {
                of_queue.insert(place, top + 4.0);
                let there =
                    |frame: &Frame| frame.state.queues.get(&place).cloned().unwrap_or_default();
                self.queue(player, part, places, end, there);
            } else if lane.kind == Kind::Thread {
                let thread = run
                    .recording
                    .threads
                    .iter()
                    .find(|it| it.name == lane.name());
                let Some(thread) = thread else { continue };
                self.y += LANE;
                of_thread.insert(thread.id, top + LANE / 2.0);
                self.thread(player, part, places, (thread.id, end));
            } else {
                continue;
            }
            self.lane_name(escaped(lane.short()), top);
        }
        for (frame, x) in frames.iter().zip(places) {
            if frame.is_data() {
                let y = of_thread.get(&frame.event.thread).copied();
                self.data(*x, part_top + 2.0, y.unwrap_or(self.y));
            }
            self.arrows(frame, *x, &of_queue, &of_thread);
        }
    }

    /// The data is sent, from which moment the first thread could find it.
    fn data(&mut self, x: f32, from: f32, to: f32) {
        self.shapes += &format!(
            "<line class=\"line dash\" x1=\"{x:.1}%\" x2=\"{x:.1}%\" y1=\"{from:.0}\" y2=\"{to:.0}\"/>"
        );
        self.text("at left", x - 0.8, to + 4.0, "the data is sent");
    }

    fn lane_name(&mut self, name: String, top: f32) {
        let y = (top + self.y) / 2.0 + 4.0;
        self.add_name(&format!("<text y=\"{y:.0}\">{name}</text>"));
        self.lanes.push(name);
    }

    /// A lane with a strip for each task in it. 0 is a thread in the place of a task.
    fn queue(
        &mut self,
        player: &Player,
        part: &Part,
        places: &[f32],
        end: f32,
        there: impl Fn(&Frame) -> Vec<u32>,
    ) {
        let states = || part.frames.iter().map(&there);
        let most = states().map(|it| it.len()).max().unwrap_or(0).max(1) as f32;
        self.rect("queue", (0.0, 100.0), self.y + 2.0, SLOT * most + 5.0);
        let first = self.y + 4.5;
        self.y += SLOT * most + 10.0;
        let ends = places.iter().copied().skip(1).chain([end]);
        // What stays where it is from one step to the next is one strip.
        let mut open: Vec<(u32, usize, f32, f32)> = Vec::new();
        for ((there, from), to) in states().zip(places).zip(ends) {
            let mut next = Vec::new();
            for (slot, task) in there.into_iter().enumerate() {
                let before = open.iter().position(|it| (it.0, it.1) == (task, slot));
                let since = before.map_or(*from, |it| open.remove(it).2);
                next.push((task, slot, since, to));
            }
            for (task, slot, since, to) in open.drain(..) {
                self.slot(player, part, task, first + SLOT * slot as f32, (since, to));
            }
            open = next;
        }
        for (task, slot, since, to) in open {
            self.slot(player, part, task, first + SLOT * slot as f32, (since, to));
        }
    }

    fn slot(&mut self, player: &Player, part: &Part, task: u32, y: f32, span: (f32, f32)) {
        let class = match task {
            0 => "in".to_owned(),
            task => format!("in t{}", player.colour(part, task)),
        };
        self.rect(&class, span, y, SLOT - 1.0);
    }

    fn thread(&mut self, player: &Player, part: &Part, places: &[f32], (thread, end): (u32, f32)) {
        let middle = self.y - LANE / 2.0;
        self.shapes += &format!(
            "<line class=\"line dots\" x1=\"0\" x2=\"100%\" y1=\"{middle}\" y2=\"{middle}\"/>"
        );
        let is_first = part
            .run
            .recording
            .threads
            .first()
            .is_some_and(|it| it.id == thread);
        let mut since = is_first.then_some(0.0);
        let mut polls: Vec<(u32, f32)> = Vec::new();
        let own = || {
            part.frames
                .iter()
                .zip(places)
                .filter(|it| it.0.event.thread == thread)
        };
        let frames = || part.frames.iter().zip(places);
        // A thread that checks does not notice at once that the data is there.
        let sent = frames().find(|it| is_first && part.checks() && it.0.is_data());
        let sent = sent.map_or(f32::INFINITY, |it| *it.1);
        let found = |it: &(&Frame, &f32)| *it.1 > sent && it.0.event.what == What::Ready;
        if let Some((_, found)) = frames().find(found) {
            self.rect("late", (sent, *found), middle - 14.0, 28.0);
        }
        let mut sleeps = Vec::new();
        for (frame, x) in own() {
            if frame.event.what != What::Park {
                since.get_or_insert(*x);
                continue;
            }
            let ends = own().map(|it| *it.1).find(|it| it > x);
            if frame.state.threads[&thread].polls.is_empty() {
                sleeps.push((*x, ends.unwrap_or(100.0)));
            }
            if let Some(since) = since.take() {
                self.rect("awake", (since, *x), middle - 2.0, 4.0);
            }
        }
        // Where there is room for the word.
        for (from, to) in sleeps {
            if to - from > 20.0 && !(from..to).contains(&sent) {
                self.text("at", (from + to) / 2.0, middle + 4.0, "asleep");
            }
        }
        if let (Some(since), Some((_, latest))) = (since, own().next_back()) {
            let to = if is_first { end } else { latest + 0.6 };
            self.rect("awake", (since, to), middle - 2.0, 4.0);
        }
        // What a thread that only wakes has waited for began with the first poll of that task.
        let wakes = own().filter(|it| player.to_scale().is_some() && it.0.is_wake(false));
        for (frame, x) in wakes {
            let first = frames().find(|it| {
                it.0.event.task == frame.event.task && matches!(it.0.event.what, What::Poll { .. })
            });
            if let Some((_, from)) = first {
                self.rect("held", (*from, *x), middle - 5.0, 10.0);
            }
        }
        let mut bars = Vec::new();
        for (frame, x) in own() {
            match frame.event.what {
                What::Poll { .. } => polls.extend(frame.event.task.map(|it| (it, *x))),
                What::Pending | What::Ready | What::Panic => {
                    let depth = polls.len();
                    if let Some((task, since)) = polls.pop() {
                        let end = frame.state.tasks.get(&task).and_then(|it| it.end);
                        bars.push((depth, task, (since, *x), end));
                    }
                }
                _ => {}
            }
        }
        let open = (1..).zip(polls);
        bars.extend(open.map(|(depth, (task, since))| (depth, task, (since, end), None)));
        // A poll inside another one is drawn inside it.
        bars.sort_by_key(|bar| bar.0);
        // Of a peer, which is no future, one sees the data.
        let thread = part.run.thread(thread);
        bars.retain(|bar| part.run.task(bar.1) != thread);
        for (depth, task, span, end) in bars {
            let colour = player.colour(part, task);
            let half = (14.0 - 4.0 * depth as f32).max(2.0);
            self.rect(&format!("poll t{colour}"), span, middle - half, 2.0 * half);
            let shape = ["●", "■", "▲", "◆", "★", "✚"][colour - 1];
            if depth == 1 && span.1 - span.0 > 2.2 && !frames_inside(part, task) {
                let of = own().filter(|it| (span.0..span.1).contains(it.1));
                let times = of.map(|it| match it.0.event.what {
                    What::Again { polls } => format!("{shape} \u{d7} {}", polls + 1),
                    _ => String::new(),
                });
                let text = times.max().filter(|it| !it.is_empty());
                let text = text.unwrap_or(shape.to_owned());
                self.text("shape", (span.0 + span.1) / 2.0, middle + 4.5, &text);
            }
            match end {
                Some(End::Ready) if depth == 1 => {
                    self.text("sign", span.1 + 0.3, middle + 4.0, "✓")
                }
                Some(End::Panicked | End::Dropped) => {
                    self.text("sign", span.1 + 0.3, middle + 4.0, "✗")
                }
                _ => {}
            }
        }
    }

    fn arrows(
        &mut self,
        frame: &Frame,
        x: f32,
        of_queue: &BTreeMap<usize, f32>,
        of_thread: &BTreeMap<u32, f32>,
    ) {
        let Some(from) = of_thread.get(&frame.event.thread) else {
            return;
        };
        if let Some((victim, count)) = frame.stolen {
            if let Some(y) = of_queue.get(&victim) {
                self.arrow("wake", x, y + SLOT, *from);
                let below = y + SLOT * (count + 1) as f32 + 6.0;
                self.text("at first", x + 1.2, below, &format!("steals {count}"));
            }
        }
        let Some(task) = frame.put().or(frame.event.task) else {
            return;
        };
        let is_wake = matches!(frame.event.what, What::Wake { .. });
        if !is_wake && frame.put().is_none() {
            return;
        }
        let class = if is_wake { "wake" } else { "" };
        let queue = frame
            .state
            .queues
            .iter()
            .find(|(_, tasks)| tasks.contains(&task));
        let queue = queue.filter(|_| !frame.is_wake(true));
        let queue = queue.and_then(|(queue, tasks)| {
            let slot = tasks.iter().position(|it| *it == task)? as f32;
            Some(of_queue.get(queue)? + SLOT * slot)
        });
        let poller = frame.state.tasks.get(&task).and_then(|it| it.poller);
        let poller = poller.and_then(|it| of_thread.get(&it)).copied();
        let Some(to) = queue.or(poller) else { return };
        let side = if *from > to { 1.0 } else { -1.0 };
        let inside = if queue.is_some() {
            SLOT * side
        } else {
            4.0 * side
        };
        if (from - to).abs() < 20.0 {
            self.text("sign", x, from - 6.0, "↻");
        } else {
            self.arrow(class, x, *from, to + inside);
        }
    }

    fn axis(&mut self, player: &Player) {
        let (mut shown, mut free) = (None, 0.0);
        let y = self.y + 13.0;
        if let Some(end) = player.to_scale() {
            let mark = if end > 100_000_000 { 50 } else { 10 };
            for at in (0..=end / 1_000_000).step_by(mark) {
                let (class, unit) = if at == 0 {
                    ("at first", " ms")
                } else {
                    ("at", "")
                };
                self.text(
                    class,
                    to_scale(at * 1_000_000, end),
                    y,
                    &format!("{at}{unit}"),
                );
            }
            return;
        }
        for (step, x) in player.steps.iter().zip(&player.places) {
            let at = (step.at + 500_000) / 1_000_000;
            if Some(at) == shown || *x < free {
                continue;
            }
            let text = if shown.is_none() {
                format!("{at} ms")
            } else {
                at.to_string()
            };
            self.text(
                if shown.is_none() { "at first" } else { "at" },
                *x,
                y,
                &text,
            );
            (shown, free) = (Some(at), x + 13.0);
        }
    }
}
