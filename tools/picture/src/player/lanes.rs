//! The lanes of a run: time goes to the right, each thread and each queue has a lane, and steps are as far apart as it takes to
//! see each. They are the still picture, and the player's scrubber.
//!
//! In this folder, `strips.rs` finds what stays the same for how long, `queues.rs` draws a lane of things that are somewhere, `threads.rs`
//! one of a thread with its polls, and `arrows.rs` the wakes from lane to lane.
//!
//! Across, everything is in percent, so that the picture takes the width there is and its text keeps its size.

mod arrows;
mod queues;
mod strips;
mod threads;

use crate::{
    beside::{Kind, Lane, Place},
    player::{Player, measures::*, part::Part, svg::Picture},
    run::queue::Queue,
    text::escaped,
};
use arrows::{Row, Tops};
use strips::Strips;

/// The names of the lanes, and beside them the lanes.
pub(super) fn draw(player: &Player) -> String {
    let mut picture = Picture::default();
    for part in &player.parts {
        let top = picture.y + HEADING_MARK;
        let mark = Mark::of(player, part);
        if player.parts.len() > 1 || mark.is_some() {
            let is_bad = mark.as_ref().is_some_and(|mark| mark.is_bad);
            picture.heading(&part.label, is_bad);
        }
        let behind = picture.shapes.len();
        lanes(&Strips { player, part }, &mut picture);
        if let Some(mark) = mark {
            // What is drawn first is behind what follows.
            let lanes = picture.shapes.split_off(behind);
            mark.draw(top, &mut picture);
            picture.shapes += &lanes;
        }
    }
    picture.to_html(&player.name, &player.beside.title)
}

/// The line at the step that decides, or at the one in its place in the run in which it goes well.
struct Mark<'a> {
    x: f32,
    words: &'a str,
    is_bad: bool,
}

impl<'a> Mark<'a> {
    fn of(player: &'a Player, part: &'a Part) -> Option<Mark<'a>> {
        let beside = &player.beside;
        for frame in &part.frames {
            for decision in [&beside.decides, &beside.instead] {
                if frame.keys.contains(&decision.step) {
                    return Some(Mark {
                        x: frame.x,
                        words: &decision.words,
                        is_bad: player.is_lost(part, frame),
                    });
                }
            }
        }
        None
    }

    fn draw(&self, top: f32, picture: &mut Picture) {
        let words = escaped(self.words);
        let short = words.split(',').next().map_or(0, str::len);
        // It is on the right of its line if there is room for it on a phone.
        let is_left = PHONE_NOTE_LETTER * short as f32 + self.x > 100.0;
        let side = if is_left { "at left " } else { "" };
        let bad = if self.is_bad { " bad" } else { "" };
        picture.note(&format!("{side}note{bad}"), self.x, top - NOTE, &words);
        picture.line(&format!("note{bad}"), self.x, top, picture.y);
    }
}

/// The lanes of one run, from above, and the arrows between them.
fn lanes<'a>(strips: &Strips<'a>, picture: &mut Picture) {
    let run = &strips.part.run;
    let mut headers: Vec<_> = strips
        .part
        .places
        .iter()
        .map(|place| &place.header)
        .collect();
    headers.dedup();
    for header in headers {
        place(strips, picture, header);
    }
    let mut tops = Tops::new();
    for lane in &run.beside.lanes {
        let name = lane.name();
        match lane.is {
            Kind::Thread if run.threads.contains(&name) => {
                // What is written above it is no caption of the lane above.
                if !run.beside.notes.is_empty() {
                    picture.y += CAPTION;
                }
                tops.insert(Row::Thread(name), picture.y + LANE / 2.0);
                threads::draw(strips, picture, name);
            }
            Kind::Wakers => wakers(strips, picture, lane),
            Kind::Word | Kind::Counts => numbers(strips, picture, lane, &mut tops),
            Kind::Lock if !name.is_empty() => lock(strips, picture, lane),
            _ => {
                let Some(queue) = Queue::of(lane) else {
                    continue;
                };
                let rows = strips.queued(&queue);
                let look = |(name, _)| strips.named(name);
                let top = queues::draw(strips, picture, &lane.header, rows, look, "empty");
                tops.insert(Row::Queue(queue), top);
            }
        }
    }
    for frame in &strips.part.frames {
        arrows::draw(strips, picture, frame, &tops);
    }
}

/// The places that have this header, as one lane.
fn place<'a>(strips: &Strips<'a>, picture: &mut Picture, header: &str) {
    let places = &strips.part.places;
    let mut rows = strips.rows(|state| {
        let mut all = Vec::new();
        for (number, there) in state.places.iter().enumerate() {
            if places[number].header == header {
                all.extend(there.iter().map(|name| (number, *name)));
            }
        }
        all
    });
    for strip in rows.iter_mut().flatten() {
        strips.changes_under_lock(strip);
    }
    let look = |((place, name), number): ((usize, &str), usize)| {
        let shows = places[place].shows.as_deref();
        let label = shows.map_or(name.to_owned(), |words| {
            words.replace("{}", &number.to_string())
        });
        let class = if places[place].gray {
            "bit".to_owned()
        } else {
            strips.class(if strips.is_future(&label) {
                &label
            } else {
                name
            })
        };
        (class, label)
    };
    let is_it = |place: &&Place| place.header == header && place.empty.is_some();
    let empty = places
        .iter()
        .find(is_it)
        .and_then(|place| place.empty.as_deref());
    queues::draw(
        strips,
        picture,
        header,
        rows,
        look,
        empty.unwrap_or("empty"),
    );
}

/// The wakers that are stored, each by the task that it wakes.
fn wakers(strips: &Strips<'_>, picture: &mut Picture, lane: &Lane) {
    let run = &strips.part.run;
    let rows = strips.rows(|state| {
        let wakers = state.wakers.iter();
        wakers
            .map(|(name, waker)| run.owner(*waker).unwrap_or(name))
            .collect()
    });
    // That no waker is ever stored is what there is to see.
    let rows = if rows.is_empty() {
        vec![Vec::new()]
    } else {
        rows
    };
    let look = |(name, _)| strips.named(name);
    queues::draw(strips, picture, &lane.header, rows, look, "empty");
}

/// When a thread holds the lock, also where that is no step.
fn lock(strips: &Strips<'_>, picture: &mut Picture, lane: &Lane) {
    let held = vec![strips.held(&lane.whose)];
    let look = |()| ("bit".to_owned(), String::new());
    queues::draw(strips, picture, &lane.header, held, look, "");
}

/// A lane for each bit or number of a word that is explained. They are added to those that arrows lead to.
fn numbers<'a>(strips: &Strips<'a>, picture: &mut Picture, lane: &'a Lane, tops: &mut Tops<'a>) {
    for (field, explained) in lane.of.iter().enumerate() {
        let Some((name, _)) = explained.split_once(": ") else {
            continue;
        };
        let values = strips.of(|state| {
            let word = *state.words.get(lane.name())?;
            let (_, value) = lane.fields(word).nth(field)?;
            (value > 0).then_some(value)
        });
        let look = |value: u64| match lane.is {
            Kind::Word => ("bit".to_owned(), "set".to_owned()),
            _ => ("bit".to_owned(), value.to_string()),
        };
        let none = if lane.is == Kind::Word { "clear" } else { "0" };
        let top = queues::draw(strips, picture, explained, vec![values], look, none);
        tops.insert(Row::Bit(name), top);
    }
}
