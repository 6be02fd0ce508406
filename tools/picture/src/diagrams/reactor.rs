//! Stage 06: what goes where between a future, the reactor and the executor.

use crate::canvas::{Align, At, Canvas, Rect};
use crate::figure::Figure;
use crate::words;

const STEPS: [&str; 9] = [
    "First poll: the timer leaves a clone of the waker in the map, and gets an id.",
    "It sends the id and its deadline over the channel.",
    "The reactor's thread receives them,",
    "and puts them into its heap. Then it sleeps until the earliest deadline, or the next event.",
    "A deadline has come: its id is taken out of the heap.",
    "Under the map's lock, the timer becomes \"over\", and its waker is taken out.",
    "The lock is free again: `wake` puts the task into the executor's queue.",
    "The executor polls.",
    "The timer finds \"over\" in the map, leaves the map, and is ready.",
];

/// Where the arrows go, and where their numbers are.
const ARROWS: [(&str, &[At], At); 9] = [
    ("", &[(106.0, 62.0), (150.0, 62.0)], (128.0, 47.0)),
    (
        "",
        &[(70.0, 102.0), (70.0, 190.0), (150.0, 190.0)],
        (110.0, 175.0),
    ),
    ("", &[(250.0, 190.0), (294.0, 190.0)], (272.0, 205.0)),
    ("", &[(328.0, 160.0), (328.0, 102.0)], (343.0, 144.0)),
    ("", &[(364.0, 102.0), (364.0, 160.0)], (379.0, 118.0)),
    (
        "",
        &[
            (306.0, 160.0),
            (306.0, 132.0),
            (200.0, 132.0),
            (200.0, 102.0),
        ],
        (250.0, 117.0),
    ),
    (
        "wake",
        &[(343.0, 224.0), (343.0, 275.0), (106.0, 275.0)],
        (224.0, 260.0),
    ),
    ("", &[(34.0, 250.0), (34.0, 102.0)], (17.0, 176.0)),
    ("dash", &[(150.0, 90.0), (106.0, 90.0)], (128.0, 106.0)),
];

/// Data flow with numbers, and their legend.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(300.0);
    for (x, side) in [
        (8.0, "executor's side"),
        (152.0, "shared"),
        (296.0, "reactor's side"),
    ] {
        canvas.text((x + 48.0, 18.0), Align::Middle, side);
    }
    canvas.line("thin dash", &[(128.0, 6.0), (128.0, 34.0)]);
    canvas.line("thin dash", &[(272.0, 6.0), (272.0, 34.0)]);
    for (class, points, _) in ARROWS {
        canvas.arrow(class, points);
    }
    let high = |x, y, h| Rect { x, y, w: 96.0, h };
    for (rect, name, what) in [
        (high(8.0, 42.0, 60.0), "*Timer*", "the future"),
        (high(152.0, 42.0, 60.0), "*map*", "id → waker"),
        (high(296.0, 42.0, 60.0), "*heap*", "of deadlines"),
        (high(152.0, 160.0, 60.0), "*channel*", "of events"),
        (high(296.0, 160.0, 64.0), "*thread*", "it sleeps"),
        (high(8.0, 250.0, 48.0), "*executor*", "its queue"),
    ] {
        canvas.rect("box", rect);
        let (x, y) = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0);
        canvas.text((x, y - 4.0), Align::Middle, name);
        canvas.text((x, y + 14.0), Align::Middle, what);
    }
    for (number, (_, _, at)) in (1..).zip(ARROWS) {
        canvas.number(at, number);
    }
    let mut y = 326.0;
    for (number, step) in (1..).zip(STEPS) {
        canvas.number((18.0, y), number);
        y += canvas
            .wrapped((36.0, y + 4.5), Align::Start, 356.0, step)
            .max(17.0)
            + 9.0;
    }
    canvas.set_height(y - 4.0);
    let steps: Vec<_> = (1..)
        .zip(STEPS)
        .map(|(number, step)| format!("{number}: {}", words::plain(step)))
        .collect();
    Figure {
        name: "reactor-flow",
        title: "What goes where in the reactor".to_owned(),
        description: format!(
            "The executor's thread has the timer, which is the future, and the executor with its queue. The reactor's \
             thread has a heap of deadlines. Both share a map from ids to wakers, and a channel of events. {}",
            steps.join(" ")
        ),
        caption: "The executor and the reactor never speak to each other. They share the waker alone: it goes into the \
                  map in 1, and comes out in 6.",
        canvas,
    }
}
