//! What the demos share: tasks that keep their worker, so that the counts don't depend on luck, and sums of counts.

use std::{
    env,
    io::{self, IsTerminal},
    sync::mpsc,
    thread,
    time::Duration,
};

use futures::executor::block_on;
use step10_work_stealing::{Handle, JoinHandle, Runtime, WorkerMetrics};

/// A task that keeps its worker until this is dropped.
pub struct Held {
    _release: mpsc::Sender<()>,
}

/// Spawns a task that keeps its worker, and waits until a worker has it.
pub fn hold_a_worker(runtime: &Runtime) -> Held {
    let (begin, begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    drop(runtime.spawn(async move {
        begin.send(()).expect("`hold_a_worker` waits for it");
        let _ = released.recv(); // an error, because the sender is dropped
    }));
    begun.recv().expect("the task is polled");
    Held { _release: release }
}

/// Waits without giving up the thread, on purpose.
pub fn block_until(mut done: impl FnMut() -> bool) {
    while !done() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for a task that does not panic.
pub fn join<T>(handle: JoinHandle<T>) -> T {
    block_on(handle).expect("no task panics")
}

/// The text in a quiet colour, if the output is a terminal that may have one.
pub fn in_color(text: &str) -> String {
    let plain = env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty())
        || env::var_os("TERM").is_some_and(|it| it == "dumb");
    if plain || !io::stdout().is_terminal() {
        return text.to_owned();
    }
    format!("\x1b[36m{text}\x1b[0m")
}

/// A count of all workers together.
pub fn sum(handle: &Handle, count: impl Fn(&WorkerMetrics) -> u64) -> u64 {
    handle.metrics().iter().map(count).sum()
}
