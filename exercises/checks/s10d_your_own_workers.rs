use super::{given::locks, *};
mod sleep;
mod wait;
use contract::{Answer, BoxFuture, Job, Make, Runtime as _, Spawn, Subject, suite};
use futures::executor::block_on;
use probe::within;
use std::{
    any::Any,
    sync::{self, mpsc},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(1);

// Some clauses count the allocations that are left.
contract::count_allocations!();

/// What the clauses are run on. Each call makes a runtime of its own.
struct Mine;

fn spawner(runtime: &Runtime) -> Spawn {
    let handle = runtime.handle.clone();
    Box::new(move |task| {
        drop(handle.spawn(task));
        Ok(())
    })
}

impl contract::Runtime for Mine {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let runtime = Runtime::new();
        let spawn = |task| runtime.handle.spawn(task);
        let handles: Vec<_> = tasks.into_iter().map(spawn).collect();
        for handle in handles {
            let _ = block_on(handle);
        }
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let runtime = Runtime::new();
        let first = runtime.handle.spawn(first(spawner(&runtime)));
        let _ = block_on(first);
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let runtime = Runtime::new();
        let handle = runtime.handle.spawn(job);
        before.into_iter().for_each(block_on);
        let message = |panic: Box<dyn Any + Send>| contract::message(&*panic);
        Ok(match block_on(handle) {
            Ok(output) => output.map_err(message),
            Err(error) => Err(error.to_string()),
        })
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        self.stop(make, Box::pin(async {}))
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let runtime = Runtime::new();
        for task in make(spawner(&runtime)) {
            drop(runtime.handle.spawn(task));
        }
        block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        WORKERS
    }
}

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

#[test]
fn a_worker_that_finds_nothing_sleeps_until_it_is_woken() {
    one_that_finds_nothing_sleeps();
}

/// Two other tests begin with this, because a worker that never sleeps has no last moment before its sleep.
fn one_that_finds_nothing_sleeps() {
    locks::watch();
    let runtime = Runtime::new();
    let (reach, is_reached) = mpsc::channel();
    drop(runtime.handle.spawn(async move {
        locks::act_in_gap(200, move |is_asleep| {
            let _ = reach.send(is_asleep);
        });
    }));
    assert!(
        is_reached.recv_timeout(LONG) != Ok(false),
        "A worker found nothing. Then it took and released a lock 200 times, and did not sleep.\n\
         Look at: what does a worker do that finds nothing, and how much of a processor does that use in an hour?"
    );
    // Now no worker looks again and again, which would at times be seen to sleep in a lock. Does it sleep for a time?
    drop(runtime);
    let (task, has_slept) = sleep::task();
    within(2 * LIMIT, || Mine.run(vec![Box::pin(task)])).expect("it runs any task");
    assert!(
        has_slept.try_recv() == Ok(true),
        "While the only task waited for another thread, the worker that had polled it did not sleep until it was woken. It looked \
         again and again, or after some time. How long should that be, and who pays for it in a night without tasks?"
    );
}

