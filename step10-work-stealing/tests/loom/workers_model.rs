//! Workers that fall asleep while others push tasks, steal them, or end the runtime: the workers' own code, on loom's
//! threads. The deque of each worker is crossbeam's, which loom takes for one step. Nothing here knows time: a sleep with
//! a limit has none, so what these models find woken does not wait for the next check.

use std::{
    future::{Future, pending},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use loom::{
    future::block_on,
    sync::{Arc as LoomArc, Condvar, Mutex},
    thread::{self, JoinHandle},
};

use crate::runtime::work;
use crate::{Handle, Version, task::Why, worker::Local};

use super::{interrupted, runtime};

/// A runtime whose workers are loom's threads.
struct Model {
    handle: Handle,
    workers: Vec<JoinHandle<()>>,
}

impl Model {
    fn start(workers: usize, version: Version) -> Model {
        let (handle, deques) = runtime(workers, version);
        let numbered = deques.into_iter().enumerate();
        let workers = numbered.map(|(number, deque)| {
            let shared = Arc::clone(&handle.0);
            thread::spawn(move || work(shared, number, deque))
        });
        let workers = workers.collect();
        Model { handle, workers }
    }

    /// As `start`, and waits until all of them sleep.
    fn start_asleep(workers: usize, version: Version) -> Model {
        let model = Model::start(workers, version);
        while model.handle.idle_workers().sleeping < workers {
            thread::yield_now();
        }
        model
    }

    /// What the end of a runtime does, if no timer and no socket is waited for.
    fn end(self) {
        self.handle.0.close();
        for worker in self.workers {
            worker.join().unwrap();
        }
    }
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

// The three models with a meeting are tried without interruptions, because with a single one, none of them has come to its end in
// twenty seconds of computing. So they say that the right worker is woken once the others are blocked, and not that a steal or a
// wake is right at every moment. For the moments, there are the models with one worker, and `idle_model.rs`.

/// A task that blocks its worker until so many tasks have begun.
struct Meeting(LoomArc<(Mutex<usize>, Condvar)>, usize);

impl Meeting {
    fn new(members: usize) -> Meeting {
        Meeting(LoomArc::default(), members)
    }

    fn member(&self) -> impl Future<Output = ()> + Send + use<> {
        let (meeting, members) = (LoomArc::clone(&self.0), self.1);
        async move {
            let (begun, changed) = &*meeting;
            let mut begun = begun.lock().unwrap();
            *begun += 1;
            changed.notify_all();
            while *begun < members {
                begun = changed.wait(begun).unwrap();
            }
        }
    }
}

/// One worker is woken for the first task, and no other for the second, because that one searches. So it has to wake another
/// when it has found the first.
#[test]
fn two_tasks_that_wait_for_each_other_get_two_workers() {
    interrupted(0, || {
        let model = Model::start_asleep(2, Version::Stealing);
        let meeting = Meeting::new(2);
        drop(model.handle.spawn(meeting.member()));
        block_on(model.handle.spawn(meeting.member())).unwrap();
        model.end();
    });
}

/// The first worker takes two of the three at once, and blocks in the first of them, so the other one has to steal.
#[test]
fn what_is_queued_behind_a_task_that_waits_for_it_is_stolen() {
    interrupted(0, || {
        let model = Model::start_asleep(2, Version::Stealing);
        let meeting = Meeting::new(2);
        drop(model.handle.spawn(meeting.member()));
        let second = model.handle.spawn(meeting.member());
        drop(model.handle.spawn(async {}));
        block_on(second).unwrap();
        model.end();
    });
}

/// The worker that pushes two tasks is blocked until the second has run, so the pushes have to wake the other one.
#[test]
fn what_a_blocked_worker_has_pushed_is_stolen() {
    interrupted(0, || {
        let model = Model::start_asleep(2, Version::Stealing);
        let (handle, meeting) = (model.handle.clone(), Meeting::new(2));
        let blocked = model.handle.spawn(async move {
            drop(handle.spawn(async {}));
            drop(handle.spawn(meeting.member()));
            meeting.member().await;
        });
        block_on(blocked).unwrap();
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
        let (handle, mut deques) = runtime(1, Version::LifoSlot);
        let owned = Arc::new(());
        let its = Arc::clone(&owned);
        drop(handle.spawn(async move { drop(its) }));
        let shared = Arc::clone(&handle.0);
        let task = shared.injector.pop().unwrap();
        let deque = deques.remove(0);
        let worker = thread::spawn(move || {
            let local = Local::new(shared, 0, deque);
            local.schedule(task, Why::Woken);
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
fn the_end_drops_the_task_that_a_blocked_worker_waits_for() {
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
