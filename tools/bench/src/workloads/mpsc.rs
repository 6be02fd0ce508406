//! Pairs of tasks that send each other a number over bounded channels, one at a time.

use futures::{SinkExt, StreamExt, channel::mpsc};

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn, inside},
};

/// The root future spawns the tasks.
pub(super) fn from_the_root<R: Runtime>(size: Size) -> Answer {
    let (pairs, trips) = sizes(size);
    let mut runtime = R::start();
    second_time(pairs * trips, || {
        let sum = runtime.block_on(|spawner| all(spawner, pairs, trips));
        check("the sum of the answers", sum, answers(pairs, trips))
    })
}

/// A task spawns them.
pub(super) fn from_a_task<R: Runtime>(size: Size) -> Answer {
    let (pairs, trips) = sizes(size);
    let mut runtime = R::start();
    second_time(pairs * trips, || {
        let work = move |spawner| all(spawner, pairs, trips);
        let sum = runtime.block_on(|spawner| inside(spawner, work));
        check("the sum of the answers", sum, answers(pairs, trips))
    })
}

fn sizes(size: Size) -> (usize, usize) {
    (size.of(64, 64, 4), size.of(5000, 500, 10))
}

fn answers(pairs: usize, trips: usize) -> usize {
    pairs * (1..=trips).sum::<usize>()
}

async fn all<S: Spawn>(spawner: S, pairs: usize, trips: usize) -> usize {
    let mut handles = Vec::new();
    for _ in 0..pairs {
        let (mut ask, mut asked) = mpsc::channel(1);
        let (mut answer, mut answered) = mpsc::channel(1);
        spawner.detach(async move {
            while let Some(number) = asked.next().await {
                answer.send(number + 1).await.expect("somebody waits");
            }
        });
        handles.push(spawner.spawn(async move {
            let mut sum = 0;
            for number in 0..trips {
                ask.send(number).await.expect("somebody answers");
                sum += answered.next().await.expect("an answer");
            }
            sum
        }));
    }
    let mut sum = 0;
    for handle in handles {
        sum += handle.await;
    }
    sum
}
