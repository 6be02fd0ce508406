//! Stage 04: two tasks that wait, and that block.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use probe::{Recording, record, watch};
use step04_channel_executor::{
    Signal, TimerFuture,
    v3_polls_when_woken::{Spawner, executor},
};

use crate::{LONG, SHORT};

/// Runs what is spawned.
fn run(spawn: impl FnOnce(&Spawner)) -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        spawn(&spawner);
        drop(spawner);
        executor.run();
    })
}

pub fn woken() -> Recording {
    let (finished, is_finished) = mpsc::channel();
    let after_one = move || is_finished.recv().expect("`one` finishes");
    run(|spawner| {
        let one = watch("one", TimerFuture::new(SHORT));
        spawner.spawn(async move {
            one.await;
            finished.send(()).expect("the thread of `two` waits");
        });
        spawner.spawn(watch("two", timer(LONG, after_one, || ())));
    })
}

pub fn blocks() -> Recording {
    let (fired, is_fired) = mpsc::channel();
    let tell = move || fired.send(()).expect("`blocks` waits");
    run(|spawner| {
        spawner.spawn(watch("neighbour", timer(SHORT, || (), tell)));
        spawner.spawn(watch("slow", async move {
            thread::sleep(LONG);
            is_fired.recv().expect("the neighbour is woken");
        }));
    })
}

pub fn awaits() -> Recording {
    let (finished, is_finished) = mpsc::channel();
    let after_neighbour = move || is_finished.recv().expect("the neighbour finishes");
    run(|spawner| {
        let neighbour = watch("neighbour", TimerFuture::new(SHORT));
        spawner.spawn(async move {
            neighbour.await;
            finished.send(()).expect("the thread of `slow` waits");
        });
        spawner.spawn(watch("slow", timer(LONG, after_neighbour, || ())));
    })
}

/// A timer with a thread, as `TimerFuture` is. When the thread has slept, it calls `before`, fires, and calls `after`.
fn timer(
    duration: Duration,
    before: impl FnOnce() + Send + 'static,
    after: impl FnOnce() + Send + 'static,
) -> impl Future<Output = ()> + Send + 'static {
    let signal = Arc::<Signal>::default();
    let fired = Arc::clone(&signal);
    let mut sleep = Some(move || {
        thread::sleep(duration);
        before();
        fired.fire();
        after();
    });
    poll_fn(move |cx| {
        let answer = signal.poll_fired(cx);
        sleep.take().map(thread::spawn);
        answer
    })
}
