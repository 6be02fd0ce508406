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
    let mut things = Vec::new();
    for (row, slot) in slots.iter().enumerate() {
        for (number, strip) in slot.iter().enumerate() {
            let (class, label) = look(strip.what);
            things.push(Thing {
                header,
                class,
                label: begins(strips, header, strip.begin).unwrap_or(label),
                span: strip.span,
                is_stolen: strip.begin.is_steal(),
                end: strip.end,
                middle: top - 1.0 + SLOT * (row as f32 + 0.5),
                next: slot.get(number + 1).map_or(100.0, |next| next.span.0),
            });
        }
    }
    let lowest = top - 1.0 + SLOT * slots.len() as f32;
    let notes = |from: f32| {
        let before = things.iter().filter(move |thing| thing.span.1 == from);
        before.filter_map(|thing| thing.note(strips))
    };
    for (from, to) in gaps(&things) {
        let middle = (from + to) / 2.0;
        let is_covered = |note: String| {
            let letters = |text: &str| text.chars().count() as f32;
            let reach = (LETTER * letters(&note)).max(PHONE_NOTE_LETTER * letters(short(&note)));
            from + reach > middle
        };
        if empty.is_empty() || notes(from).any(is_covered) {
            continue;
        }
        let baseline = (top + lowest) / 2.0 + BASELINE;
        let wide = if to - from > ROOM_FOR_EMPTY_ON_A_PHONE {
            ""
        } else {
            " wide"
        };
        picture.text(&format!("at empty{wide}"), middle, baseline, empty);
    }
    for thing in things {
        thing.draw(strips, picture);
    }
    picture.lane(header, height);
    top
}

/// Where nothing is there, for so long that there is room to say so.
fn gaps(things: &[Thing<'_>]) -> Vec<(f32, f32)> {
    let mut spans: Vec<_> = things.iter().map(|thing| thing.span).collect();
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

/// What `players.toml` says of the step that begins a strip by making the number larger that this lane shows.
fn begins(strips: &Strips<'_>, header: &str, begin: &Frame) -> Option<String> {
    let (before, after) = begin.change_of(name(header))?;
    let note = begin.of(&strips.player.beside.notes)?;
    (before < after).then(|| note.clone())
}

/// One strip, and what is around it.
struct Thing<'a> {
    /// Of its lane.
    header: &'a str,
    class: String,
    label: String,
    /// From where to where it is drawn.
    span: (f32, f32),
    /// Then an arrow stands at its left edge.
    is_stolen: bool,
    /// The step that ends it.
    end: Option<&'a Frame>,
    middle: f32,
    /// Where the next strip begins.
    next: f32,
}

impl Thing<'_> {
    fn draw(&self, strips: &Strips<'_>, picture: &mut Picture) {
        let ((from, to), middle, player) = (self.span, self.middle, strips.player);
        let half = SLOT / 2.0 - 1.0;
        // What nothing ends is red from the step on that decides.
        let never = player.beside.notes.get(self.header);
        let never = never.filter(|_| self.end.is_none());
        let mut frames = strips.part.frames.iter();
        let decides = frames.find(|frame| never.is_some() && player.decides(frame));
        let red = decides.map_or(to, |frame| frame.x.max(from));
        picture.bar(&self.class, (from, red), middle, half);
        if let Some(never) = never {
            picture.bar("bad", (red, to), middle, half);
            picture.label((red, to), middle, &[never, short(never)]);
        }
        let left = if self.is_stolen {
            from + AFTER_ARROW
        } else {
            from
        };
        let texts = [&*self.label, short(&self.label)];
        let fits = picture.label((left, red), middle, &texts);
        self.after(strips, picture, &fits);
    }

    /// After a bar: what ends it, or its name if that has no room in it. On a phone, its name comes first, unless the run is lost there.
    fn after(&self, strips: &Strips<'_>, picture: &mut Picture, fits: &Fits) {
        let note = self.note(strips);
        let is_lost = |end: &Frame| strips.player.is_lost(strips.part, end);
        let is_lost = note.is_some() && self.end.is_some_and(is_lost);
        let class = if is_lost { "bad" } else { &self.class };
        let note = note.as_deref();
        let name = |is_in_it: bool| Some(&*self.label).filter(|_| !is_in_it);
        let on_a_phone = name(fits.on_a_phone).filter(|_| !is_lost).or(note);
        let (_, to) = self.span;
        let has_room = |text: &str, letter: f32| {
            letter * text.chars().count() as f32 + AROUND_TEXT < self.next - to
        };
        for (screen, after, letter) in [
            ("narrow", on_a_phone.map(short), PHONE_NOTE_LETTER),
            ("wide", note.or(name(fits.wide)), LETTER),
        ] {
            if let Some(text) = after.filter(|text| has_room(text, letter)) {
                let class = format!("out {screen} {class}");
                picture.text(&class, to + AFTER_BAR, self.middle + BASELINE, text);
            }
        }
    }

    /// What is said of the step that ends it: by its lane, by the thread that steals it, or by `players.toml` if that step makes the number
    /// smaller that this lane shows.
    fn note(&self, strips: &Strips<'_>) -> Option<String> {
        let (end, notes) = (self.end?, &strips.player.beside.notes);
        let header = format!("{} {}", strips.part.label, self.header);
        if let Some(note) = notes.get(&header) {
            return Some(note.clone());
        }
        if end.steals(&self.label) {
            return Some(format!("→ {}", end.event.thread));
        }
        let (before, after) = end.change_of(name(self.header))?;
        end.of(notes).filter(|_| after < before).cloned()
    }
}

/// What a header says before it explains that.
fn name(header: &str) -> &str {
    header.split(": ").next().unwrap_or(header)
}

/// What is written on a phone.
fn short(text: &str) -> &str {
    text.split(',').next().unwrap_or(text)
}
