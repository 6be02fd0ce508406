//! The life of a future: the picture of the book.

use crate::canvas::{Align, Canvas, Rect, WIDTH, height_of};
use crate::figure::Figure;
use crate::words::{self, LINE};

/// A step, and what is drawn for it.
struct Step {
    text: &'static str,
    draw: &'static [Draw],
}

/// What is drawn in the row of a step.
enum Draw {
    Made,
    Dropped,
    Ready,
    Arrow(&'static str, usize, usize),
}
use Draw::{Arrow, Dropped, Made, Ready};

const LANES: [&str; 5] = [
    "*executor*: its thread",
    "*task*: the future in its box",
    "*waker*: clones that exist",
    "*reactor*: its thread",
    "*operating system*",
];
const EXECUTOR: usize = 0;
const TASK: usize = 1;
const WAKER: usize = 2;
const REACTOR: usize = 3;
const SYSTEM: usize = 4;

const STEPS: [Step; 16] = [
    Step {
        text: "*Made.* You call an `async fn` and get a future. Nothing runs: a future is lazy.",
        draw: &[Made],
    },
    Step {
        text: "*Spawned.* The future is put into a box, the box into a task, and the task into the executor's queue.",
        draw: &[Arrow("", TASK, EXECUTOR)],
    },
    Step {
        text: "*Taken.* The executor takes the task out of the queue and clears its flag \"queued\".",
        draw: &[],
    },
    Step {
        text: "*Waker made.* It makes a waker for this task, and a `Context` to carry it.",
        draw: &[Arrow("thin", EXECUTOR, WAKER)],
    },
    Step {
        text: "*Polled.* It calls `poll`. The body runs up to an `.await` that has to wait.",
        draw: &[Arrow("", EXECUTOR, TASK)],
    },
    Step {
        text: "*Registered.* The leaf, the future that waits itself, clones the waker and leaves the clone with the \
               reactor.",
        draw: &[Arrow("thin", TASK, REACTOR)],
    },
    Step {
        text: "*Pending.* `poll` returns, through every future in between. The executor drops its own waker; the clone \
               lives on.",
        draw: &[Arrow("dash", TASK, EXECUTOR)],
    },
    Step {
        text: "*Executor asleep.* Its queue is empty, so it parks its thread.",
        draw: &[],
    },
    Step {
        text: "*Reactor asleep.* It asks the operating system to be called when time is up or data is there.",
        draw: &[Arrow("", REACTOR, SYSTEM)],
    },
    Step {
        text: "*It happens.* Time is up, or data comes. The operating system lets the reactor's thread go on.",
        draw: &[Arrow("", SYSTEM, REACTOR)],
    },
    Step {
        text: "*Found.* Under its lock the reactor takes the waker out of its map. Then it lets go of the lock.",
        draw: &[],
    },
    Step {
        text: "*Woken.* It calls `wake`, which sets \"queued\", puts the task into the queue and unparks the executor. \
               The clone is used up.",
        draw: &[Arrow("wake", REACTOR, EXECUTOR)],
    },
    Step {
        text: "*Polled again.* As in 3 to 5. The body goes on behind the `.await`.",
        draw: &[Arrow("", EXECUTOR, TASK)],
    },
    Step {
        text: "*Ready.* The body ends, and `poll` returns `Ready(output)`. The output goes to whoever waits for it.",
        draw: &[Arrow("dash", TASK, EXECUTOR), Ready],
    },
    Step {
        text: "*Dropped.* The executor drops the future, and with it all that it holds. A wake that comes now finds \
               nothing to poll.",
        draw: &[Dropped],
    },
    Step {
        text: "*Or cancelled.* A future may be dropped at any time before it is ready. Then the leaf takes its waker \
               out of the reactor, and nobody is woken.",
        draw: &[Arrow("dash", TASK, REACTOR), Dropped],
    },
];

/// What lasts: its class, its lane, how wide it is, how far to the side, and from which step to which.
const BARS: [(&str, usize, f32, f32, usize, usize); 10] = [
    ("awake", EXECUTOR, 6.0, 0.0, 2, 8),
    ("awake", EXECUTOR, 6.0, 0.0, 13, 15),
    ("awake", REACTOR, 6.0, 0.0, 6, 9),
    ("awake", REACTOR, 6.0, 0.0, 10, 12),
    ("awake", SYSTEM, 6.0, 0.0, 9, 10),
    ("held", WAKER, 6.0, -5.0, 4, 7),
    ("held", WAKER, 6.0, -5.0, 13, 14),
    ("held", WAKER, 6.0, 5.0, 6, 12),
    ("poll", TASK, 12.0, 0.0, 5, 7),
    ("poll", TASK, 12.0, 0.0, 13, 14),
];

const HEADER: f32 = 18.0;
const LEFT: f32 = 16.0;
const LANE: f32 = 32.0;
const NUMBER: f32 = 172.0;
const TEXT: f32 = 188.0;

/// From spawn to drop, through everybody who takes part.
pub fn figure() -> Figure {
    let limit = WIDTH - 3.0 - TEXT;
    let mut y = HEADER * 5.0 + 22.0;
    let mut rows = Vec::new();
    for step in &STEPS {
        if rows.len() + 1 == STEPS.len() {
            y += 16.0; // the way it may end instead
        }
        rows.push(y);
        y += height_of(&words::wrap(step.text, limit)) + 10.0;
    }
    let mut canvas = Canvas::new(y);
    lanes(&mut canvas, &rows, y);
    for (number, (step, y)) in (1..).zip(STEPS.iter().zip(&rows)) {
        canvas.number((NUMBER, *y), number);
        canvas.wrapped((TEXT, y + 4.5), Align::Start, limit, step.text);
        step.draw
            .iter()
            .for_each(|draw| mark(&mut canvas, draw, *y));
    }
    let numbered = (1..).zip(&STEPS);
    let sentences: Vec<_> = numbered
        .map(|(number, step)| format!("{number}: {}", words::plain(step.text)))
        .collect();
    let lanes: Vec<_> = LANES.iter().map(|lane| words::plain(lane)).collect();
    Figure {
        name: "life-of-a-future",
        title: "The life of a future".to_owned(),
        description: format!(
            "Lanes, from left to right: {}. Time goes down. {}",
            lanes.join("; "),
            sentences.join(" ")
        ),
        caption: "From spawn to drop. Follow the thick arrow: the wake is the only way back from the reactor to the \
                  executor. Between 9 and 10 no thread has anything to do.",
        canvas,
    }
}

fn lanes(canvas: &mut Canvas, rows: &[f32], bottom: f32) {
    let row = |step: usize| rows[step - 1];
    for (lane, (header, base)) in LANES
        .iter()
        .zip((0u8..).map(|it| HEADER * f32::from(it) + 15.0))
        .enumerate()
    {
        canvas.text((x(lane) - 8.0, base), Align::Start, header);
        canvas.line("dots", &[(x(lane), base + 5.0), (x(lane), bottom - 6.0)]);
    }
    canvas.line("", &[(x(TASK), row(1)), (x(TASK), row(15))]);
    for (class, lane, width, aside, from, to) in BARS {
        // A thread is awake a little before it acts, and until what it does last is done.
        let longer = if class == "awake" { LINE / 2.0 } else { 0.0 };
        let (from, to) = (row(from) - longer, row(to) + longer);
        let rect = Rect {
            x: x(lane) + aside - width / 2.0,
            y: from,
            w: width,
            h: to - from,
        };
        if class == "awake" {
            canvas.strip(rect);
        } else {
            canvas.rect(class, rect);
        }
    }
    let cut = row(16) - 20.0;
    canvas.line("thin dash", &[(4.0, cut), (WIDTH - 4.0, cut)]);
}

fn mark(canvas: &mut Canvas, draw: &Draw, y: f32) {
    match draw {
        Made => canvas.circle("hole", (x(TASK), y), 5.0),
        Ready => canvas.circle("poll", (x(TASK), y), 8.0),
        Dropped => canvas.cross("", (x(TASK), y)),
        Arrow(class, from, to) => {
            let side = if to > from { 6.0 } else { -6.0 };
            canvas.arrow(class, &[(x(*from) + side, y), (x(*to) - side, y)]);
        }
    }
}

fn x(lane: usize) -> f32 {
    LEFT + LANE * u8::try_from(lane).map_or(0.0, f32::from)
}
