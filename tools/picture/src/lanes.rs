//! The lanes of a run: time goes to the right, each thread and each queue has a lane, and steps are as far apart as it takes to
//! see each. They are the still picture, and the player's scrubber.
//!
//! Across, everything is in percent, so that the picture takes the width there is and its text keeps its size.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    frame::Frame,
    player::{Part, Player},
    run::{Kind, Name, named},
    state::{State, Thread},
    steps::LEFT,
    svg::Picture,
    text::escaped,
};

const LANE: f32 = 32.0;
/// The height of one task in a queue.
const SLOT: f32 = 9.0;

/// The names of the lanes, and beside them the lanes.
pub(crate) fn draw(player: &Player) -> String {
    let mut picture = Picture::default();
    let last = player.steps.last().map_or(LEFT, |it| it.x);
    let end = last + (100.0 - last) / 2.0;
    for part in &player.parts {
        if player.parts.len() > 1 {
            picture.heading(&part.label);
        }
        Lanes { player, part, end }.draw(&mut picture);
    }
    // The axis: milliseconds, where there is room for the number.
    let (mut shown, mut free) = (None, 0.0);
    for step in &player.steps {
        let at = (step.at + 500_000) / 1_000_000;
        if shown != Some(at) && step.x >= free {
            let (class, unit) = shown.map_or(("at first", " ms"), |_| ("at", ""));
            picture.text(class, step.x, picture.y + 13.0, &format!("{at}{unit}"));
            (shown, free) = (Some(at), step.x + 13.0);
        }
    }
    picture.to_html(&player.name, &player.beside.title)
}

/// One of the player's runs.
struct Lanes<'a> {
    player: &'a Player,
    part: &'a Part,
    /// Where what has no end is cut off.
    end: f32,
}

/// What stays the same from one frame to the next.
struct Strip<'a, T> {
    what: T,
    frames: &'a [Frame],
    /// What ended it.
    end: Option<&'a Frame>,
    /// From where to where it is drawn.
    span: (f32, f32),
}

impl<'a> Lanes<'a> {
    fn draw(&self, picture: &mut Picture) {
        let (run, top) = (&self.part.run, picture.y);
        for (number, place) in self.part.places.iter().enumerate() {
            let name = named(&place.header).0.to_owned();
            self.queue(picture, name, |it| it.places.get(number));
        }
        let mut lanes = BTreeMap::new();
        for lane in &run.beside.lanes {
            let (name, short, y) = (lane.name(), escaped(lane.short()), picture.y);
            if lane.is.is_queue() {
                lanes.insert(name, y + 4.0);
                self.queue(picture, short, |it| it.queues.get(name));
            } else if lane.is == Kind::Thread && run.threads.contains(&name) {
                lanes.insert(name, y + LANE / 2.0);
                self.thread(picture, name);
                picture.lane(short, LANE);
            }
        }
        for frame in &self.part.frames {
            let from = lanes.get(frame.event.thread);
            if frame.is_data() {
                let (x, to) = (frame.x, *from.unwrap_or(&picture.y));
                picture.line("dash", x, top + 2.0, to);
                picture.text("at left", x - 0.8, to + 4.0, "the data is sent");
            }
            if let Some(from) = from {
                arrows(picture, frame, *from, &lanes);
            }
        }
    }

