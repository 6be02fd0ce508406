//! The lanes of a run: time goes to the right, each thread and each queue has a lane, and steps are as far apart as it takes to
//! see each. They are the still picture, and the player's scrubber.
//!
//! Across, everything is in percent, so that the picture takes the width there is and its text keeps its size.

use std::{collections::BTreeMap, ops::Range};

use probe::What;

use crate::{
    frame::Frame,
    player::{Part, Player},
    run::{Kind, named},
    state::{End, State, Thread},
    steps::Step,
    svg::Picture,
    text::escaped,
};

/// In nanoseconds.
const MS: u64 = 1_000_000;
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
        if player.parts.len() > 1 {
            picture.heading(&part.label);
            if let ([_, _, _, ..], Some(last)) = (&player.parts[..], part.frames.last()) {
                let polls: u32 = last.state.tasks.values().map(|it| it.polls).sum();
                let y = picture.y - 6.0;
                picture.text("at first", LEFT, y, &format!("{polls} polls"));
            }
        }
        if let Some(lanes) = Lanes::new(player, number) {
            lanes.draw(&mut picture);
        }
    }
    axis(player, &mut picture);
    picture.to_html(&player.name, &player.title)
}

fn axis(player: &Player, picture: &mut Picture) {
    let steps = player.steps.iter().zip(&player.places);
    let (marks, room): (Vec<(u64, f32)>, _) = match player.to_scale() {
        Some(end) => {
            let marks = (0..=end / MS).step_by(if end > 100 * MS { 50 } else { 10 });
            let marks = marks.map(|at| (at, to_scale(at * MS, end)));
            (marks.collect(), 0.0)
        }
        None => {
            let marks = steps.map(|(step, x)| ((step.at + MS / 2) / MS, *x));
            (marks.collect(), 13.0)
        }
    };
    let (mut shown, mut free) = (None, 0.0);
    for (at, x) in marks {
        if shown == Some(at) || x < free {
            continue;
        }
        let (class, unit) = match shown {
            None => ("at first", " ms"),
            Some(_) => ("at", ""),
        };
        picture.text(class, x, picture.y + 13.0, &format!("{at}{unit}"));
        (shown, free) = (Some(at), x + room);
    }
}

/// One of the player's runs.
struct Lanes<'a> {
    player: &'a Player,
    part: &'a Part,
    /// Where its frames are.
    places: Vec<f32>,
    /// Where what has no end is cut off.
    end: f32,
}

impl<'a> Lanes<'a> {
    /// `None`: nothing has happened.
    fn new(player: &'a Player, number: usize) -> Option<Self> {
        let part = &player.parts[number];
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
        let (last, own) = (player.places.last()?, places.last()?);
        let end = match player.to_scale() {
            Some(_) => own + 0.6,
            None => last + (100.0 - last) / 2.0,
        };
        Some(Lanes {
            player,
            part,
            places,
            end,
        })
    }

    fn draw(&self, picture: &mut Picture) {
        let (run, top) = (&self.part.run, picture.y);
        for (number, place) in self.part.places.iter().enumerate() {
            let name = named(&place.header).0.to_owned();
            self.queue(picture, name, |it| it.places.get(number));
        }
        let mut lanes = BTreeMap::new();
        for lane in &run.head.lanes {
            let (name, short, y) = (lane.name(), escaped(lane.short()), picture.y);
            if lane.kind.is_queue() {
                lanes.insert(name, y + 4.0);
                self.queue(picture, short, |it| it.queues.get(name));
            } else if lane.kind == Kind::Thread && run.threads.iter().any(|it| it == name) {
                lanes.insert(name, y + LANE / 2.0);
                self.thread(picture, name);
                picture.lane(short, LANE);
            }
        }
        for (frame, x) in self.frames() {
            let from = lanes.get(&*frame.event.thread);
            if frame.is_data() {
                picture.data(x, top + 2.0, *from.unwrap_or(&picture.y));
            }
            if let Some(from) = from {
                arrows(picture, frame, (x, *from), &lanes);
            }
        }
    }

    fn frames(&self) -> impl DoubleEndedIterator<Item = (&'a Frame, f32)> {
        self.part.frames.iter().zip(self.places.iter().copied())
    }

