#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, within};
    use std::sync::mpsc;
    use std::time::Duration;
    use step04_channel_executor::TimerFuture;

    #[test]
    fn through_two_timers_to_the_end() {
        within(Duration::from_secs(2), || {
            let (sender, queue) = mpsc::channel();
            let nap = || TimerFuture::new(Duration::from_millis(5));
            let mut all = Vec::new();
            for _ in 0..4 {
                let task = Counted::new(async move {
                    nap().await;
                    nap().await;
                });
                all.push(task.counts());
                spawn(&sender, task);
            }
            drop(sender);
            run(queue);
            for counts in all {
                let seen = (counts.polls(), counts.completions(), counts.drops());
                assert_eq!(seen, (3, 1, 1), "polls, completions, drops");
            }
        });
    }

    #[test]
    fn finished_it_is_dropped_at_once_and_not_polled_again() {
        let (sender, queue) = mpsc::channel();
        let future = Counted::new(async {});
        let counts = future.counts();
        spawn(&sender, future);
        let task: Arc<Task> = queue.recv().unwrap();
        task.poll();
        assert_eq!(
            (counts.completions(), counts.drops()),
            (1, 1),
            "finished: completions and drops"
        );
        Waker::from(Arc::clone(&task)).wake();
        queue.recv().unwrap().poll();
        assert_eq!(
            counts.polls(),
            1,
            "polls of a future that was ready at the first"
        );
    }
}
