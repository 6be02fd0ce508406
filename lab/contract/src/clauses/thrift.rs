//! What an executor may not waste: polls, CPU time, memory.

use std::{collections::BTreeMap, sync::mpsc, task::Waker, time::Duration};

use futures_channel::oneshot;

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime, allocations,
    fault::Fault,
    fixtures::{
        act, assert_nothing_is_left, compute, counted, left_by_empty_runs, run_all, run_one,
        wake_by_value, wake_elsewhere, woken_when, yields,
    },
    rest,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "only_when_woken",
        edition: Edition::E1,
        rule: "After its first poll, a task is polled only if it was woken.",
        why: "An executor that polls waiting tasks in a loop keeps a processor busy with nothing.",
        level: Level::Quality,
        choice: Some(
            "A future must tolerate polls without a wake, so an executor that makes them is slow rather than wrong.",
        ),
        check: Check::Runtime(
            only_when_woken,
            &[(Fault::PollsUnasked, "polls, with one wake")],
        ),
    },
    Clause {
        name: "only_who_is_woken",
        edition: Edition::E1,
        rule: "Waking one task does not poll another.",
        why: "With N waiting tasks, each wake would cost N polls.",
        level: Level::Quality,
        choice: Some(
            "A future must tolerate polls without a wake, so an executor that makes them is slow rather than wrong.",
        ),
        check: Check::Runtime(
            only_who_is_woken,
            &[
                (Fault::WakesEverybody, "polls, with one wake"),
                (Fault::PollsUnasked, "3 polls, with one wake"),
            ],
        ),
    },
    Clause {
        name: "sleeps",
        edition: Edition::E1,
        rule: "While nothing is ready, the executor uses no CPU.",
        why: "A server spends most of its time waiting, and the CPU time that it uses then is wasted.",
        level: Level::Quality,
        choice: Some(
            "An executor that polls its queue in a loop answers sooner and uses a core for that. An embedded or a thread-per-core runtime may do so on purpose, if its documentation says so.",
        ),
        check: Check::RuntimeAlone(
            sleeps,
            &[
                (
                    Fault::SpinsForWork,
                    "of CPU time, while it waited for a thread that",
                ),
                (
                    Fault::YieldsForWork,
                    "of CPU time, while it waited for a thread that",
                ),
            ],
        ),
    },
    Clause {
        name: "wakers_balance",
        edition: Edition::E1,
        rule: "However a task's wakers are cloned, woken and dropped, nothing is left of the task in the end.",
        why: "A reference count that is increased and never decreased keeps the task's memory forever.",
        level: Level::VTABLE_RELEASES,
        choice: None,
        check: Check::Runtime(
            wakers_balance,
            &[
                (Fault::LeaksWhenWoken, "allocations are left of 40 tasks"),
                (
                    Fault::LeaksWhenWokenByReference,
                    "allocations are left of 40 tasks",
                ),
                (
                    Fault::LeavesAnAllocation,
                    "allocations are left of 40 tasks",
                ),
            ],
        ),
    },
    Clause {
        name: "leaves_nothing_itself",
        edition: Edition::E2,
        rule: "An executor that has run nothing leaves no allocation behind.",
        why: "A test suite, or a plug-in, may make thousands of executors in one process.",
        level: Level::Quality,
        choice: None,
        check: Check::Runtime(
            leaves_nothing_itself,
            &[(
                Fault::LeavesAnInstance,
                "allocations are left of 40 empty runs",
            )],
        ),
    },
];

/// A task is woken once, by a thread that first computes for 20 ms.
pub fn only_when_woken(runtime: &'static dyn Runtime) -> Answer {
    let counts = run_one(runtime, woken_when(|| compute(Duration::from_millis(20))))?;
    assert_eq!(counts.polls(), 2, "polls, with one wake");
    Ok(())
}

/// Two tasks wait while another yields 20 times, which was spawned before them, between them or behind them.
pub fn only_who_is_woken(runtime: &'static dyn Runtime) -> Answer {
    for place in 0..3 {
        let (open, gates): (Vec<_>, Vec<_>) = (0..2).map(|_| oneshot::channel::<()>()).unzip();
        let waits = gates.into_iter().map(|gate| {
            counted(async {
                let _ = gate.await;
            })
        });
        let mut tasks: Vec<_> = waits.collect();
        let yields = counted(async move {
            yields(20).await;
            for open in open {
                let _ = open.send(());
            }
        });
        tasks.insert(place, yields);
        let mut counts = run_all(runtime, tasks)?;
        let yields = counts.remove(place).polls();
        for waits in counts {
            let polls = waits.polls();
            assert!(polls <= 2, "{polls} polls, with one wake");
        }
        assert!(yields <= 21, "{yields} polls, with 20 wakes");
    }
    Ok(())
}

