//! Stage 04: the flag that makes many wakes one queue entry, and when it is cleared.

use crate::canvas::{Align, Canvas, Rect};
use crate::figure::Figure;

/// Two states, and two orders of which one loses a wake.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(440.0);
    let no = canvas.boxed("box", (8.0, 30.0), 130.0, "*not queued*\nnot in the queue");
    let yes = canvas.boxed("box", (262.0, 30.0), 130.0, "*queued*\nonce in the queue");
    let y = no.y + 14.0;
    canvas.arrow("wake", &[(no.x + no.w, y), (yes.x, y)]);
    canvas.text((200.0, y - 8.0), Align::Middle, "`wake`: queues it");
    let y = no.y + no.h - 12.0;
    canvas.arrow("", &[(yes.x, y), (no.x + no.w, y)]);
    canvas.text((200.0, y + 18.0), Align::Middle, "taken: cleared");
    let (x, y) = yes.bottom();
    canvas.arrow(
        "wake",
        &[
            (x - 30.0, y),
            (x - 30.0, y + 20.0),
            (x + 30.0, y + 20.0),
            (x + 30.0, y),
        ],
    );
    canvas.text((392.0, y + 36.0), Align::End, "`wake` again: nothing to do");

    order(
        &mut canvas,
        8.0,
        "*Cleared before the poll*",
        ["taken", "*cleared*", "polled", "queued again"],
        "The wake finds the flag clear: the task is polled once more.",
        "",
    );
    order(
        &mut canvas,
        206.0,
        "*Cleared after the poll*",
        ["taken", "polled", "*cleared*", "asleep for ever"],
        "The wake finds the flag set and queues nothing: it is lost.",
        "bad",
    );
    Figure {
        name: "queued-flag",
        title: "The flag queued: set by a wake, cleared before the poll".to_owned(),
        description: "Two states. Not queued: the task is not in the queue. Queued: it stands there once. A wake goes \
                      from not queued to queued, and puts the task into the queue. Another wake changes nothing. When \
                      the executor takes the task, the flag is cleared. Below, two orders. Cleared before the poll: \
                      taken, cleared, polled with a wake during the poll, queued again; the wake finds the flag clear, \
                      and the task is polled once more. Cleared after the poll: taken, polled with a wake during the \
                      poll, cleared, asleep for ever; the wake finds the flag set and queues nothing: it is lost."
            .to_owned(),
        caption: "However often a task is woken, it stands in the queue once. A wake may come while the task is polled: \
                  on the right, where the flag is cleared after the poll, that wake is lost.",
        canvas,
    }
}

/// An order of four things from top to bottom, with a wake during the poll.
fn order(canvas: &mut Canvas, x: f32, title: &str, steps: [&str; 4], so: &str, last: &str) {
    let top = 172.0;
    canvas.text((x, top), Align::Start, title);
    let middle = x + 60.0;
    let mut y = top + 16.0;
    for (number, step) in steps.into_iter().enumerate() {
        let poll = step == "polled";
        let height = if poll { 48.0 } else { 28.0 };
        canvas.rect(
            if number == 3 { "frame" } else { "box" },
            Rect {
                x,
                y,
                w: 120.0,
                h: height,
            },
        );
        canvas.text((middle, y + height / 2.0 + 4.5), Align::Middle, step);
        if poll {
            let at = y + height / 2.0;
            canvas.arrow("wake", &[(x + 168.0, at), (x + 121.0, at)]);
            canvas.text((x + 128.0, at - 8.0), Align::Start, "`wake`");
        }
        y += height;
        if number < 3 {
            let class = if number == 2 { last } else { "" };
            canvas.arrow(class, &[(middle, y), (middle, y + 16.0)]);
            y += 16.0;
        }
    }
    canvas.wrapped((x, y + 22.0), Align::Start, 184.0, so);
}
