//! Workers that fall asleep while others push tasks, steal them, or end the runtime: the workers' own code, on loom's
//! threads. The queue of each worker is crossbeam's, which loom takes for one step. Nothing here knows time: a sleep with
//! a limit has none, so what these models find woken does not wait for the next look.

use std::{
    future::{Future, pending},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use crossbeam_deque::Worker;
use loom::{
    future::block_on,
    thread::{self, JoinHandle},
};

use crate::{Handle, Parker, Version, context, task::Why, time_driver::TimeDriver, worker::Local};

/// A runtime whose workers are loom's threads.
struct Model {
    handle: Handle,
    workers: Vec<JoinHandle<()>>,
}

impl Model {
    fn start(workers: usize, version: Version) -> Model {
        let queues: Vec<_> = (0..workers).map(|_| Worker::new_fifo()).collect();
        let stealers = queues.iter().map(Worker::stealer);
        let driver = TimeDriver::new(Parker::default());
        let handle = Handle::new(version, stealers, driver, None);
        let numbered = queues.into_iter().enumerate();
        let workers = numbered.map(|(number, queue)| {
            let (handle, local) = (
                handle.clone(),
                Local::new(Arc::clone(handle.shared()), number, queue),
            );
            thread::spawn(move || {
                let (_entered, current) = context::enter(handle, Some(local));
                current.local.as_ref().unwrap().work();
            })
        });
        let workers = workers.collect();
        Model { handle, workers }
    }

    /// What the end of a runtime does.
    fn end(self) {
        self.handle.shared().close();
        for worker in self.workers {
            worker.join().unwrap();
        }
        drop(self.handle.shared().close_driver());
    }
}

/// Tries all orders with at most so many interruptions, or with as many as `LOOM_MAX_PREEMPTIONS` says. Says how many
/// orders there were.
pub fn interrupted(times: usize, model: impl Fn() + Send + Sync + 'static) {
    let orders = Arc::new(AtomicUsize::new(0));
    let count = orders.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(times);
    builder.max_branches = 10_000;
    builder.check(move || {
        count.fetch_add(1, SeqCst);
        model();
    });
    println!("{} orders", orders.load(SeqCst));
}

#[test]
fn a_task_from_outside_finds_the_only_worker_awake_or_wakes_it() {
    interrupted(2, || {
        let model = Model::start(1, Version::LocalQueues);
        // A lost wake-up is a deadlock here, and loom reports it.
        assert_eq!(block_on(model.handle.spawn(async { 7 })).unwrap(), 7);
        model.end();
    });
}

#[test]
fn a_worker_about_to_sleep_does_not_miss_the_end() {
    interrupted(3, || Model::start(1, Version::Stealing).end());
}

#[test]
fn two_workers_about_to_sleep_do_not_miss_the_end() {
    interrupted(1, || Model::start(2, Version::Stealing).end());
}

/// Also if it was about to push when the queues were emptied.
#[test]
fn what_a_worker_pushes_as_the_runtime_ends_is_dropped() {
    interrupted(3, || {
        let queue = Worker::new_fifo();
        let stealers = [queue.stealer()].into_iter();
        let driver = TimeDriver::new(Parker::default());
        let handle = Handle::new(Version::LifoSlot, stealers, driver, None);
        let owned = Arc::new(());
        let its = Arc::clone(&owned);
        drop(handle.spawn(async move { drop(its) }));
        let shared = Arc::clone(handle.shared());
        let task = shared.injector.pop().unwrap();
        let worker = thread::spawn(move || {
            let local = Local::new(shared, 0, queue);
            local.push(task, Why::Woken);
            local.work();
        });
        let workers = vec![worker];
        Model { handle, workers }.end();
        assert_eq!(Arc::strong_count(&owned), 1);
    });
}

/// The only worker blocks until the task that it has spawned is gone, so only the end can drop it. A task that the end
/// overlooked would be a deadlock, and loom reports it.
#[test]
fn the_end_drops_what_a_blocked_worker_has_spawned_and_waits_for() {
    interrupted(2, || {
        let model = Model::start(1, Version::LifoSlot);
        let handle = model.handle.clone();
        drop(model.handle.spawn(async move {
            assert!(block_on(handle.spawn(pending::<()>())).is_err());
        }));
        model.end();
    });
}

/// The worker that drops a future because the runtime ends may come to what its destructor spawns before anybody else.
#[test]
fn what_a_destructor_spawns_as_the_runtime_ends_is_not_polled() {
    struct Spawns(Handle, Arc<AtomicUsize>);
    impl Future for Spawns {
        type Output = ();
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            Poll::Pending
        }
    }
    impl Drop for Spawns {
        fn drop(&mut self) {
            let polls = Arc::clone(&self.1);
            drop(self.0.spawn(async move {
                polls.fetch_add(1, SeqCst);
            }));
        }
    }
    interrupted(2, || {
        let model = Model::start(1, Version::SharedQueue);
        let polls = Arc::new(AtomicUsize::new(0));
        let spawns = Spawns(model.handle.clone(), Arc::clone(&polls));
        drop(model.handle.spawn(spawns));
        model.end();
        assert_eq!(polls.load(SeqCst), 0);
    });
}
