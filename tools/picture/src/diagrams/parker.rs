//! Stage 05: a parker is a flag and a thread.

use crate::canvas::{Align, Canvas};
use crate::figure::Figure;

/// Four states, of which one does not last.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(272.0);
    let work = canvas.boxed("box", (8.0, 34.0), 136.0, "*at work*\n`called: false`");
    let asleep = canvas.boxed(
        "box",
        (256.0, 34.0),
        136.0,
        "*asleep* in `park`\n`called: false`",
    );
    let kept = canvas.boxed("box", (8.0, 184.0), 136.0, "*at work*\n`called: true`");
    let rising = canvas.boxed(
        "frame",
        (256.0, 184.0),
        136.0,
        "*about to rise*\n`called: true`",
    );

    canvas.arrow("", &[(144.0, 46.0), (256.0, 46.0)]);
    canvas.text((200.0, 38.0), Align::Middle, "`park`");
    canvas.arrow("wake", &[(336.0, asleep.bottom().1), (336.0, rising.y)]);
    canvas.text((343.0, 136.0), Align::Start, "`unpark`");
    canvas.arrow(
        "",
        &[(256.0, 207.0), (200.0, 207.0), (200.0, 70.0), (144.0, 70.0)],
    );
    canvas.wrapped(
        (207.0, 112.0),
        Align::Start,
        120.0,
        "clears the flag: `park` returns",
    );

    canvas.arrow("wake", &[(40.0, work.bottom().1), (40.0, kept.y)]);
    canvas.text((47.0, 168.0), Align::Start, "`unpark`");
    canvas.arrow("", &[(100.0, kept.y), (100.0, work.bottom().1)]);
    canvas.wrapped(
        (107.0, 112.0),
        Align::Start,
        84.0,
        "`park` returns at once, clears the flag",
    );
    let y = kept.bottom().1;
    canvas.arrow(
        "wake",
        &[(50.0, y), (50.0, y + 22.0), (100.0, y + 22.0), (100.0, y)],
    );
    canvas.text(
        (110.0, y + 20.0),
        Align::Start,
        "`unpark` again: counts as one",
    );
    Figure {
        name: "parker",
        title: "The states of a parker: a flag and a thread".to_owned(),
        description: "Four states, made of the flag called and of what the thread does. At work and not called: park \
                      makes it asleep and not called. Asleep: unpark sets the flag, and the thread is about to rise; \
                      park clears the flag and returns, and the thread is at work. At work and not called: unpark \
                      makes it at work and called; the next park then returns at once and clears the flag. Unpark \
                      again changes nothing: several calls count as one."
            .to_owned(),
        caption: "The flag remembers a call that comes too early: `park` then returns at once. So it does not matter \
                  which of the two comes first, and no wake is lost.",
        canvas,
    }
}
