//! The lanes of a run: time goes to the right, each thread and each queue has a lane, and steps are as far apart as it takes to
//! see each. They are the still picture, and the player's scrubber.
//!
//! Across, everything is in percent, so that the picture takes the width there is and its text keeps its size.

use std::collections::BTreeMap;

use probe::What;

use crate::{
    frame::Frame,
    measures::*,
    part::Part,
    player::Player,
    run::{Kind, Lane, Name, Place},
    state::State,
    svg::Picture,
    text::escaped,
};

/// The names of the lanes, and beside them the lanes.
pub(crate) fn draw(player: &Player) -> String {
    let mut picture = Picture::default();
    for part in &player.parts {
        let top = picture.y + HEADING_MARK;
        let marks = [&player.beside.decides, &player.beside.instead];
        let mark = |it: &Frame| marks.iter().position(|mark| it.keys.contains(&mark[0]));
        let mark = part.frames.iter().find_map(|it| Some((it, mark(it)?)));
        if player.parts.len() > 1 || mark.is_some() {
            picture.heading(&part.label);
        }
        let behind = picture.shapes.len();
        Lanes { player, part }.draw(&mut picture);
        if let Some((frame, mark)) = mark {
            let lanes = picture.shapes.split_off(behind);
            let is_bad = mark == 0 && !part.label.is_empty();
            let bad = if is_bad { " bad" } else { "" };
            let words = escaped(&marks[mark][1]);
            let short = words.split(',').next().map_or(0, str::len);
            // It is where it holds, if there is room for it on a phone.
            let is_left = PHONE_NOTE_LETTER * short as f32 + frame.x > 100.0;
            let side = if is_left { "at left " } else { "" };
            picture.note(&format!("{side}note{bad}"), frame.x, top - NOTE, &words);
            picture.line(&format!("note{bad}"), frame.x, top, picture.y);
            picture.shapes += &lanes;
        }
    }
    picture.to_html(&player.name, &player.beside.title)
}

struct Lanes<'a> {
    player: &'a Player,
    part: &'a Part,
}

/// How far down the lanes are, by their names: a thread's middle, or else the top.
type Tops<'a> = BTreeMap<&'a str, f32>;

/// What stays the same from one frame to the next.
struct Strip<'a, T> {
    what: T,
    end: Option<&'a Frame>,
    /// From where to where it is drawn.
    span: (f32, f32),
}

impl<'a> Lanes<'a> {
    fn draw(&self, picture: &mut Picture) {
        let run = &self.part.run;
        let places = &self.part.places;
        let mut headers: Vec<_> = places.iter().map(|it| &it.header).collect();
        headers.dedup();
        for header in headers {
            // Places with the same header are one lane.
            let slots = self.slots(|state, slot| {
                let there = places.iter().zip(&state.places);
                let there = there.filter(|it| it.0.header == *header);
                let shown = |it: &'a Place, name| it.shows.as_deref().unwrap_or(name);
                let mut shown = there.flat_map(|it| it.1.iter().map(|name| shown(it.0, name)));
                shown.nth(slot)
            });
            self.places(picture, header, slots, |it| self.named(it));
        }
        let mut lanes = Tops::new();
        for lane in &run.beside.lanes {
            let name = lane.name();
            match lane.is {
                Kind::Thread if run.threads.contains(&name) => {
                    // What is written above it is no caption of the lane above.
                    if !run.beside.notes.is_empty() {
                        picture.y += CAPTION;
                    }
                    lanes.insert(name, picture.y + LANE / 2.0);
                    self.thread(picture, name);
                }
                Kind::Wakers => {
                    let slots = self.slots(|state, slot| {
                        let (name, waker) = state.wakers.get(slot)?;
                        run.owner(*waker).or(Some(name))
                    });
                    self.places(picture, &lane.header, slots, |it| self.named(it));
                }
                Kind::Word | Kind::Counts => self.numbers(picture, lane, &mut lanes),
                _ if lane.is.is_queue() => {
                    let slots = self.slots(|it, slot| it.queues.get(name)?.get(slot).copied());
                    let top = self.places(picture, &lane.header, slots, |it| self.named(it));
                    lanes.insert(name, top);
                }
                _ => {}
            }
        }
        for frame in &self.part.frames {
            self.arrows(picture, frame, &lanes);
        }
    }

    fn named(&self, name: &str) -> (String, String) {
        (self.class(name), name.to_owned())
    }

    fn class(&self, name: &str) -> String {
        let number = self.player.number(name);
        number.map_or("bit".to_owned(), |it| format!("in t{}", 1 + it % 6))
    }

