//! Stage 04: one task on each of the three executors, and two tasks on the third: that wait, that wake, and that block.

use std::{
    future::{Future, poll_fn},
    mem,
    sync::{Arc, Mutex, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Recording, What, record, watch};
use step04_channel_executor::{
    Signal, Spawner, TimerFuture, executor, v1_looks_every_10_ms, v2_sends_again,
};

use crate::{LONG, SHORT};

/// Half-way between two of version 1's checks, the fourth and the fifth.
const BETWEEN: Duration = Duration::from_millis(35);

pub fn checks() -> Recording {
    record(|| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(watch("task", TimerFuture::new(BETWEEN)));
        drop(spawner);
        executor.run();
    })
}

/// Of the polls that find nothing, the third one stands for all that follow. This executor never sleeps, and no wake has an effect
/// there: it comes in a race with the polls.
pub fn sends_again() -> Recording {
    let mut recording = record(|| {
        let (executor, spawner) = v2_sends_again::executor();
        spawner.spawn(watch("task", TimerFuture::new(BETWEEN)));
        drop(spawner);
        executor.run();
    });
    let of_wakers = |what: &What| {
        matches!(
            what,
            What::Wake { .. } | What::Keep { .. } | What::Release { .. }
        )
    };
    let events = &mut recording.events;
    events.retain(|event| event.task.is_some() && !of_wakers(&event.what));
    recording.threads.truncate(1);
    // Before these, it is spawned and polled three times, and the end is pending, poll, ready and drop.
    let more = 6..events.len() - 4;
    events[6].what = What::Again {
        polls: more.len() as u32 / 2,
    };
    events.drain(7..more.end);
    recording
}

/// Runs what is spawned.
fn run(spawn: impl FnOnce(&Spawner)) -> Recording {
    record(|| {
        let (executor, spawner) = executor();
        spawn(&spawner);
        drop(spawner);
        executor.run();
    })
}

pub fn when_woken() -> Recording {
    run(|spawner| spawner.spawn(watch("task", TimerFuture::new(BETWEEN))))
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
        spawner.spawn(watch("blocks", async move {
            thread::sleep(LONG);
            is_fired.recv().expect("the neighbour is woken");
        }));
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

/// The second task wakes the first one, which waits for that, twice in its only poll.
pub fn twice() -> Recording {
    let kept = Arc::new(Mutex::new(None::<Waker>));
    let keeps = Arc::clone(&kept);
    let mut polled = false;
    let waits = poll_fn(move |cx| {
        if mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        *keeps.lock().expect("no code panics here") = Some(cx.waker().clone());
        Poll::Pending
    });
    let wakes = async move {
        let waker = kept.lock().expect("no code panics here").take();
        let waker = waker.expect("the other task was spawned first");
        waker.wake_by_ref();
        waker.wake();
    };
    run(|spawner| {
        spawner.spawn(watch("task", waits));
        spawner.spawn(watch("other", wakes));
    })
}
