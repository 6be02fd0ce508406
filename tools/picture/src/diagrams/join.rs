//! Stage 02: a future made of futures is a tree.

use crate::canvas::{Align, Canvas};
use crate::figure::Figure;

/// Polls go down, wakes go straight up.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(364.0);
    let run_loop = canvas.boxed("box", (135.0, 8.0), 130.0, "*run loop*\nits thread polls");
    let both = canvas.boxed("box", (135.0, 110.0), 130.0, "*Join*");
    let a = canvas.boxed("box", (64.0, 212.0), 116.0, "*a*\na timer");
    let b = canvas.boxed("box", (220.0, 212.0), 116.0, "*b*\na timer");
    canvas.arrow("", &[run_loop.bottom(), both.top()]);
    canvas.text((208.0, 88.0), Align::Start, "`poll(wake)`");
    let y = both.bottom().1;
    canvas.arrow("", &[(172.0, y), (122.0, a.y)]);
    canvas.arrow("", &[(228.0, y), (278.0, b.y)]);
    canvas.text((136.0, 186.0), Align::End, "`poll(wake)`");
    canvas.text((264.0, 186.0), Align::Start, "`poll(wake)`");
    for (timer, x, out) in [(a, a.x, 20.0), (b, b.x + b.w, 380.0)] {
        let thread = canvas.boxed("frame", (timer.x, 306.0), 116.0, "its thread\nsleeps");
        let side = if out < 200.0 {
            run_loop.x
        } else {
            run_loop.x + run_loop.w
        };
        let y = thread.left().1;
        canvas.line("dots", &[timer.bottom(), thread.top()]);
        canvas.arrow("wake", &[(x, y), (out, y), (out, 30.0), (side, 30.0)]);
    }
    canvas.text((28.0, 60.0), Align::Start, "`wake()`");
    canvas.text((372.0, 60.0), Align::End, "`wake()`");
    Figure {
        name: "join",
        title: "Join over two timers: polls go down the tree, wakes go straight to the run loop".to_owned(),
        description: "A tree. On top the run loop, the thread that polls. Below it the Join. Below that the timers a and \
                      b, each with a thread that sleeps until the time is up. The run loop polls the Join and passes wake. \
                      The Join polls each timer that is not finished, and passes the same wake. Each timer's thread \
                      calls wake, and that goes straight to the run loop, not through the Join."
            .to_owned(),
        caption: "The `wake` that the run loop hands in goes down the tree as it is, and comes back from the leaves \
                  straight to the run loop. `AndThen` is the same tree, but polls b only once a is finished.",
        canvas,
    }
}
