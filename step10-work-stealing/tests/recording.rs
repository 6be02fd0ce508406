//! The runs that the book shows: a worker that has nothing to do takes half of what another one has in its queue, and one that
//! finds nothing anywhere announces that it sleeps, looks again, and sleeps until it is woken.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
    thread,
    time::{Duration, Instant},
};

use probe::{Lane, Recording, Run, Wording, record, watch};
use step10_work_stealing::{Park, Parker, Runtime, Version, spawn};

const WORKER_1: &str = "worker 1";
const WORKER_2: &str = "worker 2";

/// By then, a worker that is about to sleep does.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recordings_in_the_book_are_as_they_run_now() {
    STEAL.check();
    ANNOUNCE.check();
}

/// As `idle.rs` has them.
const COUNTS: Lane = Lane::Counts(
    "idle.rs",
    &["searching", "sleeping", "looking"],
    "the idle word: how many search, sleep, and will look in 20 ms",
);
const SEARCHES: Lane = Lane::Line(
    "self.add(SEARCHING);",
    "has nothing to poll, and *searches*",
);
const FOUND: Lane = Lane::Line(
    "let before = self.add(0_u64.wrapping_sub(SEARCHING));",
    "has found a task, and no longer searches",
);

const STEAL: Run = Run {
    name: "run-10-steal",
    title: "A worker steals half of another one's queue",
    caption: "The task `busy` has spawned four tasks: the latest is in worker 1's slot, the other three in its queue. When worker 2 has \
              nothing more to do, it takes half of that queue, rounded up, from the front: it polls one, and puts the other one into \
              its own queue. It can't take from the slot.",
    threads: &["main", WORKER_1, WORKER_2],
    lanes: &[
        Lane::Thread("main: spawns from outside"),
        Lane::Counted("injector.rs", "the injector: for tasks from outside"),
        Lane::Thread("worker 1"),
        Lane::Counted(
            "slot.rs",
            "worker 1's slot: the latest task, next to be polled",
        ),
        Lane::OwnQueue("worker 1's queue: the front is on the left"),
        Lane::Thread("worker 2"),
        Lane::Counted("slot.rs", "worker 2's slot"),
        Lane::OwnQueue("worker 2's queue"),
        COUNTS,
        SEARCHES,
        Lane::Steals("counts.stolen.add(1 + self.queue.len() as u64);", WORKER_1),
        FOUND,
    ],
    wording: Wording::Polls,
    record: steal,
};

fn steal() -> Recording {
    let runtime = Runtime::new(2);
    let gates = [(); 2].map(|()| busy_worker(&runtime));
    let [busy_is_polled, other_is_polled, spawned, a, b, c, end] =
        [(); 7].map(|()| Flag::default());
    let busy = {
        let [begun, other, spawned, stolen, b, c, end] = [
            &busy_is_polled,
            &other_is_polled,
            &spawned,
            &a,
            &b,
            &c,
            &end,
        ]
        .map(Flag::clone);
        async move {
            begun.set();
            other.wait();
            drop(spawn(watch("a", task(stolen.clone(), c.clone()))));
            drop(spawn(watch("b", task(b, end.clone()))));
            drop(spawn(watch("c", task(c, end))));
            drop(spawn(watch("d", async {})));
            spawned.set();
            stolen.wait();
        }
    };
    let recording = record(|| {
        drop(runtime.spawn(watch("busy", busy)));
        gates[0].set();
        busy_is_polled.wait();
        drop(runtime.spawn(watch("other", task(other_is_polled, spawned))));
        gates[1].set();
        b.wait();
        // The deque is not recorded, but the workers count what they steal, and the picture must say the same.
        let counts = runtime.metrics();
        let mut steals: Vec<_> = counts.iter().map(|it| (it.steals, it.stolen)).collect();
        steals.sort_unstable();
        assert_eq!(steals, [(0, 0), (1, 2)], "one steal, of half of the tasks");
    });
    end.set();
    recording
}

const ANNOUNCE: Run = Run {
    name: "run-10-announce",
    title: "A worker announces that it sleeps, looks once more, and is woken",
    caption: "The only worker finds nothing to poll. It announces its sleep in the idle word, and looks into all queues after that. Main \
              does it the other way round: it puts a task into the injector, and looks at the idle word after that. It sees the sleeper, \
              counts it as searching at once, and wakes it.",
    threads: &["main", WORKER_1],
    lanes: &[
        Lane::Thread("main: spawns from outside"),
        Lane::Counted("injector.rs", "the injector: for tasks from outside"),
        COUNTS,
        Lane::Thread("worker 1"),
        Lane::OwnQueue("worker 1's queue"),
        SEARCHES,
        Lane::Line(
            "self.add((SLEEPING + looking).wrapping_sub(searching));",
            "has found nothing, and *announces* that it sleeps",
        ),
        Lane::Line(
            "self.remote().counts.sleeps.add(1);",
            "has *looked once more* into all queues, and there is nothing",
        ),
        Lane::Line(
            "self.add(SEARCHING.wrapping_sub(SLEEPING));",
            "looks at the idle word, *sees a sleeper* and wakes it",
        ),
        Lane::Line(
            "self.add(0_u64.wrapping_sub(sleeping + looking));",
            "is awake",
        ),
        FOUND,
    ],
    wording: Wording::Polls,
    record: announce,
};

fn announce() -> Recording {
    let runtime = Runtime::with_park(1, Version::default(), NoClock(Parker::default()));
    let sleeps = || runtime.metrics()[0].sleeps;
    wait(|| sleeps() == 1); // and so it has looked
    let gate = busy_worker(&runtime);
    let [first, second, end] = [(); 3].map(|()| Flag::default());
    let recording = record(|| {
        drop(runtime.spawn(watch("first", task(first, gate.clone()))));
        gate.set();
        wait(|| sleeps() == 2);
        let asleep = Instant::now() + SHORT;
        wait(|| Instant::now() > asleep);
        drop(runtime.spawn(watch("second", task(second.clone(), end.clone()))));
        second.wait();
    });
    end.set();
    recording
}

/// A worker sleeps here until it is woken. No time passes, so it doesn't wake up after 20 ms to look whether another is stuck.
struct NoClock(Parker);

impl Park for NoClock {
    fn park(&self, limit: Option<Duration>, due: &mut Vec<Waker>) {
        self.0.park(limit.filter(Duration::is_zero), due);
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}

/// Keeps a worker busy until the flag is set, so that nothing is recorded of how it has begun.
fn busy_worker(runtime: &Runtime) -> Flag {
    let (begun, end) = (Flag::default(), Flag::default());
    drop(runtime.spawn(task(begun.clone(), end.clone())));
    begun.wait();
    end
}

/// Sets a flag, and then computes until another one is set.
async fn task(begun: Flag, end: Flag) {
    begun.set();
    end.wait();
}

/// What a thread waits for without a sleep, so that the picture shows it busy.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn wait(&self) {
        wait(|| self.0.load(Ordering::Acquire));
    }
}

fn wait(until: impl Fn() -> bool) {
    while !until() {
        thread::yield_now();
    }
}
