#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc;
    use std::task::Poll;
    use std::time::Duration;
    use step04_channel_executor::{Polls, TimerFuture};

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn nothing_spawned_nothing_run() {
        let (sender, queue) = mpsc::channel();
        drop(sender);
        within(LIMIT, || run(queue));
    }

    #[test]
    fn woken_in_its_own_poll_it_comes_back() {
        within(LIMIT, || {
            let (sender, queue) = mpsc::channel();
            let done = Arc::new(AtomicUsize::new(0));
            for _ in 0..3 {
                let (done, mut left) = (Arc::clone(&done), 5);
                spawn(
                    &sender,
                    poll_fn(move |cx| {
                        if left == 0 {
                            done.fetch_add(1, SeqCst);
                            return Poll::Ready(());
                        }
                        left -= 1;
                        cx.waker().wake_by_ref();
                        Poll::Pending
                    }),
                );
            }
            drop(sender);
            run(queue);
            assert_eq!(done.load(SeqCst), 3, "tasks that are finished, of 3");
        });
    }

    #[test]
    fn a_task_that_sleeps_is_not_polled() {
        within(LIMIT, || {
            let (sender, queue) = mpsc::channel();
            let polls = Polls::default();
            for _ in 0..10 {
                spawn(
                    &sender,
                    polls.count(TimerFuture::new(Duration::from_millis(20))),
                );
            }
            drop(sender);
            run(queue);
            assert_eq!(polls.get(), 20, "polls of 10 timers");
        });
    }

    #[test]
    fn woken_when_the_executor_is_gone_nothing_happens() {
        let (sender, queue) = mpsc::channel();
        spawn(&sender, async {});
        let task: Arc<Task> = queue.recv().unwrap();
        drop(queue);
        Waker::from(task).wake();
    }
}
