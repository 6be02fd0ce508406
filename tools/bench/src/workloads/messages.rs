//! What a message costs, between two tasks and between many.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use futures::{
    SinkExt, StreamExt,
    channel::{mpsc, oneshot},
};

use super::{sum, work_in};
use crate::{
    measure::{Answer, Size, second_time},
    runtime::Runtime,
};

/// Two tasks that send each other one message, and nothing else to do.
pub(super) fn two_tasks<R: Runtime, const WORKERS: usize>(size: Size) -> Answer {
    let trips = size.of(200_000, 20_000, 10);
    let mut runtime = R::start(WORKERS);
    second_time(trips, (1..=trips).sum(), || {
        runtime.block_on(work_in::<R, true>(talk::<R>(1, trips)))
    })
}

/// 64 pairs of tasks that do so.
pub(super) fn pairs<R: Runtime, const INSIDE: bool>(size: Size) -> Answer {
    let (pairs, trips) = (size.of(64, 64, 4), size.of(5000, 500, 10));
    let mut runtime = R::start(2);
    second_time(pairs * trips, pairs * (1..=trips).sum::<usize>(), || {
        runtime.block_on(work_in::<R, INSIDE>(talk::<R>(pairs, trips)))
    })
}

async fn talk<R: Runtime>(pairs: usize, trips: usize) -> usize {
    let mut handles = Vec::new();
    for _ in 0..pairs {
        let (mut ask, mut asked) = mpsc::channel(1);
        let (mut answer, mut answered) = mpsc::channel(1);
        R::detach(async move {
            while let Some(number) = asked.next().await {
                answer.send(number + 1).await.expect("the asker waits");
            }
        });
        handles.push(R::spawn(async move {
            let mut sum = 0;
            for number in 0..trips {
                ask.send(number).await.expect("the other task answers");
                sum += answered.next().await.expect("an answer");
            }
            sum
        }));
    }
    sum(handles).await
}

/// Ping-pong over two oneshot channels: each ping spawns the task that asks, which spawns the one that answers. The shape
/// is that of `ping_pong` in tokio's own benchmarks, with 1,000 pings at a time.
pub(super) fn oneshots<R: Runtime>(size: Size) -> Answer {
    let (rounds, pings) = (size.of(100, 20, 2), size.of(1000, 1000, 20));
    let mut runtime = R::start(2);
    second_time(rounds * pings, 2 * rounds * pings, || {
        runtime.block_on(work_in::<R, true>(async move {
            let mut sum = 0;
            for _ in 0..rounds {
                sum += round::<R>(pings).await;
            }
            sum
        }))
    })
}

/// How many pings have no answer yet, the sum of the answers, and whom the last one tells.
struct Round {
    left: AtomicUsize,
    sum: AtomicUsize,
    done: Mutex<Option<oneshot::Sender<usize>>>,
}

async fn round<R: Runtime>(pings: usize) -> usize {
    let (done, all_done) = oneshot::channel();
    let round = Arc::new(Round {
        left: AtomicUsize::new(pings),
        sum: AtomicUsize::new(0),
        done: Mutex::new(Some(done)),
    });
    for _ in 0..pings {
        R::detach(ping::<R>(Arc::clone(&round)));
    }
    all_done.await.expect("the last ping says so")
}

async fn ping<R: Runtime>(round: Arc<Round>) {
    let (ask, asked) = oneshot::channel();
    let (answer, answered) = oneshot::channel();
    R::detach(async move {
        let number: usize = asked.await.expect("a question");
        answer.send(number + 1).expect("the asker waits");
    });
    ask.send(1).expect("the other task answers");
    let answer = answered.await.expect("an answer");
    round.sum.fetch_add(answer, Ordering::Relaxed);
    if round.left.fetch_sub(1, Ordering::AcqRel) == 1 {
        let done = round.done.lock().expect("no task panics").take();
        let sum = round.sum.load(Ordering::Relaxed);
        let told = done.expect("it is the last one").send(sum);
        told.expect("the player waits");
    }
}
