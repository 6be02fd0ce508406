//! Tasks that yield keep the executor busy. What comes from other threads gets in all the same.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
};

use super::spawn::{DROPPED, first_task, sends};
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{A_MOMENT, Number, comes_true, counted, run_all, woken_after, woken_when, yields},
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "spawned_under_load",
        edition: Edition::E1,
        rule: "A task that another thread spawns is polled although other tasks yield forever.",
        why: "Executors often keep a separate queue for other threads, because that queue needs a lock and their own does not. Both queues need their turn.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            spawned_under_load,
            &[
                (Fault::ServesItsOwnSpawnsFirst, "it keeps a processor busy"),
                (
                    Fault::RefusesWhatOthersSpawn,
                    "the spawned task was dropped",
                ),
            ],
        ),
    },
    Clause {
        name: "woken_under_load",
        edition: Edition::E1,
        rule: "A task that another thread wakes is polled although other tasks yield forever.",
        why: "A timer or a socket wakes from another thread. An executor that serves its own wakes first leaves that task waiting as long as the load lasts.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            woken_under_load,
            &[(Fault::ServesItsOwnWakesFirst, "it keeps a processor busy")],
        ),
    },
    Clause {
        name: "blocked_on_under_load",
        edition: Edition::E3,
        rule: "`block_on` on another thread comes to its end although tasks of the runtime yield forever.",
        why: "Where `block_on` helps with the runtime's tasks, or shares a lock or a driver with it, it must get back to its own future.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            blocked_on_under_load,
            &[(Fault::RunsOneAtATime, "it keeps a processor busy")],
        ),
    },
];

/// Four tasks that yield until they are told to stop.
#[derive(Clone, Default)]
struct Load {
    polls: [Arc<Number>; 4],
    over: Arc<AtomicBool>,
}

impl Load {
    fn tasks(&self) -> impl Iterator<Item = BoxFuture> {
        let task = |polls| {
            let over = self.over.clone();
            Box::pin(yields_on(polls, over)) as BoxFuture
        };
        self.polls.clone().map(task).into_iter()
    }

    /// Waits until it keeps so many workers busy.
    #[must_use]
    fn is_on(&self, workers: usize) -> bool {
        let busy = || self.polls.iter().filter(|polls| polls.get() > 100).count();
        comes_true(|| busy() >= workers)
    }
}

async fn yields_on(polls: Arc<Number>, over: Arc<AtomicBool>) {
    while !over.load(SeqCst) {
        polls.add_one();
        yields(1).await;
    }
}

const IDLE: &str = "the tasks that yield are not polled";

/// Stops the load at the latest when it is dropped.
struct StopsTheLoad(Load);

impl Drop for StopsTheLoad {
    fn drop(&mut self) {
        self.0.over.store(true, SeqCst);
    }
}

/// Four tasks yield until one has been polled that another thread spawns.
pub fn spawned_under_load(runtime: &'static dyn Runtime) -> Answer {
    let (workers, (tell, told)) = (runtime.workers(), mpsc::channel());
    let ran = first_task(runtime, move |spawn, done| {
        let load = Load::default();
        let spawned: Answer = load.tasks().try_for_each(&spawn);
        thread::spawn(move || {
            let stops = StopsTheLoad(load.clone());
            assert!(load.is_on(workers), "{IDLE}");
            let last = Box::pin(async move {
                drop(stops);
                sends(done).await;
            });
            let _ = tell.send(spawned.and_then(|()| spawn(last)));
        });
    })?;
    told.recv().expect("the other thread has spawned")?;
    assert!(ran, "{DROPPED}");
    Ok(())
}

/// Four tasks yield until another thread has called `block_on` with a future that a third thread wakes.
pub fn blocked_on_under_load(runtime: &'static dyn Runtime) -> Answer {
    let (load, workers) = (Load::default(), runtime.workers());
    let (starts, stops) = (load.clone(), StopsTheLoad(load.clone()));
    let (tell, told) = mpsc::channel();
    let blocks = move || {
        let is_on = starts.is_on(workers);
        let blocked = runtime.block_on(Box::pin(woken_after(A_MOMENT)));
        let _ = tell.send((is_on, blocked));
        drop(stops); // here, because the tasks that yield may let no other task have a turn
    };
    let mut tasks = vec![counted(woken_when(blocks))];
    tasks.extend(load.tasks().map(counted));
    run_all(runtime, tasks)?;
    let (is_on, blocked) = told.recv().expect("the other thread has been there");
    assert!(is_on, "{IDLE}");
    blocked
}

/// Four tasks yield until another has been polled, which a thread wakes.
pub fn woken_under_load(runtime: &'static dyn Runtime) -> Answer {
    let (load, workers) = (Load::default(), runtime.workers());
    let (starts, stops) = (load.clone(), StopsTheLoad(load.clone()));
    let (tell, told) = mpsc::channel();
    let mut tasks = vec![counted(async move {
        woken_when(move || tell.send(starts.is_on(workers)).expect("the test receives")).await;
        drop(stops);
    })];
    tasks.extend(load.tasks().map(counted));
    run_all(runtime, tasks)?;
    assert_eq!(told.recv(), Ok(true), "{IDLE}");
    Ok(())
}
