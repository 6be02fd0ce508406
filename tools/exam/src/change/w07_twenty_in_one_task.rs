//! Twenty futures in one task, all of which are polled whenever one of them is ready.

use futures::{
    StreamExt,
    channel::oneshot::{self, Receiver},
    future::join_all,
    stream::FuturesUnordered,
};
use probe::{Counted, CountingWaker};

// ANCHOR: program
/// Waits for twenty answers, which arrive one by one.
async fn wait_for_all(answers: Vec<Counted<Receiver<()>>>) {
    join_all(answers).await;
}
// ANCHOR_END: program

// ANCHOR: change
async fn changed(answers: Vec<Counted<Receiver<()>>>) {
    let mut answers: FuturesUnordered<_> = answers.into_iter().collect();
    while answers.next().await.is_some() {}
}
// ANCHOR_END: change

#[test]
fn with_a_waker_of_its_own_each_is_polled_twice() {
    fn polls<F: Future<Output = ()>>(wait_for: fn(Vec<Counted<Receiver<()>>>) -> F) -> usize {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..20).map(|_| oneshot::channel()).unzip();
        let answers: Vec<_> = receivers.into_iter().map(Counted::new).collect();
        let counts: Vec<_> = answers.iter().map(Counted::counts).collect();
        let (mut task, waker) = (Box::pin(wait_for(answers)), CountingWaker::new());
        assert!(probe::poll(&mut task, &waker.waker()).is_pending());
        for (number, sender) in senders.into_iter().enumerate() {
            sender.send(()).unwrap();
            let is_last = number == 19;
            assert_eq!(probe::poll(&mut task, &waker.waker()).is_ready(), is_last);
        }
        counts.iter().map(|it| it.polls()).sum()
    }
    assert_eq!((polls(wait_for_all), polls(changed)), (230, 40));
}
