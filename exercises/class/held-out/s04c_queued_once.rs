#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::future::poll_fn;
    use std::sync::mpsc;
    use std::task::Poll;
    use std::time::Duration;
    use step04_channel_executor::{Polls, TimerFuture};

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn a_storm_in_the_poll_costs_one_poll() {
        within(LIMIT, || {
            let (sender, queue) = mpsc::channel();
            let polls = Polls::default();
            for _ in 0..3 {
                let mut left = 4;
                spawn(
                    &sender,
                    polls.count(poll_fn(move |cx| {
                        if left == 0 {
                            return Poll::Ready(());
                        }
                        left -= 1;
                        (0..500).for_each(|_| cx.waker().wake_by_ref());
                        Poll::Pending
                    })),
                );
            }
            drop(sender);
            run(queue);
            // Once more than it was pending. An entry that comes after Ready polls no future.
            assert_eq!(
                polls.get(),
                15,
                "polls of 3 tasks that are pending 4 times each"
            );
        });
    }

    #[test]
    fn entries_do_not_pile_up() {
        let (sender, queue) = mpsc::channel();
        spawn(&sender, std::future::pending());
        let task: Arc<Task> = queue.recv().unwrap();
        task.queued.clear();
        let waker = Waker::from(task);
        (0..500).for_each(|_| waker.wake_by_ref());
        assert_eq!(queue.try_iter().count(), 1, "entries after 500 wakes");
    }

    #[test]
    fn it_can_be_woken_again_and_again() {
        within(LIMIT, || {
            let (sender, queue) = mpsc::channel();
            let polls = Polls::default();
            let nap = || TimerFuture::new(Duration::from_millis(3));
            spawn(
                &sender,
                polls.count(async move {
                    for _ in 0..5 {
                        nap().await;
                    }
                }),
            );
            drop(sender);
            run(queue);
            assert_eq!(polls.get(), 6, "polls of a task that naps 5 times");
        });
    }
}
