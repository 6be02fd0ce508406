#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{
        future::poll_fn,
        time::{Duration, Instant},
    };
    use step07_mini_tokio::Delay;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn fifty_tasks_that_wait_differently_long_are_all_done() {
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            let counts: Vec<_> = (0..50)
                .map(|i| {
                    let counted = Counted::new(async move {
                        for _ in 0..i % 3 {
                            Delay::until(Instant::now() + Duration::from_millis(i)).await;
                        }
                    });
                    let counts = counted.counts();
                    mini_tokio.spawn(watch(format!("task {i}"), counted));
                    counts
                })
                .collect();
            mini_tokio.run();
            for (i, counts) in counts.iter().enumerate() {
                assert_eq!(
                    (counts.completions(), counts.polls()),
                    (1, i % 3 + 1),
                    "task {i}: completions and polls"
                );
            }
        });
    }

    #[test]
    fn woken_twice_as_it_ends_a_task_is_done_once() {
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            mini_tokio.spawn(watch(
                "wakes itself twice as it ends",
                poll_fn(|cx| {
                    cx.waker().wake_by_ref();
                    cx.waker().wake_by_ref();
                    Poll::Ready(())
                }),
            ));
            let waiting = Counted::new(async {
                Delay::until(Instant::now() + Duration::from_millis(30)).await;
            });
            let counts = waiting.counts();
            mini_tokio.spawn(watch("waits", waiting));
            mini_tokio.run();
            assert_eq!(counts.completions(), 1, "the task that waits is done");
        });
    }

    #[test]
    fn a_waker_that_is_kept_forever_does_not_keep_run_from_returning() {
        static KEPT: Mutex<Option<Waker>> = Mutex::new(None);
        within(LIMIT, || {
            let mut mini_tokio = MiniTokio::new();
            mini_tokio.spawn(watch(
                "keeps",
                poll_fn(|cx| {
                    *KEPT.lock().unwrap() = Some(cx.waker().clone());
                    Poll::Ready(())
                }),
            ));
            mini_tokio.run();
        });
    }
}
