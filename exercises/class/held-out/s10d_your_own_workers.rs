#[cfg(test)]
mod tests {
    use super::*;
    use contract::{Runtime as _, Subject, suite};
    use probe::within;
    use std::sync::mpsc;

    // Some clauses ask how many allocations are left.
    contract::count_allocations!();

    #[test]
    fn it_keeps_the_rest_too() {
        let mine = Subject::runtime("mine", &Mine);
        let clauses = [
            "woken_in_poll_by_another",
            "by_value_and_by_reference",
            "four_at_once",
            "woken_under_a_lock",
            "only_who_is_woken",
            "output_is_kept",
            "dropped_unrun",
            "dropped_when_panicked",
            "waker_outlives",
            "wake_after_the_end",
            "waits_in_poll",
            "two_at_once",
            "spawned_and_waited_for",
            "spawned_under_load",
            "woken_under_load",
        ];
        let kept = suite::check("tests::it_keeps_the_rest_too", mine, &clauses);
        kept.unwrap_or_else(|broken| panic!("{broken}"));
    }

    /// The clause `spawned_and_waited_for` again and again, so that the other worker surely sleeps.
    #[test]
    fn a_spawned_task_is_fetched_by_a_sleeper() {
        const ROUNDS: usize = 7;
        within(Duration::from_secs(3), || {
            let (tell, told) = mpsc::channel();
            let first = move |spawn: Spawn| -> BoxFuture {
                Box::pin(async move {
                    for round in 0..ROUNDS {
                        // Long enough for the other worker to find nothing, and to sleep.
                        thread::sleep(Duration::from_millis(3));
                        let (runs, has_run) = mpsc::channel();
                        let _ = spawn(Box::pin(async move {
                            let _ = runs.send(());
                        }));
                        if has_run.recv_timeout(Duration::from_secs(1)).is_err() {
                            let _ = tell.send(round);
                            return;
                        }
                    }
                    let _ = tell.send(ROUNDS);
                })
            };
            let answer = Mine.run_spawning(Box::new(first));
            assert_eq!(answer, Ok(()));
            let rounds = told.recv().expect("the first task has run");
            assert_eq!(rounds, ROUNDS, "rounds until a task was not run");
        });
    }
}
