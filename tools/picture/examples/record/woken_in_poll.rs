//! Stage 08: a task is woken on one worker while another one polls it. The broken run has a mistake around the stage.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use probe::{Recording, record, watch};
use step08_join_handle::{Runtime, spawn};

use crate::{LONG, SHORT, compute_until, workers::Flag};

pub fn woken_in_poll(is_broken: bool) -> Recording {
    let runtime = Runtime::new(2);
    let (begin, mut end) = (Instant::now(), Duration::MAX);
    let mut recording = record(|| {
        let release = Flag::default();
        let released = release.clone();
        let task = async move {
            let waker = poll_fn(|cx| Poll::Ready(cx.waker().clone())).await;
            let sender = async move {
                compute_until(|| begin.elapsed() > SHORT);
                waker.wake();
                // Keeps worker 2, so that worker 1 is the one that polls the task again.
                released.wait();
            };
            drop(spawn(watch("sender", sender)));
            compute_until(|| begin.elapsed() > 2 * SHORT); // by then, the task is woken
            futures::pending!();
        };
        let task = if is_broken {
            runtime.spawn(forgets(watch("task", task)))
        } else {
            runtime.spawn(watch("task", task))
        };
        compute_until(|| task.is_finished() || begin.elapsed() > LONG);
        release.set();
        if is_broken {
            end = LONG + SHORT; // by then, both workers sleep
            compute_until(|| begin.elapsed() > end);
        }
        runtime.shutdown();
    });
    let events = &mut recording.events;
    events.retain(|it| Duration::from_nanos(it.at) < end);
    recording
}

// ANCHOR: broken
/// Whether the task is being polled.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

struct Forgets(Waker);

impl Wake for Forgets {
    fn wake(self: Arc<Self>) {
        if !IS_RUNNING.load(SeqCst) {
            self.0.wake_by_ref();
        }
    }
}
// ANCHOR_END: broken

/// A task whose wakes do nothing while it is polled.
async fn forgets(task: impl Future) {
    let mut task = pin!(task);
    let poll = poll_fn(|cx| {
        let waker = Arc::new(Forgets(cx.waker().clone())).into();
        IS_RUNNING.store(true, SeqCst);
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        IS_RUNNING.store(false, SeqCst);
        poll
    });
    poll.await;
}
