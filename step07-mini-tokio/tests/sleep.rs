//! Sleeps cost the same polls on mini-tokio and on tokio, and one thread for all of them.

// The reactor's thread outlives the tests, which Miri takes for a mistake.
#![cfg(not(miri))]

use std::time::{Duration, Instant};

use probe::{Counted, Counts, within};
use step07_mini_tokio::{MiniTokio, Reactor, sleep};

const SLEEPS: usize = 1_000;
const SHORT: Duration = Duration::from_millis(20);

fn on_mini_tokio(tasks: Vec<impl Future<Output = ()> + Send + 'static>) {
    let mini_tokio = MiniTokio::new();
    tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
    mini_tokio.run();
}

#[tokio::main(flavor = "current_thread")]
async fn on_tokio(tasks: Vec<impl Future<Output = ()> + Send + 'static>) {
    for task in tasks.into_iter().map(tokio::spawn).collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

fn sleeps() -> (Vec<impl Future<Output = ()> + Send>, Vec<Counts>) {
    let counted = (0..SLEEPS).map(|_| Counted::new(sleep(SHORT)));
    counted
        .map(|it| {
            let counts = it.counts();
            (it, counts)
        })
        .unzip()
}

#[test]
fn each_sleep_takes_two_polls_on_both_and_all_of_them_take_one_thread() {
    within(Duration::from_secs(20), || {
        let ((ours, our_counts), (theirs, their_counts)) = (sleeps(), sleeps());
        on_mini_tokio(ours);
        on_tokio(theirs);
        for counts in our_counts.iter().chain(&their_counts) {
            assert_eq!((counts.polls(), counts.completions()), (2, 1));
        }
        assert_eq!(Reactor::threads_started(), 1);
    });
}

#[test]
fn it_is_never_early() {
    within(Duration::from_secs(20), || {
        let start = Instant::now();
        futures::executor::block_on(sleep(SHORT));
        assert!(start.elapsed() >= SHORT);
    });
}
