#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, within};
    use std::time::Duration;

    #[test]
    fn of_five_tasks_the_last_is_woken_once() {
        within(Duration::from_secs(2), || {
            let state = Arc::default();
            let mut door = Door(Arc::clone(&state));
            let tasks: Vec<_> = (0..5).map(|_| CountingWaker::new()).collect();
            for task in &tasks {
                let waker = task.waker();
                let polled = Pin::new(&mut door).poll(&mut Context::from_waker(&waker));
                assert!(polled.is_pending(), "the door is closed, and Ready");
            }
            assert!(
                tasks[..4].iter().all(|task| task.live() == 0),
                "an earlier waker is kept"
            );
            open(&state);
            let wakes: Vec<_> = tasks.iter().map(CountingWaker::wakes).collect();
            assert_eq!(wakes, [0, 0, 0, 0, 1], "the wakes of the five tasks");
            let polled = Pin::new(&mut door).poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_ready(), "the door is open, and Pending");
        });
    }
}
