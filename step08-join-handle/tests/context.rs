//! Where a task goes that is spawned without a handle, and where `block_on` may be called.

use std::{
    cell::RefCell,
    future::{pending, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::{Arc, mpsc},
    task::Poll,
    thread::{self, ThreadId},
    time::Duration,
};

use futures::future::join_all;
use probe::{Counted, within};
use step08_join_handle::{Handle, JoinHandle, Runtime, spawn, yield_now};

const LIMIT: Duration = Duration::from_secs(10);

/// The only worker of a runtime, by which its tasks are told from those of another runtime.
fn worker_of(handle: &Handle) -> ThreadId {
    futures::executor::block_on(handle.spawn(async { thread::current().id() })).unwrap()
}

/// Spawns without a handle, and returns the worker that polls.
async fn worker_of_spawn() -> ThreadId {
    spawn(async { thread::current().id() }).await.unwrap()
}

#[test]
fn spawn_uses_the_runtime_that_polls_or_that_blocks_on() {
    within(LIMIT, || {
        let (one, two) = (Runtime::new(1), Runtime::new(1));
        let (first, second) = (worker_of(&one.handle()), worker_of(&two.handle()));
        assert_eq!(one.block_on(worker_of_spawn()), first);
        let seen = one.block_on(async {
            let inside = two.spawn(worker_of_spawn()).await.unwrap();
            (inside, worker_of_spawn().await)
        });
        assert_eq!(seen, (second, first));
    });
}

#[test]
fn what_block_on_runs_need_not_be_send() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let caller = thread::current().id();
        let seven = Rc::new(7);
        let seen = runtime.block_on(async {
            yield_now().await;
            (*seven, thread::current().id())
        });
        assert_eq!(seen, (7, caller));
    });
}

#[test]
fn what_block_on_runs_is_dropped_inside_its_runtime() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let (send, spawned) = mpsc::channel();
        let spawns = Last(Some(Box::new(move || {
            send.send(spawn(async { thread::current().id() })).unwrap();
        })));
        runtime.block_on(poll_fn(move |_| {
            let _owned = &spawns;
            Poll::Ready(())
        }));
        let ran_on = runtime.block_on(spawned.recv().unwrap()).unwrap();
        assert_eq!(ran_on, worker_of(&runtime.handle()));
    });
}

#[test]
fn a_panic_of_what_block_on_runs_leaves_the_runtime_as_it_was() {
    within(LIMIT, || {
        let (one, two) = (Runtime::new(1), Runtime::new(1));
        let (first, second) = (worker_of(&one.handle()), worker_of(&two.handle()));
        let seen = one.block_on(async {
            let panics = || two.block_on(async { panic!("this panic belongs to the test") });
            let panic: Result<(), _> = catch_unwind(AssertUnwindSafe(panics));
            assert_eq!(
                *panic.unwrap_err().downcast::<&str>().unwrap(),
                "this panic belongs to the test"
            );
            worker_of_spawn().await
        });
        assert_eq!(seen, first);
        assert_eq!(two.block_on(worker_of_spawn()), second);
    });
}

const REFUSAL: &str = "the task panicked: `block_on` was called inside a task, and would block its worker: use `.await`, or \
                       `spawn_blocking`";

#[test]
fn block_on_inside_a_task_panics_and_its_worker_goes_on() {
    within(LIMIT, || {
        let runtime = Arc::new(Runtime::new(1));
        let other = Arc::new(Runtime::new(1));
        let worker = worker_of(&runtime.handle());
        for blocks in [&runtime, &other] {
            let blocks = Arc::clone(blocks);
            let task = runtime.spawn(async move { blocks.block_on(async {}) });
            let error = runtime.block_on(task).unwrap_err();
            assert_eq!(error.to_string(), REFUSAL);
        }
        assert_eq!(worker_of(&runtime.handle()), worker);
    });
}

#[test]
fn tasks_on_all_workers_that_block_on_a_task_panic() {
    within(LIMIT, || {
        let runtime = Arc::new(Runtime::new(2));
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let again = Arc::clone(&runtime);
                runtime.spawn(async move { again.block_on(spawn(async {})).unwrap() })
            })
            .collect();
        for result in runtime.block_on(join_all(tasks)) {
            assert_eq!(result.unwrap_err().to_string(), REFUSAL);
        }
    });
}

