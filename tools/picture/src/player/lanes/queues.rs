//! A lane of things that are somewhere: tasks in a queue, wakers that are stored, the bits of a word.

use super::strips::{Strip, Strips};
use crate::{
    player::{
        measures::*,
        svg::{Fits, Picture},
    },
    run::frame::Frame,
};

/// Draws a strip for each thing: with its class, and what is written on it, and what is written where nothing is. There is no lane if it has no row. Returns where the
/// first strip begins.
pub(super) fn draw<'a, T: Copy>(
    strips: &Strips<'a>,
    picture: &mut Picture,
    header: &str,
    slots: Vec<Vec<Strip<'a, T>>>,
    look: impl Fn(T) -> (String, String),
    empty: &str,
) -> f32 {
    if slots.is_empty() {
        return picture.y;
    }
    let half = (SLOT * slots.len() as f32 + EDGE) / 2.0;
    let least = if header.contains(": ") {
        EXPLAINED
    } else {
        0.0
    };
    let height = (2.0 * half + BETWEEN_LANES).max(least);
    let top = picture.y + height / 2.0 - half + BETWEEN_LANES / 2.0;
    picture.bar("queue", (0.0, 100.0), picture.y + height / 2.0, half);
    let lowest = top - 1.0 + SLOT * slots.len() as f32;
    for (from, to) in gaps(&slots).into_iter().filter(|_| !empty.is_empty()) {
        let baseline = (top + lowest) / 2.0 + BASELINE;
        let wide = if to - from > ROOM_FOR_EMPTY_ON_A_PHONE {
            ""
        } else {
            " wide"
        };
        picture.text(
            &format!("at empty{wide}"),
            (from + to) / 2.0,
            baseline,
            empty,
        );
    }
    let mut middle = top - 1.0 + SLOT / 2.0;
    for slot in slots {
        for (number, strip) in slot.iter().enumerate() {
            let (class, label) = look(strip.what);
            let thing = Thing {
                header,
                class: &class,
                label: &label,
                middle,
                next: slot.get(number + 1).map_or(100.0, |next| next.span.0),
            };
            thing.draw(strips, picture, strip);
        }
        middle += SLOT;
    }
    picture.lane(header, height);
    top
}

/// Where nothing is there, for so long that there is room to say so.
fn gaps<T>(slots: &[Vec<Strip<'_, T>>]) -> Vec<(f32, f32)> {
    let mut spans: Vec<_> = slots.iter().flatten().map(|strip| strip.span).collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    spans.push((100.0, 100.0));
    let (mut gaps, mut until) = (Vec::new(), 0.0_f32);
    for (from, to) in spans {
        if from - until > ROOM_FOR_EMPTY {
            gaps.push((until, from));
        }
        until = until.max(to);
    }
    gaps
}

/// One strip, and what is around it.
struct Thing<'a> {
    /// Of its lane.
    header: &'a str,
    class: &'a str,
    label: &'a str,
    middle: f32,
    /// Where the next strip begins.
    next: f32,
}

impl Thing<'_> {
    fn draw<T>(&self, strips: &Strips<'_>, picture: &mut Picture, strip: &Strip<'_, T>) {
        let (from, to) = strip.span;
        let (player, middle) = (strips.player, self.middle);
        let notes = &player.beside.notes;
        let half = SLOT / 2.0 - 1.0;
        // What nothing ends is red from the step on that decides.
        let never = notes.get(self.header).filter(|_| strip.end.is_none());
        let mut frames = strips.part.frames.iter();
        let decides = frames.find(|frame| never.is_some() && player.decides(frame));
        let red = decides.map_or(to, |frame| frame.x.max(from));
        picture.bar(self.class, (from, red), middle, half);
        if let Some(never) = never {
            picture.bar("bad", (red, to), middle, half);
            picture.label((red, to), middle, &[never, short(never)]);
        }
        // Where it is stolen, an arrow stands at the left edge.
        let is_stolen = |frame: &Frame| frame.is_steal() && frame.x == from;
        let is_stolen = strips.part.frames.iter().any(is_stolen);
        let left = if is_stolen { from + AFTER_ARROW } else { from };
        let texts = [self.label, short(self.label)];
        let Fits { wide, on_a_phone } = picture.label((left, red), middle, &texts);
        let note = strip.end.and_then(|frame| {
            let header = format!("{} {}", strips.part.label, self.header);
            let stolen = || format!("→ {}", frame.event.thread);
            let said = notes.get(&header).cloned();
            Some((
                said.or_else(|| frame.steals(self.label).then(stolen))?,
                frame,
            ))
        });
        // After a bar: what ends it, or its name if that has no room in it. On a phone, its name comes first, unless the run is lost there.
        let is_lost = note
            .as_ref()
            .is_some_and(|(_, frame)| player.is_lost(strips.part, frame));
        let class = if is_lost { "bad" } else { self.class };
        let note = note.as_ref().map(|(note, _)| &**note);
        let name = |is_in_it: bool| Some(self.label).filter(|_| !is_in_it);
        let on_a_phone = name(on_a_phone).filter(|_| !is_lost).or(note);
        for (screen, after, letter) in [
            ("narrow", on_a_phone.map(short), PHONE_NOTE_LETTER),
            ("wide", note.or(name(wide)), LETTER),
        ] {
            let has_room =
                |text: &&str| letter * text.chars().count() as f32 + AROUND_TEXT < self.next - to;
            if let Some(text) = after.filter(has_room) {
                let class = format!("out {screen} {class}");
                picture.text(&class, to + AFTER_BAR, middle + BASELINE, text);
            }
        }
    }
}

/// What is written on a phone.
fn short(text: &str) -> &str {
    text.split(',').next().unwrap_or(text)
}
