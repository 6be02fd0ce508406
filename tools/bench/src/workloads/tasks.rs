//! What tasks cost: to spawn and join them, to yield, to start and stop a whole runtime.

use futures::channel::oneshot::{self, Sender};

use super::{sum, work_in};
use crate::{
    measure::{Answer, Size, second_time},
    runtime::Runtime,
};

/// Spawns many tasks, then joins them all.
pub(super) fn spawn<R: Runtime, const INSIDE: bool>(size: Size) -> Answer {
    let count = size.of(100_000, 20_000, 100);
    let mut runtime = R::start(2);
    second_time(count, (0..count).sum(), || {
        runtime.block_on(work_in::<R, INSIDE>(spawn_and_join::<R>(count)))
    })
}

async fn spawn_and_join<R: Runtime>(count: usize) -> usize {
    let spawn = |number| R::spawn(async move { number });
    sum((0..count).map(spawn).collect()).await
}

/// A task spawns another and awaits it, one by one.
pub(super) fn spawn_await<R: Runtime>(size: Size) -> Answer {
    let count = size.of(100_000, 20_000, 100);
    let mut runtime = R::start(2);
    let one_by_one = move || async move {
        let mut sum = 0;
        for number in 0..count {
            sum += R::spawn(async move { number }).await;
        }
        sum
    };
    second_time(count, (0..count).sum(), || {
        runtime.block_on(work_in::<R, true>(one_by_one()))
    })
}

/// Tasks that do nothing but let each other go first. If the root future spawns them, those that are neighbours in memory are
/// polled by turns on several workers. If a task does, a worker has most of its tasks in a row.
pub(super) fn yields<R: Runtime, const INSIDE: bool>(size: Size) -> Answer {
    let (tasks, times) = (size.of(1000, 1000, 10), size.of(1000, 100, 10));
    let mut runtime = R::start(2);
    second_time(tasks * times, tasks * times, || {
        runtime.block_on(work_in::<R, INSIDE>(all_yield::<R>(tasks, times)))
    })
}

async fn all_yield<R: Runtime>(tasks: usize, times: usize) -> usize {
    let task = || async move {
        let mut yields = 0;
        while yields < times {
            R::yield_now().await;
            yields += 1;
        }
        yields
    };
    sum((0..tasks).map(|_| R::spawn(task())).collect()).await
}

/// Each task spawns the next one, and the last one tells the root future.
pub(super) fn chain<R: Runtime>(size: Size) -> Answer {
    let (chains, links) = (size.of(10, 2, 1), size.of(10_000, 10_000, 100));
    let mut runtime = R::start(2);
    second_time(chains * links, chains * links, || {
        runtime.block_on(async {
            let mut sum = 0;
            for _ in 0..chains {
                let (last, end) = oneshot::channel();
                link::<R>(1, links, last);
                sum += end.await.expect("a last link");
            }
            sum
        })
    })
}

fn link<R: Runtime>(number: usize, links: usize, last: Sender<usize>) {
    R::detach(async move {
        match number < links {
            true => link::<R>(number + 1, links, last),
            false => last.send(number).expect("the root waits"),
        }
    });
}

/// A runtime that starts, runs one task and is dropped.
pub(super) fn start_stop<R: Runtime>(size: Size) -> Answer {
    let times = size.of(1000, 100, 3);
    second_time(times, times, || {
        (0..times)
            .map(|_| R::start(2).block_on(async { R::spawn(async { 1 }).await }))
            .sum()
    })
}
