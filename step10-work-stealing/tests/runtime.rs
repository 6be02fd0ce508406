//! What the contract does not ask: the end of a runtime whose workers are busy, the runtime of a thread, and a driver or a waker
//! that panics or blocks. The workers sleep on condition variables, so that Miri can run this.

use std::{
    future::{Future, pending, poll_fn, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on, future::join_all};
use probe::within;
use step10_work_stealing::{Park, Parker, Runtime, Version, spawn, time::sleep, yield_now};

const LIMIT: Duration = Duration::from_secs(if cfg!(miri) { 120 } else { 20 });

fn runtime(workers: usize) -> Runtime {
    Runtime::with_park(workers, Version::default(), Parker::default())
}

/// Waits until so many tasks are in the list of those that wait.
fn until_waiting(runtime: &Runtime, tasks: usize) {
    probe::wait_until(|| runtime.handle().waiting_tasks() == tasks);
}

#[test]
fn tasks_that_wake_each_other_on_two_workers_finish() {
    let (tasks, rounds) = if cfg!(miri) { (3, 2) } else { (100, 20) };
    within(LIMIT, || {
        for version in [Version::SharedQueue, Version::Stealing, Version::LifoSlot] {
            let runtime = Runtime::with_park(2, version, Parker::default());
            let all = (0..tasks).map(|task| {
                runtime.spawn(async move {
                    for round in 0..rounds {
                        let (send, receive) = oneshot::channel();
                        spawn(async move { send.send(task + round).unwrap() });
                        assert_eq!(receive.await, Ok(task + round));
                    }
                })
            });
            for task in block_on(join_all(all.collect::<Vec<_>>())) {
                task.unwrap();
            }
            until_waiting(&runtime, 0);
        }
    });
}

/// A task in the slot and tasks in the queue of a worker that is in a poll, while the runtime ends.
#[test]
fn the_end_drops_what_is_in_the_queues_of_a_busy_worker() {
    within(LIMIT, || {
        let runtime = runtime(1);
        let handle = runtime.handle();
        let owned = Arc::new(());
        let its = Arc::clone(&owned);
        let (tell, told) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        runtime.spawn(async move {
            for _ in 0..3 {
                let kept = Arc::clone(&its);
                spawn(async move { drop(kept) });
            }
            tell.send(()).unwrap();
            let _ = held.recv();
            pending::<()>().await;
        });
        told.recv().unwrap();
        let end = thread::spawn(move || runtime.shutdown());
        let late = handle.spawn(ready(()));
        assert!(block_on(late).unwrap_err().is_cancelled());
        // The worker is still in its poll, so it's the end that drops them.
        probe::wait_until(|| Arc::strong_count(&owned) <= 2);
        drop(hold);
        end.join().unwrap();
        assert_eq!(Arc::strong_count(&owned), 1);
    });
}

/// async-channel wakes while it holds a lock that the destructors of those who wait need too.
#[test]
fn at_the_end_a_wake_drops_no_other_future() {
    type Wakers = Arc<Mutex<Vec<Waker>>>;
    struct Waits(Wakers, mpsc::Sender<bool>);
    impl Drop for Waits {
        fn drop(&mut self) {
            let wakers = self.0.try_lock();
            self.1.send(wakers.is_ok()).unwrap();
            for waker in wakers.iter().flat_map(|wakers| wakers.iter()) {
                waker.wake_by_ref();
            }
        }
    }
    within(LIMIT, || {
        let runtime = runtime(1);
        let (wakers, (dropped, alone)) = (Wakers::default(), mpsc::channel());
        for _ in 0..3 {
            let waits = Waits(Arc::clone(&wakers), dropped.clone());
            drop(runtime.spawn(poll_fn(move |cx| {
                waits.0.lock().unwrap().push(cx.waker().clone());
                Poll::<()>::Pending
            })));
        }
        until_waiting(&runtime, 3);
        runtime.shutdown();
        drop(dropped);
        assert_eq!(alone.iter().collect::<Vec<_>>(), [true; 3]);
    });
}

/// Each waits for the one before, and the stack of the thread that drops the first is small.
#[test]
fn the_end_of_a_long_chain_of_tasks_needs_little_stack() {
    const TASKS: usize = if cfg!(miri) { 10 } else { 10_000 };
    within(LIMIT, || {
        let runtime = runtime(2);
        let owned = Arc::new(());
        let mut last = runtime.spawn(pending::<()>());
        for _ in 0..TASKS {
            let its = Arc::clone(&owned);
            last = runtime.spawn(async move {
                let _its = its;
                drop(last.await);
            });
        }
        until_waiting(&runtime, TASKS + 1);
        let ends = thread::Builder::new().stack_size(256 << 10);
        let ends = ends.spawn(|| runtime.shutdown()).unwrap();
        ends.join().unwrap();
        assert_eq!(Arc::strong_count(&owned), 1);
        assert!(block_on(last).unwrap_err().is_cancelled());
    });
}

#[test]
fn a_runtime_dropped_in_its_own_task_does_not_wait_for_it() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let (tell, told) = mpsc::channel();
        drop(runtime.handle().spawn(async move {
            runtime.shutdown();
            tell.send(()).unwrap();
            pending::<()>().await;
        }));
        assert_eq!(told.recv(), Ok(()));
        assert!(told.recv().is_err(), "the future is dropped after its poll");
    });
}

