#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{thread, time::Duration};

    const LIMIT: Duration = Duration::from_secs(2);

    /// A task that can neither be copied nor compared with one of another kind.
    #[derive(Debug, PartialEq)]
    struct Job(String);

    fn queue(names: &[&str]) -> Queue<Job> {
        let jobs = names.iter().map(|name| Job(name.to_string()));
        Queue(Lock(Mutex::new(jobs.collect())))
    }

    fn names(queue: &Queue<Job>) -> String {
        let jobs = queue.0.0.lock().unwrap();
        jobs.iter().map(|job| job.0.as_str()).collect()
    }

    #[test]
    fn seven_are_halved_until_none_is_left() {
        within(LIMIT, || {
            let (thief, victim) = (queue(&["x"]), queue(&["a", "b", "c", "d", "e", "f", "g"]));
            let mut seen = Vec::new();
            while let Some(job) = thief.steal_half(&victim) {
                seen.push(format!("{} {} {}", job.0, names(&thief), names(&victim)));
            }
            assert_eq!(seen, ["a xbcd efg", "e xbcdf g", "g xbcdf "]);
            assert_eq!(names(&thief), "xbcdf");
        });
    }

    fn assert_no_second_lock() {
        for (mine, theirs) in [
            (&["a"][..], &["b", "c", "d"][..]),
            (&[], &["b"]),
            (&["a"], &[]),
        ] {
            MOST_HELD.set(0);
            let _ = queue(mine).steal_half(&queue(theirs));
            let most = MOST_HELD.get();
            assert_eq!(most, 1, "locks at once, {mine:?} and {theirs:?}");
        }
    }

    #[test]
    fn no_second_lock_is_taken_under_the_first() {
        within(LIMIT, assert_no_second_lock);
    }

    #[test]
    fn three_in_a_ring_lose_nothing() {
        within(LIMIT, || {
            assert_no_second_lock();
            let queues = [queue(&["a", "b"]), queue(&["c"]), queue(&["d", "e", "f"])];
            thread::scope(|scope| {
                for me in 0..3 {
                    let (thief, victim) = (&queues[me], &queues[(me + 1) % 3]);
                    scope.spawn(move || {
                        for _ in 0..500 {
                            thief
                                .steal_half(victim)
                                .into_iter()
                                .for_each(|it| thief.push(it));
                        }
                    });
                }
            });
            let mut all: Vec<char> = queues
                .iter()
                .flat_map(|it| names(it).chars().collect::<Vec<_>>())
                .collect();
            all.sort_unstable();
            assert_eq!(all, ['a', 'b', 'c', 'd', 'e', 'f']);
        });
    }
}
