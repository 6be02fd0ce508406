use super::*;
use contract::{BoxFuture, Runtime as _, Spawn, Subject, suite};
use given::Mine;
use probe::within;
use std::{sync::mpsc, time::Duration};

// Some clauses count the allocations that are left.
contract::count_allocations!();

/// Each clause runs in a process of its own, so that one that hangs cannot stop the others.
#[test]
fn it_keeps_the_contract() {
    let mine = Subject::runtime("mine", &Mine);
    let clauses = [
        "finishes",
        "nothing_to_do",
        "woken_in_poll",
        "woken_asleep",
        "woken_twice",
        "an_earlier_waker",
        "only_when_woken",
        "takes_turns",
        "dropped_when_ready",
        "wake_after_ready",
        "a_panic_is_contained",
        "woken_and_then_panics",
        "a_panicking_destructor",
        "sleeps",
        "output_reaches",
        "panic_reaches",
        "two_at_once",
        "spawned_inside",
        "spawned_from_outside",
        "spawned_and_waited_for",
        "spawned_under_load",
        "woken_under_load",
    ];
    let kept = suite::check("tests::it_keeps_the_contract", mine, &clauses);
    kept.unwrap_or_else(|broken| {
        panic!("{broken}\nStart with the first. Several may have the same cause, so fix one and run again.")
    });
}

/// The clause `spawned_and_waited_for` again and again, so that the other worker surely sleeps.
#[test]
fn a_sleeper_is_woken_for_what_another_worker_has_spawned() {
    const ROUNDS: usize = 10;
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
        assert!(
            rounds == ROUNDS,
            "A task spawned another task, and then it blocked its worker until that task would have run. The other \
             worker slept, and did not run it. That was in round {} of {ROUNDS}.\n\
             Look at: what wakes a sleeper, and what does it look for before it sleeps again?",
            rounds + 1
        );
    });
}
