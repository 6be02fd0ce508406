//! A task spawns another and awaits it, one by one.

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn, inside},
};

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let (mut runtime, count) = (R::start(), size.of(100_000, 20_000, 100));
    second_time(count, || {
        let work = move |spawner| one_by_one(spawner, count);
        let sum = runtime.block_on(|spawner| inside(spawner, work));
        check("the sum of the outputs", sum, (0..count).sum())
    })
}

async fn one_by_one<S: Spawn>(spawner: S, count: usize) -> usize {
    let mut sum = 0;
    for number in 0..count {
        sum += spawner.spawn(async move { number }).await;
    }
    sum
}
