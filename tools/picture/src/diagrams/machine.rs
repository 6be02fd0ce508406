//! Stage 03: an `async fn` as a state machine.

use crate::canvas::{Align, Canvas};
use crate::figure::Figure;

/// `nap` and its three states.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(390.0);
    let text = (190.0, 206.0);
    let start = canvas.boxed("box", (10.0, 34.0), 150.0, "*Start*\nholds the duration");
    let waiting = canvas.boxed("box", (10.0, 164.0), 150.0, "*Waiting*\nholds the timer");
    let done = canvas.boxed("box", (10.0, 324.0), 150.0, "*Done*\nholds nothing");
    canvas.arrow("", &[(85.0, 6.0), start.top()]);
    canvas.wrapped(
        (102.0, 18.0),
        Align::Start,
        290.0,
        "`nap(duration)` is called: nothing runs",
    );

    canvas.arrow("", &[start.bottom(), waiting.top()]);
    canvas.wrapped(
        (text.0 - 88.0, 101.0),
        Align::Start,
        text.1 + 84.0,
        "*first poll*: prints `start`, makes the timer and goes on at once: polls the timer, which keeps the waker",
    );
    let (_, y) = waiting.right();
    canvas.arrow(
        "dash",
        &[
            (160.0, y - 14.0),
            (182.0, y - 14.0),
            (182.0, y + 14.0),
            (160.0, y + 14.0),
        ],
    );
    canvas.wrapped(
        (text.0, y - 12.0),
        Align::Start,
        text.1,
        "the timer is pending: `poll` returns `Pending`, and the state stays",
    );
    canvas.arrow("", &[waiting.bottom(), done.top()]);
    canvas.wrapped(
        (text.0 - 88.0, 244.0),
        Align::Start,
        text.1 + 84.0,
        "*second poll*, after the wake: the timer is ready; prints `end`, drops the timer, returns `Ready(\"rested\")`",
    );
    let (x, y) = done.right();
    canvas.arrow("bad", &[(x, y), (x + 26.0, y)]);
    canvas.wrapped(
        (text.0, y + 4.5),
        Align::Start,
        text.1,
        "polled once more: a panic",
    );
    Figure {
        name: "state-machine",
        title: "The async fn nap as a state machine".to_owned(),
        description: "Three states, one below the other. Calling nap makes the state Start, which holds the duration; \
                      nothing runs. The first poll prints start, makes the timer, changes to Waiting, which holds the \
                      timer, and polls the timer, which keeps the waker. As long as the timer is pending, each poll \
                      returns Pending and the state stays Waiting. The second poll comes after the wake: the timer is \
                      ready, end is printed, the timer is dropped, the state is Done, which holds nothing, and the poll \
                      returns Ready. A further poll panics."
            .to_owned(),
        caption: "Three states, and two polls: a change of state is no reason to return. `poll` comes back only when \
                  the timer is pending, or at the end.",
        canvas,
    }
}
