//! Ping-pong over two oneshot channels: each ping spawns the task that asks, which spawns the one that answers. The shape
//! is that of `ping_pong` in tokio's own benchmarks, with 1,000 pings at a time.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use futures::channel::oneshot;

use crate::{
    measure::{Answer, Size, check, second_time},
    runtime::{Runtime, Spawn, inside},
};

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let (rounds, pings) = (size.of(100, 20, 2), size.of(1000, 1000, 20));
    let mut runtime = R::start();
    second_time(rounds * pings, || {
        let work = move |spawner| play(spawner, rounds, pings);
        let answers = runtime.block_on(|spawner| inside(spawner, work));
        check("the answers", answers, rounds * pings)
    })
}

async fn play<S: Spawn>(spawner: S, rounds: usize, pings: usize) -> usize {
    let mut answers = 0;
    for _ in 0..rounds {
        let (done, all_done) = oneshot::channel();
        let left = Arc::new(Left {
            count: AtomicUsize::new(pings),
            done: Mutex::new(Some(done)),
        });
        for _ in 0..pings {
            spawner.detach(ping(spawner.clone(), Arc::clone(&left)));
        }
        all_done.await.expect("the last ping says so");
        answers += pings;
    }
    answers
}

/// How many pings have no answer yet, and whom the last one tells.
struct Left {
    count: AtomicUsize,
    done: Mutex<Option<oneshot::Sender<()>>>,
}

async fn ping<S: Spawn>(spawner: S, left: Arc<Left>) {
    let (ask, asked) = oneshot::channel();
    let (answer, answered) = oneshot::channel();
    spawner.detach(async move {
        let number: u32 = asked.await.expect("a question");
        answer.send(number + 1).expect("somebody waits");
    });
    ask.send(1).expect("somebody answers");
    assert_eq!(answered.await, Ok(2));
    if left.count.fetch_sub(1, Ordering::AcqRel) == 1 {
        let done = left.done.lock().expect("nobody panics").take();
        done.expect("it is the last one")
            .send(())
            .expect("the player waits");
    }
}
