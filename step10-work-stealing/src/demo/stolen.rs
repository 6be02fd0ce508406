//! One worker is busy, and has spawned sixty tasks. Which of them the other worker gets depends on the version.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
};

use step10_work_stealing::{Handle, JoinHandle, Runtime, Version, spawn};

use super::staged::{Held, block_until, hold_a_worker, in_color, join, sum};

/// Fewer than the searches from one check of a worker to the next. In two checks, it could see that the busy worker is stuck,
/// and fetch what is in its slot. Part 5 shows that.
const TASKS: usize = 60;

/// Shows it in each version, and says how many of the tasks the other worker can get there.
pub fn show() {
    println!(
        "2. Two workers. One is busy in a poll that has spawned {TASKS} tasks of one poll each"
    );
    show_version(Version::SharedQueue, TASKS);
    show_version(Version::LocalQueues, 0);
    show_version(Version::Stealing, TASKS);
    show_version(Version::LifoSlot, TASKS - 1); // the last one is in the slot
}

fn show_version(version: Version, within_reach: usize) {
    let runtime = Runtime::with_version(2, version);
    let work = Arc::new(Work {
        handle: runtime.handle(),
        within_reach,
        finished: AtomicUsize::new(0),
        polls: Mutex::default(),
    });
    // The other worker is in a poll until all tasks are there. So it finds all of them at once.
    let other = hold_a_worker(&runtime);
    let busy = Arc::clone(&work);
    let busy = join(runtime.spawn(async move { busy.spawn_and_be_busy(other) }));
    busy.tasks.into_iter().for_each(join);
    let slot_polls = sum(&work.handle, |worker| worker.slot_polls);
    let polls = work.polls.lock().expect("no task panics");
    let by_busy = polls.iter().filter(|it| it.by == busy.worker).count();
    let by_other = polls.len() - by_busy;
    println!(
        "   {:<12} the busy one  {} polls: {by_busy:>2}",
        format!("{version:?}:"),
        bar(by_busy)
    );
    println!(
        "   {:<12} the other one {} polls: {by_other:>2}, tasks finished meanwhile: {}",
        "",
        bar(by_other),
        busy.finished
    );
    let steals = sum(&work.handle, |worker| worker.steals);
    if steals > 0 {
        let sizes = tasks_in_each_steal(&polls);
        println!("     steals: {steals}, tasks in each: {sizes}");
    }
    if slot_polls > 0 {
        println!(
            "     polls from the slot, which thieves leave to its owner, after the long poll: {slot_polls}"
        );
    }
}

struct Work {
    handle: Handle,
    within_reach: usize,
    /// How many tasks have come to their end.
    finished: AtomicUsize,
    polls: Mutex<Vec<Polled>>,
}

/// What a task sees when it is polled.
struct Polled {
    by: ThreadId,
    /// How many tasks have been stolen so far.
    stolen: u64,
}

/// What is known when the busy worker is no longer busy.
struct Busy {
    worker: ThreadId,
    /// How many tasks the other worker has finished meanwhile.
    finished: usize,
    tasks: Vec<JoinHandle<()>>,
}

impl Work {
    /// Spawns the tasks, releases the other worker, and is busy until that one has done what it can.
    fn spawn_and_be_busy(self: Arc<Work>, other: Held) -> Busy {
        let spawn_one = |_| spawn(Arc::clone(&self).task());
        let tasks = (0..TASKS).map(spawn_one).collect();
        let sleeps = || sum(&self.handle, |worker| worker.sleeps);
        let before = sleeps();
        drop(other);
        let finished = || self.finished.load(Ordering::Relaxed);
        block_until(|| match self.within_reach {
            0 => sleeps() > before, // it has found nothing
            some => finished() == some,
        });
        Busy {
            worker: thread::current().id(),
            finished: finished(),
            tasks,
        }
    }

    async fn task(self: Arc<Work>) {
        let polled = Polled {
            by: thread::current().id(),
            stolen: sum(&self.handle, |worker| worker.stolen),
        };
        self.polls.lock().expect("no task panics").push(polled);
        let finished = 1 + self.finished.fetch_add(1, Ordering::Relaxed);
        if finished == self.within_reach {
            // Keeps the other worker from the rest, which a sleeper would fetch after some time. Part 5 shows that.
            block_until(|| self.finished.load(Ordering::Relaxed) == TASKS);
        }
    }
}

/// A bar for some of the polls.
fn bar(polls: usize) -> String {
    const WIDTH: usize = 30;
    let full = polls * WIDTH / TASKS;
    in_color(&"█".repeat(full)) + &" ".repeat(WIDTH - full)
}

/// As in `32, 18`. A steal is seen by the task that is polled first after it.
fn tasks_in_each_steal(polls: &[Polled]) -> String {
    let (mut sizes, mut before) = (Vec::new(), 0);
    for polled in polls {
        if polled.stolen > before {
            sizes.push((polled.stolen - before).to_string());
            before = polled.stolen;
        }
    }
    sizes.join(", ")
}
