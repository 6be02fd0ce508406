#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;

    const LIMIT: Duration = Duration::from_secs(2);

    fn words(order: &str) -> Vec<&str> {
        order.split_whitespace().collect()
    }

    /// The run after another run of the same runtime, which must make no difference.
    fn logged(spawn: fn(&MiniTokio, &Log)) -> Vec<&'static str> {
        let (before, log) = (Log::default(), Log::default());
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            spawn(&mini_tokio, &before);
            mini_tokio.run();
            spawn(&mini_tokio, &log);
            mini_tokio.run();
        });
        log.0.lock().unwrap().clone()
    }

    #[test]
    fn the_orders_are_right() {
        let predicted = [ORDER_OF_TASKS, ORDER_OF_CALLS].map(|order| order.map(words));
        let seen = [Some(logged(tasks)), Some(logged(calls))];
        assert!(predicted == seen, "a prediction is not what the run says");
    }

    #[test]
    fn the_polls_are_right() {
        let (first, second) = (Polls::default(), Polls::default());
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            handed_over(&mini_tokio, &first, &second);
            tasks(&mini_tokio, &Log::default());
            mini_tokio.run();
        });
        let predicted = (POLLS_OF_THE_FIRST_TASK, POLLS_OF_THE_SECOND_TASK);
        let seen = (Some(first.get()), Some(second.get()));
        assert!(predicted == seen, "a prediction is not what the run says");
    }
}
