//! What a task does to its neighbours, the other tasks on its executor: counted in polls.

use std::{
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
};

use crate::{Polls, executor};

/// Lets the other tasks of the executor run, and then goes on.
///
/// The first poll wakes its own task and is pending, so the task joins the end of the queue. The second poll is ready.
///
/// ```
/// use step04_channel_executor::{Polls, executor, yield_now};
///
/// let polls = Polls::default();
/// let (executor, spawner) = executor();
/// spawner.spawn(polls.count(yield_now()));
/// drop(spawner);
/// executor.run();
/// assert_eq!(polls.get(), 2);
/// ```
// ANCHOR: yield_now
pub async fn yield_now() {
    let mut yielded = false;
    poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
// ANCHOR_END: yield_now

/// Spawns `neighbour`, then `task`, and runs both to completion. Returns how many polls `neighbour` had received when
/// `task` was finished.
///
/// ```
/// use step04_channel_executor::{polls_of_neighbour, yield_now};
///
/// let twice = async { yield_now().await };
/// // The neighbour was spawned first, so it has been polled once before the task begins.
/// assert_eq!(polls_of_neighbour(twice, async {}), 1);
/// ```
pub fn polls_of_neighbour(
    neighbour: impl Future<Output = ()> + Send + 'static,
    task: impl Future<Output = ()> + Send + 'static,
) -> usize {
    let (polls, at_the_end) = (Polls::default(), Arc::new(AtomicUsize::new(0)));
    let (executor, spawner) = executor();
    spawner.spawn(polls.count(neighbour));
    let seen = Arc::clone(&at_the_end);
    spawner.spawn(async move {
        task.await;
        seen.store(polls.get(), Ordering::Relaxed);
    });
    drop(spawner);
    executor.run();
    at_the_end.load(Ordering::Relaxed)
}