    /// What stays the same from one frame to the next is one strip.
    fn strips<T: Copy + Eq>(&self, of: impl Fn(&'a State) -> Option<T>) -> Vec<Strip<'a, T>> {
        let all = &self.part.frames;
        let items: Vec<Option<T>> = all.iter().map(|it| of(&it.state)).collect();
        let (mut strips, mut from) = (Vec::new(), 0);
        for chunk in items.chunk_by(PartialEq::eq) {
            let frames = &all[from..from + chunk.len()];
            from += chunk.len();
            let end = all.get(from);
            let span = (frames[0].x, end.map_or(self.end, |it| it.x));
            strips.extend(chunk[0].map(|what| Strip {
                what,
                frames,
                end,
                span,
            }));
        }
        strips
    }

    /// A lane with a strip for each task in it, or each thread.
    fn queue<Of>(&self, picture: &mut Picture, name: String, queue: Of)
    where
        Of: Fn(&'a State) -> Option<&'a Vec<Name>>,
    {
        let slots = (0..).map(|slot| self.strips(|state| queue(state)?.get(slot)));
        let slots: Vec<_> = slots.take_while(|it| !it.is_empty()).collect();
        let height = SLOT * slots.len().max(1) as f32 + 5.0;
        let (first, middle) = (picture.y + 8.5, picture.y + 2.0 + height / 2.0);
        picture.bar("queue", (0.0, 100.0), middle, height / 2.0);
        let mut strips = Vec::new();
        for (slot, its) in slots.into_iter().enumerate() {
            strips.extend(its.into_iter().map(|it| (slot as f32, it)));
        }
        strips.sort_by(|(_, one), (_, other)| one.span.1.total_cmp(&other.span.1));
        for (slot, strip) in strips {
            let number = self.player.number(strip.what);
            let class = number.map_or("in".to_owned(), |it| format!("in t{}", 1 + it % 6));
            picture.bar(&class, strip.span, first + SLOT * slot, (SLOT - 1.0) / 2.0);
        }
        picture.lane(name, height + 5.0);
    }

    fn thread(&self, picture: &mut Picture, thread: &str) {
        let (part, middle) = (self.part, picture.y + LANE / 2.0);
        let is_first = part.run.threads[0] == thread;
        let state = |state: &'a State| state.threads.get(thread);
        let frames = || part.frames.iter();
        picture.dots(middle);
        let mut awake = self.strips(|it| state(it).map_or(is_first, |it| !it.asleep).then_some(()));
        let begin = part.frames.first().map_or(0.0, |it| it.x);
        for strip in awake.iter_mut().filter(|it| is_first && it.span.0 == begin) {
            strip.span.0 = 0.0;
        }
        let (closed, open): (Vec<_>, Vec<_>) = awake.iter().partition(|it| it.end.is_some());
        for strip in closed {
            picture.bar("awake", strip.span, middle, 2.0);
        }
        let latest = frames().rfind(|it| it.event.thread == thread);
        // Where there is room for the word.
        let sleeps = |it: &&Thread| it.asleep && it.polls.is_empty();
        for strip in self.strips(|it| state(it).filter(sleeps).map(|_| ())) {
            let (from, to) = (strip.span.0, strip.end.map_or(100.0, |it| it.x));
            if latest.is_some_and(|it| strip.end.is_none() && it.is_forever()) {
                picture.bar("bad", (from, to), middle, 2.0);
                picture.text("at left bad", to, middle - 7.0, "asleep forever");
            } else if to - from > 20.0 {
                picture.text("at", (from + to) / 2.0, middle + 4.0, "asleep");
            }
        }
        for (strip, latest) in open.iter().zip(latest) {
            let to = if is_first { self.end } else { latest.x + 0.6 };
            picture.bar("awake", (strip.span.0, to), middle, 2.0);
        }
        // A poll inside another one is drawn inside it.
        let polls = (0..).map(|depth| self.strips(|it| state(it)?.polls.get(depth).copied()));
        for (depth, polls) in polls.take_while(|it| !it.is_empty()).enumerate() {
            for poll in polls {
                self.poll(picture, depth, poll);
            }
        }
    }

    fn poll(&self, picture: &mut Picture, depth: usize, poll: Strip<Name>) {
        let (task, (from, to), frames) = (poll.what, poll.span, &self.part.frames);
        let colour = self.player.number(task).unwrap_or(0) % 6;
        let middle = picture.y + LANE / 2.0;
        let half = (10.0 - 4.0 * depth as f32).max(2.0);
        picture.bar(&format!("poll t{}", colour + 1), (from, to), middle, half);
        let mut threads = frames.iter().flat_map(|it| it.state.threads.values());
        let polls_others = threads.any(|it| it.polls.len() > 1 && it.polls[0] == task);
        if depth == 0 && to - from > 2.2 && !polls_others {
            let shape = ["●", "■", "▲", "◆", "★", "✚"][colour];
            let again = poll.frames.iter().find_map(|it| match it.event.what {
                What::Again { polls } => Some(format!(" \u{d7} {}", polls + 1)),
                _ => None,
            });
            let text = format!("{shape}{}", again.unwrap_or_default());
            picture.text("shape", (from + to) / 2.0, middle + 4.5, &text);
        }
        let sign = match poll.end.and_then(|it| it.state.tasks.get(task)?.end) {
            Some("ready") if depth == 0 => "✓",
            Some("panicked" | "dropped") => "✗",
            _ => return,
        };
        picture.text("sign", to + 0.3, middle + 4.0, sign);
    }
}

/// From the thread to a queue, or to the thread whose poll follows.
fn arrows(picture: &mut Picture, frame: &Frame, from: f32, lanes: &BTreeMap<&str, f32>) {
    let (x, state) = (frame.x, &frame.state);
    if let Some((victim, count)) = &frame.stolen {
        let y = lanes[victim.as_str()];
        picture.arrow("wake", x, y + SLOT, from);
        let below = y + SLOT * (count + 1) as f32 + 6.0;
        picture.text("at first", x + 1.2, below, &format!("steals {count}"));
    }
    let woken = frame.event.task.filter(|_| frame.is_wake());
    let Some(task) = frame.put().or(woken) else {
        return;
    };
    let queue = state.queue_of(task).filter(|_| !frame.is_own_wake());
    let to = match queue {
        Some(queue) => {
            let slot = state.queues[queue].iter().position(|it| *it == task);
            let place = lanes.get(&**queue).zip(slot);
            place.map(|(top, slot)| top + SLOT * slot as f32)
        }
        None => {
            let poller = state.tasks.get(task).and_then(|it| it.poller);
            poller.and_then(|it| lanes.get(it).copied())
        }
    };
    let Some(to) = to else { return };
    let side = if from > to { 1.0 } else { -1.0 };
    let inside = side * if queue.is_some() { SLOT } else { 4.0 };
    let class = if frame.is_wake() { "wake" } else { "" };
    if (from - to).abs() < 20.0 {
        picture.text("sign", x, from - 6.0, "↻");
    } else {
        picture.arrow(class, x, from, to + inside);
    }
}
