//! Spawns many tasks, then joins them all.

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn, inside},
};

fn count(size: Size) -> usize {
    size.of(100_000, 20_000, 100)
}

/// From the root future, on a thread that is no worker, or at least is in no task.
pub(super) fn from_the_root<R: Runtime>(size: Size) -> Answer {
    let (mut runtime, count) = (R::start(), count(size));
    second_time(count, || {
        let sum = runtime.block_on(|spawner| spawn_and_join(spawner, count));
        is_right(sum, count)
    })
}

/// From inside a task.
pub(super) fn from_a_task<R: Runtime>(size: Size) -> Answer {
    let (mut runtime, count) = (R::start(), count(size));
    second_time(count, || {
        let work = move |spawner| spawn_and_join(spawner, count);
        let sum = runtime.block_on(|spawner| inside(spawner, work));
        is_right(sum, count)
    })
}

async fn spawn_and_join<S: Spawn>(spawner: S, count: usize) -> usize {
    let mut handles = Vec::with_capacity(count);
    for number in 0..count {
        handles.push(spawner.spawn(async move { number }));
    }
    let mut sum = 0;
    for handle in handles {
        sum += handle.await;
    }
    sum
}

fn is_right(sum: usize, count: usize) -> Result<(), String> {
    check("the sum of the outputs", sum, (0..count).sum())
}
