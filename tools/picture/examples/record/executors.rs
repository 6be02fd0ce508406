//! Stage 04: one task on each of the first three executors, and two tasks on the third: that wait, that wake, and that block.

use std::{
    future::poll_fn,
    mem,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Recording, What, record, watch};
use step04_channel_executor::{
    TimerFuture, v1_looks_every_10_ms, v2_sends_again,
    v3_polls_when_woken::{Spawner, executor},
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
    run(|spawner| {
        spawner.spawn(watch("one", TimerFuture::new(SHORT)));
        spawner.spawn(watch("two", TimerFuture::new(LONG)));
    })
}

pub fn blocks() -> Recording {
    run(|spawner| {
        spawner.spawn(watch("neighbour", TimerFuture::new(SHORT)));
        spawner.spawn(watch("blocks", async { thread::sleep(LONG) }));
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
