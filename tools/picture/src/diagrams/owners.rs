//! Stages 04 and 07: who owns a task.

use crate::canvas::{Align, Canvas};
use crate::figure::Figure;

/// The queue and the wakers, or the runtime.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(472.0);
    canvas.text(
        (8.0, 18.0),
        Align::Start,
        "*Stage 04*: the queue and the wakers own the task",
    );
    let queue = canvas.boxed("box", (8.0, 34.0), 130.0, "*queue*\nof the executor");
    let waker = canvas.boxed("box", (8.0, 104.0), 130.0, "*waker*\nkept by a timer");
    canvas.boxed(
        "box",
        (262.0, 54.0),
        130.0,
        "*task*\nits flag\nand *the future*",
    );
    canvas.arrow("", &[queue.right(), (262.0, 74.0)]);
    canvas.arrow("", &[waker.right(), (262.0, 112.0)]);
    canvas.text((200.0, 48.0), Align::Middle, "while queued");
    canvas.text((200.0, 152.0), Align::Middle, "while waiting");
    canvas.wrapped(
        (8.0, 178.0),
        Align::Start,
        384.0,
        "When the last owner goes, the task goes, finished or not.",
    );

    canvas.line("thin dash", &[(4.0, 206.0), (396.0, 206.0)]);
    canvas.text(
        (8.0, 230.0),
        Align::Start,
        "*Stage 07*: the runtime owns the tasks",
    );
    let runtime = canvas.boxed("box", (8.0, 246.0), 130.0, "*runtime*\nid → future");
    let future = canvas.boxed("box", (262.0, 246.0), 130.0, "*the future*\nof task 3");
    canvas.arrow("", &[runtime.right(), future.left()]);
    canvas.text((200.0, 258.0), Align::Middle, "until it is ready");
    let queue = canvas.boxed("box", (8.0, 322.0), 130.0, "*queue*\nof the runtime");
    let waker = canvas.boxed("box", (8.0, 390.0), 130.0, "*waker*\nkept by a timer");
    let name = canvas.boxed(
        "box",
        (262.0, 346.0),
        130.0,
        "*address*\nits flag\nand the id 3",
    );
    canvas.arrow("", &[queue.right(), (262.0, 364.0)]);
    canvas.arrow("", &[waker.right(), (262.0, 400.0)]);
    let x = name.top().0;
    canvas.arrow("bad", &[(x, name.y), (x, future.bottom().1)]);
    canvas.text((x - 8.0, 322.0), Align::End, "names it");
    canvas.wrapped(
        (8.0, 462.0),
        Align::Start,
        384.0,
        "When the runtime goes, every future goes too.",
    );
    Figure {
        name: "owners",
        title: "Who owns a task: in stage 04 and in stage 07".to_owned(),
        description: "Stage 04: the executor's queue owns the task while it is queued, and a waker that a timer keeps \
                      owns it while it waits. The task has its flag and the future. When the last owner goes, the task \
                      goes, finished or not. Stage 07: the runtime owns the future of each task, by its id, until it \
                      is ready. The queue and the wakers own an address, which has the flag and the id, and names the \
                      future. When the runtime goes, every future goes too."
            .to_owned(),
        caption: "An arrow means \"keeps alive\"; the dotted one does not. In stage 04 a task that nobody can wake is \
                  dropped. In stage 07 the runtime knows all its tasks, waits for each, and can drop them all.",
        canvas,
    }
}