    /// What stays the same from one frame to the next is one strip.
    fn strips<T: Copy + Eq>(&self, of: impl Fn(&'a State) -> Option<T>) -> Vec<Strip<'a, T>> {
        let all = &self.part.frames;
        let items: Vec<Option<T>> = all.iter().map(|it| of(&it.state)).collect();
        let (mut strips, mut from) = (Vec::new(), 0);
        for chunk in items.chunk_by(PartialEq::eq) {
            let start = all[from].x;
            from += chunk.len();
            let end = all.get(from);
            let span = (start, end.map_or(100.0, |it| it.x));
            strips.extend(chunk[0].map(|what| Strip { what, end, span }));
        }
        strips
    }

    /// The strips of each place in a list, for as many places as are ever used.
    fn slots<T: Copy + Eq>(
        &self,
        of: impl Fn(&'a State, usize) -> Option<T>,
    ) -> Vec<Vec<Strip<'a, T>>> {
        let slots = (0..).map(|slot| self.strips(|state| of(state, slot)));
        slots.take_while(|it| !it.is_empty()).collect()
    }

    /// A lane with a strip for each thing in it: with its class, and what is written on it. There is none if nothing is ever there. It
    /// says where the first strip begins.
    fn places<T: Copy>(
        &self,
        picture: &mut Picture,
        name: &str,
        slots: Vec<Vec<Strip<'a, T>>>,
        look: impl Fn(T) -> (String, String),
    ) -> f32 {
        if slots.is_empty() {
            return picture.y;
        }
        let half = (SLOT * slots.len() as f32 + EDGE) / 2.0;
        let least = if name.contains(": ") { EXPLAINED } else { 0.0 };
        let height = (2.0 * half + BETWEEN_LANES).max(least);
        let top = picture.y + height / 2.0 - half + BETWEEN_LANES / 2.0;
        let mut middle = top - 1.0 + SLOT / 2.0;
        picture.bar("queue", (0.0, 100.0), picture.y + height / 2.0, half);
        for strips in slots {
            for (number, strip) in strips.iter().enumerate() {
                let (class, label) = look(strip.what);
                let (from, to) = strip.span;
                // What nothing ends is red from the step on that decides.
                let never = self.player.beside.notes.get(name);
                let never = never.filter(|_| strip.end.is_none());
                let mut frames = self.part.frames.iter();
                let is_red = |it: &&Frame| never.is_some() && self.player.decides(it);
                let since = frames.find(is_red).map_or(to, |it| it.x.max(from));
                picture.bar(&class, (from, since), middle, SLOT / 2.0 - 1.0);
                if let Some(never) = never {
                    picture.bar("bad", (since, to), middle, SLOT / 2.0 - 1.0);
                    let short = never.split(',').next().unwrap_or(never);
                    picture.label((since, to), middle, &[never, short]);
                }
                // After a bar: what ends it, or its name if that has no room in it.
                let free = strips.get(number + 1).map_or(100.0, |it| it.span.0);
                let fits = picture.label((from, since), middle, &[&label]);
                let ended = format!("{} {name}", self.part.label);
                let end = strip.end.and(self.player.beside.notes.get(&ended));
                let after = end.or(Some(&label).filter(|_| !fits));
                let after = after.filter(|it| LETTER * it.len() as f32 + AROUND_TEXT < free - to);
                if let Some(after) = after {
                    picture.text(
                        &format!("out wide {class}"),
                        to + AFTER_BAR,
                        middle + BASELINE,
                        after,
                    );
                }
            }
            middle += SLOT;
        }
        picture.lane(name, height);
        top
    }

    /// A lane for each bit or number of a word that is explained. They are added to those that arrows lead to.
    fn numbers(&self, picture: &mut Picture, lane: &'a Lane, lanes: &mut Tops<'a>) {
        for (field, name) in lane.of.iter().enumerate() {
            if name.contains(": ") {
                let strips = self.strips(|it| {
                    let value = lane.fields(*it.words.get(lane.name())?).nth(field)?.1;
                    (value > 0).then_some(value)
                });
                let look = |it: u64| match lane.is {
                    Kind::Word => ("bit".to_owned(), "set".to_owned()),
                    _ => ("bit".to_owned(), it.to_string()),
                };
                let top = self.places(picture, name, vec![strips], look);
                lanes.extend(name.split(": ").next().map(|it| (it, top)));
            }
        }
    }

    fn thread(&self, picture: &mut Picture, thread: &str) {
        let (part, middle) = (self.part, picture.y + LANE / 2.0);
        let is_first = part.run.threads[0] == thread;
        let state = |state: &'a State| state.threads.get(thread);
        picture.dots(middle);
        let awake = self.strips(|it| state(it).map_or(is_first, |it| !it.asleep).then_some(()));
        let latest = part.frames.iter().rfind(|it| it.event.thread == thread);
        for strip in awake {
            let latest = latest.filter(|_| strip.end.is_none() && !is_first);
            let to = latest.map_or(strip.span.1, |it| it.x + LAST_SEEN);
            picture.bar("awake", (strip.span.0, to), middle, AWAKE);
        }
        // A poll inside another one is drawn below it.
        let polls = self.slots(|it, depth| state(it)?.polls.get(depth).copied());
        let height = LANE + POLL * polls.len().saturating_sub(1) as f32;
        for (depth, polls) in polls.into_iter().enumerate() {
            for poll in polls {
                self.poll(picture, depth, poll);
            }
        }
        // Where there is room for the word.
        for strip in self.strips(|it| state(it).filter(|it| it.asleep).map(|it| it.polls.len())) {
            let (from, to) = strip.span;
            if latest.is_some_and(|it| strip.end.is_none() && it.is_forever()) {
                picture.bar("bad", (from, to), middle, FOREVER);
                picture.text("at left note bad", RIGHT, middle - ABOVE, "asleep forever");
            } else if to - from > ROOM_FOR_ASLEEP {
                let class = if strip.what > 0 { "at inside" } else { "at" };
                picture.text(class, (from + to) / 2.0, middle + BASELINE, "asleep");
            }
        }
        picture.lane(thread, height);
    }

    fn poll(&self, picture: &mut Picture, depth: usize, poll: Strip<Name>) {
        let (task, (from, to)) = (poll.what, poll.span);
        let colour = self.player.number(task).unwrap_or(0) % 6;
        let middle = picture.y + LANE / 2.0 + POLL * depth as f32;
        let class = format!("poll t{}", colour + 1);
        picture.bar(&class, (from, to), middle, POLL / 2.0);
        let shape = ["●", "■", "▲", "◆", "★", "✚"][colour];
        let full = format!("{shape} {task}");
        if !picture.label((from, to), middle, &[&full, shape]) {
            picture.text(
                "label wide mid",
                (from + to) / 2.0,
                middle + BASELINE,
                shape,
            );
        }
        let end = poll.end.filter(|it| it.put().is_none());
        if let Some(note) = end.and_then(|it| it.of(&self.player.beside.notes)) {
            picture.text("out wide in", to + AFTER_BAR, middle + BASELINE, note);
        }
        let sign = match poll.end.and_then(|it| it.state.tasks.get(task)?.end) {
            Some("ready") if depth == 0 || !self.part.run.beside.wakers.is_empty() => "✓",
            Some("panicked" | "dropped") => "✗",
            _ => return,
        };
        picture.text("sign out", to + AFTER_POLL, middle - BASELINE, sign);
    }

    /// From the thread to a queue, to the bit that says that the task was woken, or to the thread whose poll follows.
    fn arrows(&self, picture: &mut Picture, frame: &Frame, lanes: &Tops<'_>) {
        let (x, state) = (frame.x, &frame.state);
        let Some(from) = lanes.get(frame.event.thread).copied() else {
            return;
        };
        let note = frame.of(&self.player.beside.notes);
        if let Some(task) = frame.of(&self.player.beside.omits) {
            let (words, y) = (format!("✗ {task}: not polled"), from + POLL);
            let (from, to) = OMITTED;
            picture.bar("omits", (x + from, x + to), y, OMITTED_HALF);
            picture.text("out wide bad", x + OMITTED_TEXT, y + BASELINE, &words);
            picture.text("out narrow bad", x + OMITTED_SIGN, y + BASELINE, "✗");
        }
        if let Some((victim, _)) = &frame.stolen {
            picture.arrow("wake", x, lanes[victim.as_str()] + SLOT, from);
        }
        let woken = frame.event.task.filter(|_| frame.is_wake());
        let Some(task) = frame.put().or(woken) else {
            return;
        };
        // A wake during a poll leads to the bit, and the poller's thread puts the task into the queue.
        let bit = Some("SCHEDULED").filter(|_| frame.noted && state.is_polled(task));
        let queue = state.queue_of(task).filter(|_| !frame.is_own_wake());
        let poller = state.tasks.get(task).and_then(|it| it.poller);
        let target = bit.or(queue.map(|it| &**it)).or(poller);
        let Some((target, to)) = target.and_then(|it| lanes.get_key_value(it)) else {
            return;
        };
        // The middle of the target, and how far from that its edge is.
        let (to, edge) = match queue {
            Some(queue) => {
                let slot = state.queues[queue].iter().position(|it| *it == task);
                (to + SLOT * (slot.unwrap_or(0) as f32 + 0.5), SLOT / 2.0)
            }
            None if bit.is_some() => (to + SLOT / 2.0, SLOT / 2.0),
            None if state.threads[target].polls.is_empty() => (*to, AWAKE),
            None => (*to, POLL / 2.0),
        };
        let is_arrow = (from - to).abs() >= SHORTEST_ARROW;
        if let Some(note) = note {
            let wide = if is_arrow { "" } else { " wide" };
            picture.note(
                &format!("at left note{wide}"),
                x - BEFORE_WAKE,
                from - ABOVE,
                note,
            );
        }
        if is_arrow {
            let class = if frame.is_wake() { "wake" } else { "" };
            return picture.arrow(class, x, from, to + edge * (from - to).signum());
        }
        let (class, sign) = match frame.event.what {
            What::Wake { waker, .. } if !frame.is_stale() => {
                (self.class(self.part.run.owner(waker).unwrap_or(task)), "↻")
            }
            _ => ("bad".to_owned(), "✗"),
        };
        picture.text(&format!("sign {class}"), x, from - ABOVE, sign);
    }
}
