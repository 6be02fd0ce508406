use super::*;
mod order;
mod sleep;
mod wait;
use probe::{Counted, Counts, watch, within};
use std::{
    future::poll_fn,
    time::{Duration, Instant},
};
use step05_parker_block_on::block_on;
use step07_mini_tokio::Delay;

const LIMIT: Duration = Duration::from_secs(2);

fn spawn(
    mini_tokio: &mut MiniTokio,
    name: &str,
    future: impl Future<Output = ()> + Send + 'static,
) -> Counts {
    let counted = Counted::new(future);
    let counts = counted.counts();
    mini_tokio.spawn(watch(name, counted));
    counts
}

async fn delay(ms: u64) {
    Delay::until(Instant::now() + Duration::from_millis(ms)).await;
}

#[test]
fn it_returns_when_every_task_has_finished() {
    within(LIMIT, || {
        // Another runtime, which does not run. Its task is none of the first one's business.
        MiniTokio::new().spawn(async {});
        let mut mini_tokio = MiniTokio::new();
        let counts = ["one", "two", "three"].map(|name| spawn(&mut mini_tokio, name, async {}));
        mini_tokio.run();
        for counts in counts {
            assert_eq!(counts.polls(), 1, "each task is ready at its first poll");
        }
    });
}

#[test]
fn it_does_not_return_while_a_task_waits() {
    within(LIMIT, || {
        let mut mini_tokio = MiniTokio::new();
        let waiting = spawn(&mut mini_tokio, "a delay of 30 ms", delay(30));
        let quick = spawn(&mut mini_tokio, "a quick one", async {});
        mini_tokio.run();
        assert!(
            (waiting.completions(), quick.completions()) == (1, 1),
            "`run` returned, but a task that waits for a timer has not finished. While every task waits, the queue \
             is empty. That is when `run` has to sleep instead of returning."
        );
        assert_eq!(
            waiting.polls(),
            2,
            "it should be polled at the start and when it is woken, and not in between"
        );
    });
}

#[test]
fn it_returns_although_a_waker_is_kept() {
    within(LIMIT, || {
        let mut mini_tokio = MiniTokio::new();
        let kept = Arc::new(Mutex::new(None));
        let keep = Arc::clone(&kept);
        spawn(
            &mut mini_tokio,
            "leaves its waker behind",
            poll_fn(move |cx| {
                *keep.lock().unwrap() = Some(cx.waker().clone());
                Poll::Ready(())
            }),
        );
        mini_tokio.run();
        // The finished task is in the queue again, but it must not finish a second time.
        kept.lock().unwrap().take().unwrap().wake();
        let waiting = spawn(&mut mini_tokio, "a second run, a delay of 30 ms", delay(30));
        mini_tokio.run();
        assert!(
            waiting.completions() == 1,
            "`run` returned, but a task that waits for a timer has not finished. Another task, which had finished in the \
             first run, was woken and so received once more. Did `run` take this for the end of a second task?"
        );
    });
}

#[test]
fn without_tasks_it_returns_at_once() {
    let run = async { MiniTokio::new().run() };
    within(LIMIT, || block_on(watch("`run` without a task", run)));
}

#[test]
fn while_every_task_waits_it_sleeps() {
    within(2 * LIMIT, || {
        let mut mini_tokio = MiniTokio::new();
        let (task, has_slept) = sleep::task();
        spawn(&mut mini_tokio, "is woken when `run` sleeps", task);
        mini_tokio.run();
        assert!(
            has_slept.try_recv() == Ok(true),
            "While its only task waited for another thread, `run` did not sleep until that task was woken. It looked into the \
             queue again and again, or after some time. Which method of the queue waits by itself, and without a limit?"
        );
    });
}

#[test]
fn tasks_are_polled_in_the_order_in_which_they_were_woken() {
    within(LIMIT, || {
        let (mut mini_tokio, log) = (MiniTokio::new(), order::Log::default());
        (1..=order::MANY).for_each(|number| mini_tokio.spawn(log.task(number)));
        mini_tokio.run();
        log.assert_in_order();
    });
}
