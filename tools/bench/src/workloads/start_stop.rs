//! A runtime that starts, runs one task and is dropped.

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn},
};

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let times = size.of(1000, 100, 3);
    second_time(times, || {
        let mut sum = 0;
        for _ in 0..times {
            let mut runtime = R::start();
            sum += runtime.block_on(|spawner| async move { spawner.spawn(async { 1 }).await });
        }
        check("the tasks", sum, times)
    })
}
