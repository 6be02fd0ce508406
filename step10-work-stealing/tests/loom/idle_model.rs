//! Who is woken, and who checks, if several threads ask at once. What workers do with the answers is in `workers_model.rs`.

use std::sync::Arc;

use loom::thread;

use crate::{
    IdleWorkers, Version,
    idle::{BeforeSleep, IdleSet},
};

use super::runtime;

/// The first one finds a sleeper, which searches from then on. The second one has to see that under the lock.
#[test]
fn two_pushes_at_once_wake_one_of_two_sleepers() {
    loom::model(|| {
        let idle = Arc::new(IdleSet::new(2));
        for worker in [0, 1] {
            assert!(idle.fall_asleep(worker, BeforeSleep::default()));
        }
        let other = {
            let idle = idle.clone();
            thread::spawn(move || idle.worker_to_wake())
        };
        let woken = [idle.worker_to_wake(), other.join().unwrap()];
        assert_eq!(woken.iter().flatten().count(), 1, "{woken:?}");
        let counts = IdleWorkers {
            searching: 1,
            sleeping: 1,
            checking: 2,
        };
        assert_eq!(idle.counts(), counts);
    });
}

/// Nobody is woken for the task while the searcher searches, so the searcher has to see the task when it has stopped.
#[test]
fn a_task_pushed_as_the_last_searcher_stops_is_not_overlooked() {
    loom::model(|| {
        let (handle, _) = runtime(2, Version::SharedQueue);
        let shared = Arc::clone(&handle.0);
        assert!(shared.idle.start_searching(2));
        assert!(shared.idle.fall_asleep(1, BeforeSleep::default()));
        let other = thread::spawn(move || drop(handle.spawn(async {})));
        let seen = shared.idle.stop_searching() && shared.is_anything_queued();
        other.join().unwrap();
        let woken = IdleWorkers {
            searching: 1,
            sleeping: 0,
            checking: 1,
        };
        assert!(seen || shared.idle.counts() == woken);
        shared.close();
    });
}

/// The last to fall asleep sleeps without a limit, and when the other one wakes up, nobody checks.
#[test]
fn of_two_workers_that_fall_asleep_at_once_one_still_checks() {
    loom::model(|| {
        let idle = Arc::new(IdleSet::new(2));
        let before = BeforeSleep {
            is_searching: false,
            has_checked: true,
        };
        let other = {
            let idle = idle.clone();
            thread::spawn(move || !idle.fall_asleep(1, before))
        };
        let all = !idle.fall_asleep(0, before);
        assert_ne!(other.join().unwrap(), all);
        assert!(!idle.nobody_checks(), "one of them sleeps with a limit");
        assert!(!idle.wake_up(usize::from(all), true));
        assert!(idle.nobody_checks());
        assert!(!idle.wake_up(usize::from(!all), false));
        assert!(!idle.nobody_checks(), "nobody sleeps");
    });
}

#[test]
fn at_most_half_of_the_workers_rounded_up_search() {
    for (workers, most) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)] {
        loom::model(move || {
            let idle = IdleSet::new(workers);
            let searching = (0..workers).filter(|_| idle.start_searching(workers));
            assert_eq!(searching.count(), most, "of {workers}");
        });
    }
}