/// A task waits while a thread computes for 80 ms. Everything else in the process may use a quarter of that, or more if it is hardly
/// ever seen to want to run. Where the system says what threads do, the thread looks meanwhile: one that never sleeps wants to run
/// nearly each time, also where a machine with much to do, or a yield, keeps it from using the processor. One that looks at a queue
/// every 10 ms may wait as long for a processor, but it has slept in between.
pub fn sleeps(runtime: &'static dyn Runtime) -> Answer {
    const WORK: Duration = Duration::from_millis(80);
    run_one(runtime, yields(1))?;
    let (tell, told) = mpsc::channel();
    let before = rest::cpu_time();
    let looks = move || tell.send(look(WORK)).expect("the test receives");
    run_one(runtime, woken_when(looks))?;
    let seen = told.recv().expect("the thread has looked");
    let (work, looks, busy) = (seen.used, seen.looks, seen.busy());
    let used = rest::cpu_time().saturating_sub(before);
    // On a crowded machine, the thread needs seconds for its 80 ms. One that looks at a queue every millisecond has used a quarter of
    // that by then, and yet is hardly ever seen to want to run.
    let is_modest = used < work / 4 || looks > 0 && busy <= looks / 10;
    assert!(
        is_modest && busy <= looks / 2,
        "{used:?} of CPU time, while it waited for a thread that used {work:?} and saw it busy at {busy} of {looks} looks"
    );
    Ok(())
}

/// What a thread has seen that looked for a while whether others want to run.
struct Looked {
    used: Duration,
    looks: u32,
    threads: BTreeMap<u32, Seen>,
}

/// What it has seen of one of them.
#[derive(Default)]
struct Seen {
    /// At how many looks it wanted to run.
    busy: u32,
    /// How often it had gone to sleep at the first look, and at the latest.
    slept: Option<[u64; 2]>,
}

impl Looked {
    /// At how many looks a thread wanted to run that has never slept meanwhile, but for what the start of a wait may take.
    fn busy(&self) -> u32 {
        let threads = self.threads.values();
        let awake = threads.filter(|seen| {
            seen.slept
                .is_some_and(|[first, latest]| latest <= first + 2)
        });
        awake.map(|seen| seen.busy).max().unwrap_or(0)
    }
}

/// Looks again and again until this thread has used so much CPU time.
fn look(time: Duration) -> Looked {
    let (mut looking, start) = (rest::Looking::here(), probe::thread_cpu_time());
    let (mut looks, mut threads) = (0, BTreeMap::<_, Seen>::new());
    loop {
        compute(Duration::from_micros(200));
        if let Some(at_work) = rest::threads_at_work() {
            looks += 1;
            for thread in at_work {
                let seen = threads.entry(thread.id).or_default();
                seen.busy += u32::from(thread.wants_to_run);
                seen.slept.get_or_insert([thread.sleeps; 2])[1] = thread.sleeps;
            }
        }
        looking.note();
        let used = probe::thread_cpu_time() - start;
        if used >= time {
            return Looked {
                used,
                looks,
                threads,
            };
        }
    }
}

/// In each of 40 runs a task's waker is cloned 76 times, and the clones end in four ways. Then the process has as many
/// allocations as before, but for a few, and for what so many runs without a task leave.
pub fn wakers_balance(runtime: &'static dyn Runtime) -> Answer {
    allocations::counted()?;
    const RUNS: usize = 40;
    let four_ways = |waker: &Waker| {
        for _ in 0..25 {
            drop(waker.clone());
            wake_by_value(waker);
            waker.clone().wake_by_ref();
        }
        wake_elsewhere(waker);
    };
    for _ in 0..3 {
        run_one(runtime, act(1, four_ways))?;
    }
    assert_nothing_is_left(runtime, RUNS, "tasks", || {
        (0..RUNS).try_for_each(|_| run_one(runtime, act(1, four_ways)).map(drop))
    })
}

/// In each of 40 runs there is no task. What they leave three times is a leak, and what they leave once may be a cache.
pub fn leaves_nothing_itself(runtime: &'static dyn Runtime) -> Answer {
    allocations::counted()?;
    const RUNS: usize = 40;
    for _ in 0..3 {
        runtime.run(Vec::new())?;
    }
    let mut left = (0..3).map(|_| left_by_empty_runs(runtime, RUNS));
    let least = left.find(|left| *left < RUNS as isize / 2);
    assert!(
        least.is_some(),
        "allocations are left of {RUNS} empty runs, each time"
    );
    Ok(())
}
