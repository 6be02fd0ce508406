//! Stage 03: a note that points to itself, before and after a move.

use crate::canvas::{Align, At, Canvas, Rect};
use crate::figure::Figure;

/// Two notes, swapped.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(330.0);
    canvas.text(
        (8.0, 18.0),
        Align::Start,
        "*Before.* Each points at its own first letter.",
    );
    note(&mut canvas, (10.0, 46.0), "a", "aaa");
    note(&mut canvas, (210.0, 46.0), "b", "bbb");
    for x in [10.0, 210.0] {
        canvas.arrow(
            "",
            &[
                (x + 140.0, 104.0),
                (x + 140.0, 126.0),
                (x + 25.0, 126.0),
                (x + 25.0, 106.0),
            ],
        );
    }
    canvas.line("thin dash", &[(4.0, 152.0), (396.0, 152.0)]);
    canvas.wrapped(
        (8.0, 174.0),
        Align::Start,
        384.0,
        "*After* `mem::swap(&mut a, &mut b)`. The bytes have moved. The addresses in them have not changed.",
    );
    note(&mut canvas, (10.0, 222.0), "a", "bbb");
    note(&mut canvas, (210.0, 222.0), "b", "aaa");
    canvas.arrow(
        "bad",
        &[
            (140.0, 280.0),
            (140.0, 298.0),
            (235.0, 298.0),
            (235.0, 282.0),
        ],
    );
    canvas.arrow(
        "bad",
        &[(360.0, 280.0), (360.0, 316.0), (35.0, 316.0), (35.0, 282.0)],
    );
    Figure {
        name: "pin",
        title: "A value that points into itself, before and after a move".to_owned(),
        description: "Two notes, a and b. Each has three letters and a pointer named first. Before: the letters of a \
                      are aaa, those of b are bbb, and each pointer points at the first letter of its own note. After \
                      mem::swap: the letters of a are bbb, and its pointer points at the first letter of b; the letters \
                      of b are aaa, and its pointer points at the first letter of a."
            .to_owned(),
        caption: "A move copies the bytes, and a pointer in them still points at the old place. A future may hold such \
                  a pointer. `Pin` is the promise not to move it.",
        canvas,
    }
}

fn note(canvas: &mut Canvas, (x, y): At, name: &str, letters: &str) {
    canvas.text((x, y), Align::Start, &format!("the place `{name}`"));
    let mut cell = x;
    for letter in letters.chars() {
        let rect = Rect {
            x: cell,
            y: y + 12.0,
            w: 30.0,
            h: 46.0,
        };
        canvas.rect("box", rect);
        canvas.text(
            (cell + 15.0, y + 40.0),
            Align::Middle,
            &format!("`{letter}`"),
        );
        cell += 30.0;
    }
    canvas.boxed("box", (cell, y + 12.0), 90.0, "`first`\nan address");
}