    /// What stays the same from one frame to the next is one strip.
    fn strips<T: PartialEq>(&self, of: impl Fn(&'a State) -> Option<T>) -> Vec<Strip<T>> {
        let mut strips: Vec<(Option<T>, Range<usize>)> = Vec::new();
        for (number, frame) in self.part.frames.iter().enumerate() {
            let what = of(&frame.state);
            match strips.last_mut() {
                Some((last, frames)) if *last == what => frames.end += 1,
                _ => strips.push((what, number..number + 1)),
            }
        }
        let strip = |(what, frames): (Option<T>, Range<usize>)| {
            let to = *self.places.get(frames.end).unwrap_or(&self.end);
            let span = (self.places[frames.start], to);
            let what = what?;
            Some(Strip { what, frames, span })
        };
        strips.into_iter().filter_map(strip).collect()
    }

    /// A lane with a strip for each task in it, or each thread.
    fn queue(
        &self,
        picture: &mut Picture,
        name: String,
        queue: impl Fn(&'a State) -> Option<&'a Vec<String>>,
    ) {
        let slots = (0..).map(|slot| self.strips(|state| queue(state)?.get(slot)));
        let slots: Vec<_> = slots.take_while(|it| !it.is_empty()).collect();
        let height = SLOT * slots.len().max(1) as f32 + 5.0;
        let (first, middle) = (picture.y + 8.5, picture.y + 2.0 + height / 2.0);
        picture.bar("queue", (0.0, 100.0), middle, height / 2.0);
        let slots = (0..).zip(slots);
        let strips = slots.flat_map(|(slot, it)| it.into_iter().map(move |it| (slot, it)));
        let mut strips: Vec<(u16, _)> = strips.collect();
        strips.sort_by_key(|it| it.1.frames.end);
        for (slot, strip) in strips {
            let number = self.player.number(strip.what);
            let class = number.map_or("in".to_owned(), |it| format!("in t{}", 1 + it % 6));
            let middle = first + SLOT * f32::from(slot);
            picture.bar(&class, strip.span, middle, (SLOT - 1.0) / 2.0);
        }
        picture.lane(name, height + 5.0);
    }

    fn thread(&self, picture: &mut Picture, thread: &str) {
        let (part, middle) = (self.part, picture.y + LANE / 2.0);
        let is_first = part.run.threads.first().is_some_and(|it| it == thread);
        let state = |state: &'a State| state.threads.get(thread);
        let own = || self.frames().filter(|it| it.0.event.thread == thread);
        picture.dots(middle);
        // A thread that checks does not notice at once that the data is there.
        let is_unseen = |frame: &Frame| is_first && part.checks() && frame.is_data();
        let sent = self.frames().find(|it| is_unseen(it.0));
        let sent = sent.map_or(f32::INFINITY, |it| it.1);
        let found = |it: &(&Frame, f32)| it.1 > sent && it.0.event.what == What::Ready;
        if let Some((_, found)) = self.frames().find(found) {
            picture.bar("late", (sent, found), middle, 14.0);
        }
        let awake = self.strips(|it| state(it).map_or(is_first, |it| !it.asleep).then_some(()));
        let awake = awake.into_iter().map(|it| {
            let is_begin = is_first && it.frames.start == 0;
            let from = if is_begin { 0.0 } else { it.span.0 };
            (it.frames.end == part.frames.len(), (from, it.span.1))
        });
        let (open, closed): (Vec<_>, Vec<_>) = awake.partition(|it| it.0);
        for (_, span) in closed {
            picture.bar("awake", span, middle, 2.0);
        }
        // Where there is room for the word.
        let sleeps = |it: &&Thread| it.asleep && it.polls.is_empty();
        for strip in self.strips(|it| state(it).filter(sleeps).map(|_| ())) {
            let is_over = strip.frames.end == part.frames.len();
            let (from, to) = (strip.span.0, if is_over { 100.0 } else { strip.span.1 });
            if to - from > 20.0 && !(from..to).contains(&sent) {
                picture.text("at", (from + to) / 2.0, middle + 4.0, "asleep");
            }
        }
        for ((_, (from, end)), (_, latest)) in open.iter().zip(own().next_back()) {
            let to = if is_first { *end } else { latest + 0.6 };
            picture.bar("awake", (*from, to), middle, 2.0);
        }
        // What a thread that only wakes has waited for began with the first poll of that task.
        let is_hollow = |frame: &Frame| self.player.to_scale().is_some() && frame.is_wake(false);
        for (frame, x) in own().filter(|it| is_hollow(it.0)) {
            let key = format!("poll {} 1", frame.event.task.as_deref().unwrap_or_default());
            if let Some((_, from)) = self.frames().find(|it| it.0.keys[0] == key) {
                picture.bar("held", (from, x), middle, 5.0);
            }
        }
        // A poll inside another one is drawn inside it. Of a peer, which is no future, one sees the data.
        let polls = (0..).map(|depth| self.strips(|it| state(it)?.polls.get(depth)));
        for (depth, polls) in (0..).zip(polls.take_while(|it| !it.is_empty())) {
            for poll in polls {
                if poll.what != thread {
                    self.poll(picture, depth, poll);
                }
            }
        }
    }

    fn poll(&self, picture: &mut Picture, depth: u16, poll: Strip<&String>) {
        let (task, (from, to), frames) = (poll.what, poll.span, &self.part.frames);
        let (colour, middle) = (
            self.player.number(task).unwrap_or(0) % 6,
            picture.y + LANE / 2.0,
        );
        let half = (10.0 - 4.0 * f32::from(depth)).max(2.0);
        picture.bar(&format!("poll t{}", colour + 1), (from, to), middle, half);
        let mut threads = frames.iter().flat_map(|it| it.state.threads.values());
        let polls_others = threads.any(|it| it.polls.len() > 1 && it.polls[0] == *task);
        if depth == 0 && to - from > 2.2 && !polls_others {
            let shape = ["●", "■", "▲", "◆", "★", "✚"][colour];
            let again = frames[poll.frames.clone()]
                .iter()
                .find_map(|it| match it.event.what {
                    What::Again { polls } => Some(format!("{shape} \u{d7} {}", polls + 1)),
                    _ => None,
                });
            let text = again.as_deref().unwrap_or(shape);
            picture.text("shape", (from + to) / 2.0, middle + 4.5, text);
        }
        let after = frames.get(poll.frames.end);
        let sign = match after.and_then(|it| it.state.tasks.get(task)?.end) {
            Some(End::Ready) if depth == 0 => "✓",
            Some(End::Panicked | End::Dropped) => "✗",
            _ => return,
        };
        picture.text("sign", to + 0.3, middle + 4.0, sign);
    }
}

/// What stays the same from one frame to the next.
struct Strip<T> {
    what: T,
    frames: Range<usize>,
    /// From where to where it is drawn.
    span: (f32, f32),
}

/// From the thread to a queue, or to the thread whose poll follows.
fn arrows(
    picture: &mut Picture,
    frame: &Frame,
    (x, from): (f32, f32),
    lanes: &BTreeMap<&str, f32>,
) {
    if let Some((victim, count)) = &frame.stolen {
        let y = lanes[&**victim];
        picture.arrow("wake", x, y + SLOT, from);
        let below = y + SLOT * (count + 1) as f32 + 6.0;
        picture.text("at first", x + 1.2, below, &format!("steals {count}"));
    }
    let is_wake = matches!(frame.event.what, What::Wake { .. });
    let Some(task) = frame
        .put()
        .or(frame.event.task.as_ref().filter(|_| is_wake))
    else {
        return;
    };
    let queue = frame.state.queue_of(task).filter(|_| !frame.is_wake(true));
    let poller = frame
        .state
        .tasks
        .get(task)
        .and_then(|it| it.poller.as_deref());
    let to = match queue {
        Some(queue) => {
            let slot = frame.state.queues[queue].iter().position(|it| it == task);
            let top = lanes.get(&**queue);
            top.zip(slot).map(|(top, slot)| top + SLOT * slot as f32)
        }
        None => poller.and_then(|it| lanes.get(it).copied()),
    };
    let Some(to) = to else { return };
    let side = if from > to { 1.0 } else { -1.0 };
    let inside = side * if queue.is_some() { SLOT } else { 4.0 };
    match (from - to).abs() < 20.0 {
        true => picture.text("sign", x, from - 6.0, "↻"),
        false => picture.arrow(if is_wake { "wake" } else { "" }, x, from, to + inside),
    }
}
