//! Tasks that do nothing but let each other go first.

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn, inside},
};

/// The root future spawns the tasks, so on several workers those that are neighbours in memory are polled by turns.
pub(super) fn from_the_root<R: Runtime>(size: Size) -> Answer {
    let (tasks, times) = sizes(size);
    let mut runtime = R::start();
    second_time(tasks * times, || {
        let sum = runtime.block_on(|spawner| all::<R>(spawner, tasks, times));
        check("the yields", sum, tasks * times)
    })
}

/// A task spawns them, so a worker has most of its tasks in a row.
pub(super) fn from_a_task<R: Runtime>(size: Size) -> Answer {
    let (tasks, times) = sizes(size);
    let mut runtime = R::start();
    second_time(tasks * times, || {
        let work = move |spawner| all::<R>(spawner, tasks, times);
        let sum = runtime.block_on(|spawner| inside(spawner, work));
        check("the yields", sum, tasks * times)
    })
}

fn sizes(size: Size) -> (usize, usize) {
    (size.of(1000, 1000, 10), size.of(1000, 100, 10))
}

async fn all<R: Runtime>(spawner: R::Spawner, tasks: usize, times: usize) -> usize {
    let task = || async move {
        let mut yields = 0;
        while yields < times {
            R::yield_now().await;
            yields += 1;
        }
        yields
    };
    let handles: Vec<_> = (0..tasks).map(|_| spawner.spawn(task())).collect();
    let mut sum = 0;
    for handle in handles {
        sum += handle.await;
    }
    sum
}
