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
        let names = ["ORDER_OF_TASKS", "ORDER_OF_CALLS"];
        for (name, (predicted, seen)) in names.iter().zip(predicted.into_iter().zip(seen)) {
            assert_eq!(predicted, seen, "{name}");
        }
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
        let seen = [first, second].map(|polls| Some(polls.get()));
        assert_eq!(POLLS_OF_THE_FIRST_TASK, seen[0], "POLLS_OF_THE_FIRST_TASK");
        assert_eq!(
            POLLS_OF_THE_SECOND_TASK, seen[1],
            "POLLS_OF_THE_SECOND_TASK"
        );
    }
}
