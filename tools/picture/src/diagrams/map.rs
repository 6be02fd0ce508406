//! The introduction: the seven stages.

use crate::canvas::{Align, Canvas, Rect, height_of};
use crate::figure::Figure;
use crate::words;

/// Name, idea, and what goes on to the next stage.
const STAGES: [(&str, &str, &str); 7] = [
    (
        "A future by hand",
        "Be told, and do not look: data on a real socket.",
        "`poll`, `wake`, `Ready`, `Pending`, and the run loop",
    ),
    (
        "Two futures at once",
        "A future may be made of futures.",
        "a timer to wait for, and the tree of polls",
    ),
    (
        "A timer as a future",
        "A waker says who is ready. A pin holds a future in place.",
        "`TimerFuture` and its `Signal`, on any executor",
    ),
    (
        "An executor on a channel",
        "An executor is a queue, and a waker is the way into it.",
        "the waker: who calls it, and what it does",
    ),
    (
        "Park, unpark and block_on",
        "A thread sleeps until its waker calls.",
        "a thread that sleeps until it is called",
    ),
    (
        "One thread for every timer",
        "A reactor waits for everybody.",
        "timers that any runtime can run",
    ),
    (
        "A small tokio",
        "A runtime that you would recognise, beside tokio.",
        "",
    ),
];

/// One box for each, from top to bottom.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(100.0);
    let (mut y, mut sentences) = (4.0, Vec::new());
    for (number, (name, idea, lends)) in (1..).zip(STAGES) {
        let text = format!("*{name}*\n{idea}");
        let height = height_of(&words::wrap(&text, 344.0));
        let rect = canvas.rect(
            "box",
            Rect {
                x: 4.0,
                y,
                w: 392.0,
                h: height + 13.0,
            },
        );
        canvas.number((22.0, y + rect.h / 2.0), number);
        canvas.wrapped((42.0, y + 19.0), Align::Start, 344.0, &text);
        y += rect.h;
        sentences.push(format!("{number}: {name}. {idea}"));
        if !lends.is_empty() {
            canvas.arrow("", &[(22.0, y), (22.0, y + 34.0)]);
            canvas.text((42.0, y + 21.0), Align::Start, lends);
            y += 34.0;
            sentences.push(format!("It lends to the next: {}.", words::plain(lends)));
        }
    }
    canvas.set_height(y + 4.0);
    Figure {
        name: "map",
        title: "The seven stages, each with its idea and what it lends to the next".to_owned(),
        description: sentences.join(" "),
        caption: "Seven stages, one idea each. Beside an arrow stands what a stage lends to the next one.",
        canvas,
    }
}