#[test]
fn a_destructor_run_by_the_shutdown_spawns_on_its_own_runtime() {
    within(LIMIT, || {
        let (one, two) = (Runtime::new(1), Runtime::new(1));
        let (send, refused) = mpsc::channel();
        for _ in 0..2 {
            let spawns = Spawns(send.clone());
            one.spawn(async move {
                let _spawns = spawns;
                pending::<()>().await;
            });
        }
        // One more, which is polled while the runtime is shut down, so that its worker drops it.
        let (begins, begun) = mpsc::channel();
        let (let_go, goes) = mpsc::channel::<()>();
        let spawns = Spawns(send);
        one.spawn(poll_fn(move |_| {
            let _owned = &spawns;
            begins.send(()).unwrap();
            goes.recv().unwrap();
            Poll::<()>::Pending
        }));
        begun.recv().unwrap();
        // Inside another runtime, which must not get the tasks.
        two.block_on(async {
            let stopping = one.handle();
            let letting_go = thread::spawn(move || {
                probe::wait_until(|| stopping.spawn(async {}).is_finished());
                let_go.send(()).unwrap();
            });
            drop(one);
            letting_go.join().unwrap();
            for (handle, polls) in refused.iter().collect::<Vec<_>>() {
                assert!(handle.await.unwrap_err().is_cancelled());
                assert_eq!(polls.polls(), 0);
            }
        });
    });
}

/// Spawns a task when it is dropped.
struct Spawns(mpsc::Sender<(JoinHandle<()>, probe::Counts)>);

impl Drop for Spawns {
    fn drop(&mut self) {
        let task = Counted::new(async {});
        let counts = task.counts();
        self.0.send((spawn(task), counts)).unwrap();
    }
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// What a thread does when it ends.
struct Last(Option<Box<dyn FnOnce() + Send>>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.take().unwrap()();
    }
}

fn at_the_end_of_this_thread(act: impl FnOnce() + Send + 'static) {
    LAST.set(Some(Last(Some(Box::new(act)))));
}

// The global runtime is never dropped, and Miri does not let a thread outlive `main`.
#[cfg_attr(miri, ignore)]
#[test]
fn outside_of_all_runtimes_spawn_uses_the_global_one() {
    within(LIMIT, || {
        let handle = spawn(async { thread::current().name().map(str::to_owned) });
        let name = futures::executor::block_on(handle).unwrap();
        assert_eq!(name.as_deref(), Some("worker"));
        // After `block_on`, the thread is outside again.
        let runtime = Runtime::new(1);
        let worker = runtime.block_on(worker_of_spawn());
        drop(runtime);
        let spawned = futures::executor::block_on(worker_of_spawn());
        assert_ne!(spawned, worker);
    });
}

// The global runtime is never dropped, and Miri does not let a thread outlive `main`.
#[cfg_attr(miri, ignore)]
#[test]
fn a_thread_that_ends_may_spawn() {
    within(LIMIT, || {
        // Whether the destructor comes before or after that of the runtime's own variable.
        for uses_the_runtime_first in [false, true] {
            let (send, receive) = mpsc::channel();
            let ends = thread::spawn(move || {
                let runtime = Runtime::new(1);
                if uses_the_runtime_first {
                    runtime.block_on(async {});
                }
                at_the_end_of_this_thread(move || send.send(spawn(async { 7 })).unwrap());
                runtime.block_on(async {});
            });
            ends.join().unwrap();
            let spawned = receive.recv().unwrap();
            assert_eq!(futures::executor::block_on(spawned).unwrap(), 7);
        }
    });
}

#[test]
fn a_thread_that_ends_may_shut_a_runtime_down() {
    within(LIMIT, || {
        // Whether the destructor comes before or after that of the runtime's own variable.
        for uses_the_runtime_first in [false, true] {
            let idle = Counted::new(pending::<()>());
            let counts = idle.counts();
            let ends = thread::spawn(move || {
                let runtime = Arc::new(Runtime::new(1));
                if uses_the_runtime_first {
                    runtime.block_on(async {});
                }
                let last = Arc::clone(&runtime);
                at_the_end_of_this_thread(move || drop(Arc::into_inner(last).unwrap()));
                runtime.block_on(async {});
                runtime.spawn(idle)
            });
            let idle = ends.join().unwrap();
            assert!(
                futures::executor::block_on(idle)
                    .unwrap_err()
                    .is_cancelled()
            );
            assert_eq!(counts.drops(), 1);
        }
    });
}
