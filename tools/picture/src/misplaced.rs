//! What a reader would stumble over: text that is cut off, or covered, or crossed by a line.

use crate::canvas::{At, Rect, WIDTH};
use crate::figure::Figure;

/// The mistakes of a picture, each in words.
pub fn misplaced(figure: &Figure) -> Vec<String> {
    let canvas = &figure.canvas;
    let whole = Rect {
        x: 0.0,
        y: 0.0,
        w: WIDTH,
        h: canvas.height,
    };
    let mut found = Vec::new();
    for rect in canvas.boxes.iter().filter(|rect| !whole.contains(rect)) {
        found.push(format!("{rect:?} leaves the picture"));
    }
    for (number, one) in canvas.written.iter().enumerate() {
        let (place, text) = (&one.place, &one.text);
        if !whole.contains(place) {
            found.push(format!("{text:?} leaves the picture"));
        }
        for other in &canvas.written[number + 1..] {
            if place.meets(&other.place) {
                found.push(format!("{text:?} covers {:?}", other.text));
            }
        }
        let crosses = |rect: &&Rect| place.meets(rect) && !rect.contains(place);
        if canvas.boxes.iter().any(|rect| crosses(&rect)) {
            found.push(format!("{text:?} crosses the side of a box"));
        }
        if canvas.strokes.iter().any(|stroke| hits(*stroke, place)) {
            found.push(format!("{text:?} is crossed by a line"));
        }
    }
    let named = |mistake| format!("{}: {mistake}", figure.name);
    found.into_iter().map(named).collect()
}

/// Whether a line goes through a place: looked at one unit after the other.
fn hits((from, to): (At, At), place: &Rect) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.hypot(dy).max(1.0);
    let mut step = 0.0;
    while step <= steps {
        let (x, y) = (from.0 + dx * step / steps, from.1 + dy * step / steps);
        if x > place.x && x < place.x + place.w && y > place.y && y < place.y + place.h {
            return true;
        }
        step += 1.0;
    }
    false
}