/// Its poll may use timers until it is over, and then it is dropped.
#[test]
fn a_timer_does_not_fail_in_the_last_poll_of_its_task() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let (closing, closed) = mpsc::channel::<()>();
        let _waits = runtime.spawn(async move {
            pending::<()>().await;
            drop(closing);
        });
        let (start, started) = mpsc::channel();
        let runs = runtime.spawn(async move {
            start.send(()).unwrap();
            closed.recv().unwrap_err();
            sleep(Duration::from_secs(3_600)).await;
        });
        started.recv().unwrap();
        runtime.shutdown();
        assert!(block_on(runs).unwrap_err().is_cancelled());
    });
}

/// Sleeps as a parker does, and panics each second time.
#[derive(Default)]
struct PanicsWhenParked(Parker, AtomicUsize);

impl Park for PanicsWhenParked {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        self.0.park(timeout, due);
        let calls = self.1.fetch_add(1, SeqCst);
        assert!(calls % 2 == 0, "this panic belongs to the test");
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}

#[test]
fn a_driver_that_panics_ends_no_worker_and_no_timer() {
    within(LIMIT, || {
        for workers in [1, 2] {
            let park = PanicsWhenParked::default();
            let runtime = Runtime::with_park(workers, Version::default(), park);
            for _ in 0..6 {
                let task = runtime.spawn(async { sleep(Duration::from_millis(1)).await });
                block_on(task).unwrap();
            }
        }
    });
}

/// A waker may run any code. Here the one of a timer blocks its worker, which is the one that drives the timers.
#[test]
fn a_waker_that_blocks_does_not_stop_the_timers_of_others() {
    struct Blocks(Mutex<mpsc::Receiver<()>>, mpsc::Sender<()>);
    impl Wake for Blocks {
        fn wake(self: Arc<Self>) {
            self.1.send(()).unwrap();
            let _ = self.0.lock().unwrap().recv();
        }
    }
    within(LIMIT, || {
        let runtime = runtime(2);
        let (tell, told) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        // Long enough for both workers to sleep without a limit.
        let mut first = runtime.handle().sleep(Duration::from_millis(50));
        let waker = Waker::from(Arc::new(Blocks(Mutex::new(held), tell)));
        let polled = pin!(&mut first).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
        told.recv().unwrap();
        block_on(runtime.handle().sleep(Duration::from_millis(1)));
        drop(hold);
    });
}

#[test]
fn a_thread_is_on_the_runtime_of_its_innermost_block_on() {
    within(LIMIT, || {
        let (outer, inner) = (runtime(1), runtime(1));
        let worker = async || spawn(async { thread::current().id() }).await.unwrap();
        let ids = [&outer, &inner].map(|runtime| runtime.block_on(worker()));
        assert_ne!(ids[0], ids[1]);
        let seen =
            outer.block_on(async { [worker().await, inner.block_on(worker()), worker().await] });
        assert_eq!(seen, [ids[0], ids[1], ids[0]]);
        assert!(catch_unwind(|| spawn(async {})).is_err(), "it is on none");
    });
}

#[test]
fn block_on_in_a_task_panics_and_says_what_to_do() {
    within(LIMIT, || {
        let runtime = runtime(1);
        let inside = runtime.handle();
        let error = block_on(runtime.spawn(async move { inside.block_on(ready(())) })).unwrap_err();
        assert!(error.is_panic() && error.to_string().ends_with("use `.await`"));
    });
}

/// For the runtime of the task that it wakes, a worker of another one is a thread like any other.
#[test]
fn a_task_runs_on_its_own_runtime_whoever_wakes_it() {
    within(LIMIT, || {
        let [here, there] = [(); 2].map(|()| runtime(1));
        let id = async || thread::current().id();
        let [first, second] = [&here, &there].map(|runtime| block_on(runtime.spawn(id())).unwrap());
        for _ in 0..10 {
            let (wake, woken) = oneshot::channel();
            let waits = there.spawn(async move {
                woken.await.unwrap();
                thread::current().id()
            });
            let wakes = here.spawn(async move {
                yield_now().await;
                wake.send(()).unwrap();
                thread::current().id()
            });
            assert_eq!(block_on(wakes).unwrap(), first);
            assert_eq!(block_on(waits).unwrap(), second);
        }
    });
}

#[test]
fn a_runtime_has_between_1_and_65_535_workers() {
    for workers in [0, 1 << 16] {
        let started = catch_unwind(AssertUnwindSafe(|| runtime(workers)));
        assert!(started.is_err(), "{workers} workers");
    }
}
