#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };
    use step07_mini_tokio::{MiniTokio, Polls};

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn two_greedy_tasks_take_turns() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let log = Arc::new(Mutex::new(String::new()));
            for name in ['a', 'b'] {
                let log = Arc::clone(&log);
                let task = async move {
                    for _ in 0..300 {
                        receive().await;
                        let mut log = log.lock().unwrap();
                        if !log.ends_with(name) {
                            log.push(name);
                        }
                    }
                };
                mini_tokio.spawn(watch(name.to_string(), Budgeted(Box::pin(task))));
            }
            mini_tokio.run();
            assert_eq!(*log.lock().unwrap(), "ababab", "the tasks take turns");
        });
    }

    #[test]
    fn polls_for_so_many_messages() {
        for (messages, polls) in [(0, 1), (1, 1), (128, 1), (129, 2), (512, 4), (513, 5)] {
            within(LIMIT, || {
                let mini_tokio = MiniTokio::new();
                let task = Counted::new(Budgeted(Box::pin(async move {
                    for _ in 0..messages {
                        receive().await;
                    }
                })));
                let counts = task.counts();
                mini_tokio.spawn(watch("receives", task));
                mini_tokio.run();
                assert_eq!(counts.polls(), polls, "polls for {messages} messages");
            });
        }
    }

    #[test]
    fn a_poll_that_ends_early_leaves_nothing_behind() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let polls = Polls::default();
            let mut rounds = 0;
            mini_tokio.spawn(watch(
                "stops at 60",
                polls.count(Budgeted(Box::pin(async move {
                    while rounds < 5 {
                        for _ in 0..60 {
                            receive().await;
                        }
                        rounds += 1;
                        let mut waited = false;
                        poll_fn(|cx| {
                            if waited {
                                return Poll::Ready(());
                            }
                            waited = true;
                            cx.waker().wake_by_ref();
                            Poll::Pending
                        })
                        .await;
                    }
                }))),
            ));
            mini_tokio.run();
            assert_eq!(polls.get(), 6, "polls");
        });
    }
}