/// The clause `spawned_and_waited_for` again and again, so that the other worker surely sleeps.
#[test]
fn a_sleeper_is_woken_for_what_another_worker_has_spawned() {
    const ROUNDS: usize = 5;
    within(LIMIT, || {
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
                    if has_run.recv_timeout(LONG).is_err() {
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

/// A worker runs a task, and then finds nothing. Where it has released a lock for the time with this number, or else before
/// it sleeps, `spawns` is called on this thread. Returns whether the worker was about to sleep, and whether what was
/// spawned has run.
fn while_it_falls_asleep(
    handle: &Handle,
    gap: usize,
    spawns: impl FnOnce(&Handle) -> mpsc::Receiver<()>,
) -> (bool, bool) {
    let spawner = thread::current().id();
    let (reach, is_reached) = mpsc::channel();
    let has_spawned = Arc::new(AtomicBool::new(false));
    let spawned = Arc::clone(&has_spawned);
    drop(handle.spawn(async move {
        locks::act_in_gap(gap, move |is_asleep| {
            let _ = reach.send(is_asleep);
            wait::comes_true(|| spawned.load(SeqCst) || locks::does_wait(spawner));
        });
    }));
    // If the runtime sleeps in another way, no moment is better than another.
    let is_asleep = is_reached.recv_timeout(LONG).unwrap_or(true);
    let has_run = spawns(handle);
    has_spawned.store(true, SeqCst);
    (is_asleep, has_run.recv_timeout(LONG).is_ok())
}

#[test]
fn one_that_falls_asleep_is_woken_for_what_another_spawns() {
    one_that_finds_nothing_sleeps();
    let spawns_one = |handle: &Handle| {
        let (runs, has_run) = mpsc::channel();
        drop(handle.spawn(async move {
            let _ = runs.send(());
        }));
        has_run
    };
    within(LIMIT, || {
        for gap in 0.. {
            let (tell, told) = mpsc::channel();
            let runtime = Runtime::new();
            let handle = runtime.handle.clone();
            // It blocks its worker, so the other one does all the rest.
            drop(runtime.handle.spawn(async move {
                let _ = tell.send(while_it_falls_asleep(&handle, gap, spawns_one));
            }));
            let (was_asleep, has_run) = told.recv().expect("the first task has run");
            assert!(
                has_run,
                "A worker had found nothing and was about to sleep. At this moment a task on the other worker spawned \
                 another task, and then it blocked its thread until that task would have run. The worker slept.\n\
                 Look at: what does a worker do between its last look and its sleep, and what does a push see by then?"
            );
            if was_asleep {
                break;
            }
        }
    });
}

#[test]
fn one_that_falls_asleep_wakes_the_other_for_a_second_task() {
    one_that_finds_nothing_sleeps();
    let spawns_two = |handle: &Handle| {
        let ((tell, told), (meet, met)) = (mpsc::channel(), mpsc::channel());
        drop(handle.spawn(async move {
            if met.recv_timeout(LONG).is_ok() {
                let _ = tell.send(());
            }
        }));
        drop(handle.spawn(async move {
            let _ = meet.send(());
        }));
        told
    };
    within(LIMIT, || {
        for gap in 0.. {
            let runtime = Runtime::new();
            let (was_asleep, have_met) = while_it_falls_asleep(&runtime.handle, gap, spawns_two);
            assert!(
                have_met,
                "A worker had found nothing and was about to sleep, and the other one slept. At this moment two tasks were \
                 spawned from outside, and the first blocks its thread until the second has run. Only one of the workers \
                 took a task.\n\
                 Look at: who wakes the second worker, if the push has left the tasks to the first?"
            );
            if was_asleep {
                break;
            }
        }
    });
}

/// Spawns four tasks. The first of them to run calls `then`.
fn spawn_four(handle: &Handle, then: impl FnOnce() + Send + 'static) {
    let then = Arc::new(sync::Mutex::new(Some(then)));
    for _ in 0..4 {
        let then = Arc::clone(&then);
        drop(handle.spawn(async move {
            let then = then.lock().unwrap().take();
            if let Some(then) = then {
                then();
            }
        }));
    }
}

/// Each of the two workers steals two of four tasks while the other one blocks its thread.
#[test]
fn two_that_steal_from_each_other_do_not_wait_for_each_other() {
    locks::watch();
    within(LIMIT, || {
        let (tell, told) = mpsc::channel();
        let runtime = Runtime::new();
        let handle = runtime.handle.clone();
        drop(runtime.handle.spawn(async move {
            let (runs, has_run) = mpsc::channel();
            let (go_on, may_go_on) = mpsc::channel::<()>();
            drop(handle.spawn(async move {
                let _ = runs.send(());
                let _ = may_go_on.recv_timeout(LONG);
            }));
            // Now the other worker waits, and steals when all four tasks are there.
            if has_run.recv_timeout(LONG).is_err() {
                let _ = tell.send(false);
                return;
            }
            let (release, released) = mpsc::channel();
            let other = handle.clone();
            spawn_four(&handle, move || {
                let (runs, has_run) = mpsc::channel();
                spawn_four(&other, move || {
                    let _ = runs.send(());
                });
                let _ = release.send(());
                let _ = tell.send(has_run.recv_timeout(LONG).is_ok());
            });
            let _ = go_on.send(());
            let _ = released.recv_timeout(LONG);
        }));
        let have_stolen = told.recv_timeout(2 * LONG);
        if locks::were_taken_in_both_orders() {
            // Its workers may wait for each other already.
            std::mem::forget(runtime);
            panic!(
                "Two locks were taken in both orders: a worker that held the first took the second, and a worker that held \
                 the second took the first. If both do it at the same moment, each waits for the other one forever.\n\
                 Look at: which lock does a thief still hold when it takes the next?"
            );
        }
        assert!(
            have_stolen == Ok(true),
            "Each of the two workers blocked its thread while it had tasks in its queue, and the other one had nothing to \
             do. The other one did not run these tasks."
        );
    });
}
