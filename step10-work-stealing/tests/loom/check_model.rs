//! Rule 2 of `src/worker/sleep.rs`, which includes this file, because only that module can make a sleeper's steps.

use std::sync::Arc;

use loom::thread;

use crate::{Version, models::runtime};

use super::Sleeper;

/// Both sleep, and worker 0 does so without a check, because all sleep. Then it begins to poll, at the moment at which worker 1 has
/// checked and falls asleep again.
#[test]
fn while_a_worker_polls_a_sleeper_checks() {
    loom::model(|| {
        let (handle, _) = runtime(2, Version::Stealing);
        let shared = handle.0;
        let [polls, checks] = [0, 1].map(|number| Sleeper::new(Arc::clone(&shared), number));
        assert!(checks.phase.fall_asleep(&shared.idle, 1, false));
        assert!(!polls.phase.fall_asleep(&shared.idle, 0, true));
        let other = thread::spawn(move || {
            let idle = &checks.shared.idle;
            assert!(!checks.phase.wake_up(idle, 1, true), "a sleeper checks");
            let checks_again = checks.phase.fall_asleep(idle, 1, true);
            (checks, checks_again)
        });
        assert!(!polls.phase.wake_up(&shared.idle, 0, false));
        polls.hand_over();
        let (checks, checks_again) = other.join().unwrap();
        if checks.phase.wake_up(&shared.idle, 1, checks_again) {
            // It was chosen, finds no task, and falls asleep.
            assert!(checks.phase.fall_asleep(&shared.idle, 1, false));
        } else {
            assert!(checks_again);
        }
    });
}
