//! What a message costs, between two tasks and between many.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use futures::{
    SinkExt, StreamExt,
    channel::{
        mpsc,
        oneshot::{self, Sender},
    },
};

use crate::{
    measure::{Figures, Size, second_time, sum},
    runtime::Runtime,
};

/// Two tasks, spawned by a task, that send each other one message and have nothing else to do.
pub(super) fn two_tasks<R: Runtime, const WORKERS: usize>(size: Size) -> Figures {
    let trips = size.of(200_000, 20_000, 10);
    let mut runtime = R::start(WORKERS);
    second_time(trips, (1..=trips).sum(), || {
        runtime.block_on(async { R::spawn(talk::<R>(1, trips)).await })
    })
}

/// 64 pairs of tasks that do so, spawned by the root future.
pub(super) fn pairs<R: Runtime>(size: Size) -> Figures {
    let (pairs, trips) = (size.of(64, 64, 4), size.of(5000, 500, 10));
    let mut runtime = R::start(2);
    second_time(pairs * trips, pairs * (1..=trips).sum::<usize>(), || {
        runtime.block_on(talk::<R>(pairs, trips))
    })
}

async fn talk<R: Runtime>(pairs: usize, trips: usize) -> usize {
    let pair = |_| {
        let (mut ask, mut asked) = mpsc::channel(1);
        let (mut answer, mut answered) = mpsc::channel(1);
        R::detach(async move {
            while let Some(number) = asked.next().await {
                answer.send(number + 1).await.expect("the asker waits");
            }
        });
        R::spawn(async move {
            let mut sum = 0;
            for number in 0..trips {
                ask.send(number).await.expect("the other task answers");
                sum += answered.next().await.expect("an answer");
            }
            sum
        })
    };
    sum((0..pairs).map(pair)).await
}

/// Ping-pong over two oneshot channels: each ping spawns the task that asks, which spawns the one that answers. The shape
/// is that of `ping_pong` in tokio's own benchmarks, with 1,000 pings at a time.
pub(super) fn oneshots<R: Runtime>(size: Size) -> Figures {
    let (rounds, pings) = (size.of(100, 20, 2), size.of(1000, 1000, 20));
    let mut runtime = R::start(2);
    second_time(rounds * pings, 2 * rounds * pings, || {
        runtime.block_on(async { R::spawn(all_rounds::<R>(rounds, pings)).await })
    })
}

async fn all_rounds<R: Runtime>(rounds: usize, pings: usize) -> usize {
    let mut sum = 0;
    for _ in 0..rounds {
        let (done, all_done) = oneshot::channel();
        let done = Mutex::new(Some(done));
        let round = Arc::new((AtomicUsize::new(pings), AtomicUsize::new(0), done));
        for _ in 0..pings {
            R::detach(ping::<R>(Arc::clone(&round)));
        }
        sum += all_done.await.expect("the last ping says so");
    }
    sum
}

/// How many pings have no answer yet, the sum of the answers, and whom the last one tells.
type Round = (AtomicUsize, AtomicUsize, Mutex<Option<Sender<usize>>>);

async fn ping<R: Runtime>(round: Arc<Round>) {
    let (ask, asked) = oneshot::channel();
    let (answer, answered) = oneshot::channel();
    R::detach(async move {
        let number: usize = asked.await.expect("a question");
        answer.send(number + 1).expect("the asker waits");
    });
    ask.send(1).expect("the other task answers");
    let answer = answered.await.expect("an answer");
    let (left, sum, done) = &*round;
    sum.fetch_add(answer, Ordering::Relaxed);
    if left.fetch_sub(1, Ordering::AcqRel) == 1 {
        let done = done.lock().expect("no task panics").take().expect("once");
        done.send(sum.load(Ordering::Relaxed))
            .expect("the round waits");
    }
}
