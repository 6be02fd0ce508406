//! One worker is busy, and has spawned sixty tasks. Which of them the other worker gets depends on the version.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, ThreadId},
};

use step10_work_stealing::{Handle, JoinHandle, Runtime, Version, spawn};

use super::staged::{Held, block_until, hold_a_worker, join, sum};

/// Fewer than the searches from one check of a worker to the next. In two checks, it could see that the busy worker is stuck,
/// and fetch what is in its slot. Part 5 shows that.
const TASKS: usize = 60;

/// Shows it in each version, and says how many of the tasks the other worker can get there.
pub fn show() {
    println!(
        "2. Two workers. One is busy in a poll that has spawned {TASKS} tasks. Who polls them?"
    );
    show_version(Version::SharedQueue, TASKS);
    show_version(Version::LocalQueues, 0);
    show_version(Version::Stealing, TASKS);
    show_version(Version::LifoSlot, TASKS - 1); // the last one is in the slot
    println!(
        "   A steal takes half of a queue, but nothing from the slot, where LifoSlot keeps the latest task."
    );
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
    let (busy, tasks) = join(runtime.spawn(async move { busy.spawn_and_be_busy(other) }));
    tasks.into_iter().for_each(join);
    let polls = work.polls.lock().expect("no task panics");
    let by_busy = polls.iter().filter(|poll| poll.by == busy).count();
    let by_other = polls.len() - by_busy;
    let steals = match tasks_in_each_steal(&polls) {
        sizes if sizes.is_empty() => sizes,
        sizes => format!(", in steals of {sizes}"),
    };
    println!(
        "   {:<12} the busy one later: {by_busy:>2}, the other one meanwhile: {by_other:>2}{steals}",
        format!("{version:?}:"),
    );
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

impl Work {
    /// Spawns the tasks, releases the other worker, and is busy until that one has done what it can. Returns the busy thread,
    /// and the tasks.
    fn spawn_and_be_busy(self: Arc<Work>, other: Held) -> (ThreadId, Vec<JoinHandle<()>>) {
        let spawn_one = |_| spawn(Arc::clone(&self).task());
        let tasks = (0..TASKS).map(spawn_one).collect();
        let sleeps = || sum(&self.handle, |worker| worker.sleeps);
        let before = sleeps();
        drop(other);
        let finished = || self.finished.load(Ordering::Relaxed);
        block_until(|| match self.within_reach {
            0 => sleeps() > before, // it has found nothing, and slept
            some => finished() == some,
        });
        (thread::current().id(), tasks)
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
