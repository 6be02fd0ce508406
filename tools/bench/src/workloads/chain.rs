//! Each task spawns the next one, and the last one tells the root future.

use futures::channel::oneshot::{self, Sender};

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn},
};

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let (chains, links) = (size.of(10, 2, 1), size.of(10_000, 10_000, 100));
    let mut runtime = R::start();
    second_time(chains * links, || {
        let sum = runtime.block_on(|spawner| async move {
            let mut sum = 0;
            for _ in 0..chains {
                let (last, end) = oneshot::channel();
                link(&spawner, 1, links, last);
                sum += end.await.expect("a last link");
            }
            sum
        });
        check("the links", sum, chains * links)
    })
}

fn link<S: Spawn>(spawner: &S, number: usize, links: usize, last: Sender<usize>) {
    let inside = spawner.clone();
    spawner.detach(async move {
        match number < links {
            true => link(&inside, number + 1, links, last),
            false => last.send(number).expect("the root waits"),
        }
    });
}
