//! The runtime as a user sees it, on workers that sleep on condition variables: results, aborts, and the end.

use std::{
    cell::RefCell,
    future::{Future, pending, poll_fn, ready},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Waker},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use futures::{channel::oneshot, executor::block_on, future::join_all};
use probe::{Counted, CountingWaker, within};
use step10_work_stealing::{
    Handle, JoinError, Park, Parker, Runtime, Version, WorkerMetrics, spawn, time::sleep, yield_now,
};

const LIMIT: Duration = Duration::from_secs(if cfg!(miri) { 120 } else { 20 });

fn runtime(workers: usize) -> Runtime {
    Runtime::with_park(workers, Version::default(), Parker::default())
}

#[test]
fn outputs_panics_and_aborts_come_through_the_handles() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let output = runtime.spawn(async {
            let six = spawn(async { 6 });
            yield_now().await;
            six.await.unwrap() * 7
        });
        assert_eq!(block_on(output).unwrap(), 42);
        let panics = runtime.spawn(async { panic!("this panic belongs to the test") });
        let error: JoinError = block_on(panics).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the task panicked: this panic belongs to the test"
        );
        let endless = runtime.spawn(pending::<()>());
        endless.abort();
        endless.abort();
        assert!(block_on(endless).unwrap_err().is_cancelled());
    });
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
        }
    });
}

#[test]
fn the_end_drops_each_unfinished_task_once_and_refuses_more() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let handle = runtime.handle();
        let (started, has_started) = mpsc::channel();
        let idle = Counted::new(async move {
            started.send(()).unwrap();
            pending::<()>().await;
        });
        let counts = idle.counts();
        let idle = runtime.spawn(idle);
        has_started.recv().unwrap();
        runtime.shutdown();
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
        assert!(idle.is_finished());
        assert!(block_on(idle).unwrap_err().is_cancelled());

        let late = Counted::new(ready(()));
        let counts = late.counts();
        let late = handle.spawn(late);
        assert_eq!((counts.polls(), counts.drops()), (0, 1));
        assert!(block_on(late).unwrap_err().is_cancelled());
    });
}

#[test]
fn a_finished_task_is_in_no_list() {
    within(LIMIT, || {
        let runtime = runtime(1);
        for _ in 0..20 {
            block_on(runtime.spawn(yield_now())).unwrap();
        }
        // A thread that waits for a task may be woken a moment before it has left the list.
        while !format!("{:?}", runtime.handle()).starts_with("Handle(0 tasks wait") {
            thread::yield_now();
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
        while Arc::strong_count(&owned) > 2 {
            thread::yield_now();
        }
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
        while wakers.lock().unwrap().len() < 3 {
            thread::yield_now();
        }
        runtime.shutdown();
        drop(dropped);
        assert_eq!(alone.iter().collect::<Vec<_>>(), [true; 3]);
    });
}

/// As many as the list has places that are locked by themselves, and more.
#[test]
fn the_end_finds_every_task_that_waits() {
    const TASKS: usize = 40;
    within(LIMIT, || {
        let runtime = runtime(1);
        let owned = Arc::new(());
        for _ in 0..TASKS {
            let its = Arc::clone(&owned);
            drop(runtime.spawn(async move {
                pending::<()>().await;
                drop(its);
            }));
        }
        prints(
            &runtime.handle(),
            "Handle(40 tasks wait, 0 searching, 1 sleeping)",
        );
        runtime.shutdown();
        assert_eq!(Arc::strong_count(&owned), 1);
    });
}

/// Each waits for the one before, and the stack of the thread that drops the first is small.
#[test]
fn the_end_of_many_tasks_that_wait_for_each_other_needs_little_stack() {
    const TASKS: usize = if cfg!(miri) { 10 } else { 10_000 };
    within(LIMIT, || {
        let runtime = runtime(2);
        let mut last = runtime.spawn(pending::<()>());
        for _ in 0..TASKS {
            last = runtime.spawn(async { drop(last.await) });
        }
        let waiting = format!("Handle({} tasks wait", TASKS + 1);
        while !format!("{:?}", runtime.handle()).starts_with(&waiting) {
            thread::yield_now();
        }
        let ends = thread::Builder::new().stack_size(256 << 10);
        let ends = ends.spawn(|| runtime.shutdown()).unwrap();
        ends.join().unwrap();
        assert!(block_on(last).unwrap_err().is_cancelled());
    });
}

/// A task blocks its thread until another is dropped, which is in the slot of that worker, or comes there after the close.
#[test]
fn the_end_drops_what_a_blocked_worker_waits_for() {
    for after_the_close in [false, true] {
        within(LIMIT, move || {
            let runtime = runtime(1);
            let (handle, (closing, closed)) = (runtime.handle(), mpsc::channel());
            let waits = runtime.spawn(SendsAtItsEnd(closing));
            let (blocking, blocks) = mpsc::channel();
            let blocked = runtime.spawn(async move {
                if after_the_close {
                    blocking.send(()).unwrap();
                    closed.recv().unwrap();
                    thread::sleep(Duration::from_millis(20)); // until the flag is set and the queues are empty
                }
                let (kept, dropped) = mpsc::channel::<()>();
                drop(handle.spawn(async move { drop(kept) }));
                blocking.send(()).unwrap();
                dropped.recv().unwrap_err();
            });
            blocks.recv().unwrap();
            runtime.shutdown();
            assert!(block_on(waits).unwrap_err().is_cancelled());
            block_on(blocked).unwrap();
        });
    }
}

struct SendsAtItsEnd(mpsc::Sender<()>);

impl Future for SendsAtItsEnd {
    type Output = ();

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Drop for SendsAtItsEnd {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[test]
fn dropping_a_runtime_in_a_task_of_its_own_does_not_wait_for_itself() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let handle = runtime.handle();
        let (tell, told) = mpsc::channel();
        drop(handle.spawn(async move {
            runtime.shutdown();
            tell.send(()).unwrap();
            pending::<()>().await;
        }));
        assert_eq!(told.recv(), Ok(()));
        assert!(told.recv().is_err(), "the future is dropped after its poll");
    });
}

/// Sends the thread on which it is dropped.
struct SaysWhere(mpsc::Sender<ThreadId>);

impl Drop for SaysWhere {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().id());
    }
}

/// The thread that drops the last waker may hold a lock that a destructor needs.
#[test]
fn the_last_waker_may_be_dropped_on_any_thread_and_outlive_the_runtime() {
    within(LIMIT, || {
        let (give, given) = mpsc::channel();
        let (says_where, dropped_on) = mpsc::channel();
        let runtime = runtime(1);
        let kept = SaysWhere(says_where);
        drop(runtime.spawn(async move {
            poll_fn(|cx| {
                give.send(cx.waker().clone()).unwrap();
                Poll::Ready(())
            })
            .await;
            drop(give);
            pending::<()>().await;
            drop(kept);
        }));
        let waker: Waker = given.recv().unwrap();
        // Once the poll is over, the channel has no sender.
        assert!(given.recv().is_err());
        let second = waker.clone();
        let drops = thread::spawn(move || drop(waker));
        let drops_on = drops.thread().id();
        drops.join().unwrap();
        assert!(dropped_on.try_recv().is_err(), "it was dropped by a waker");
        runtime.shutdown();
        // By the end of the runtime, or by the worker, if that was still in its poll.
        assert_ne!(dropped_on.recv().unwrap(), drops_on);
        second.wake_by_ref();
        second.wake();
    });
}

#[test]
fn a_task_woken_from_another_thread_and_as_a_thread_ends_runs() {
    within(LIMIT, || {
        /// Wakes when the thread that has it ends.
        struct WakesAtTheEnd(Waker);
        impl Drop for WakesAtTheEnd {
            fn drop(&mut self) {
                self.0.wake_by_ref();
            }
        }
        thread_local! {
            static LAST: RefCell<Option<WakesAtTheEnd>> = const { RefCell::new(None) };
        }
        let runtime = runtime(2);
        let mut polls = 0;
        let task = runtime.spawn(poll_fn(move |cx| {
            let waker = cx.waker().clone();
            polls += 1;
            match polls {
                1 => drop(thread::spawn(|| waker.wake())),
                2 => drop(thread::spawn(|| LAST.set(Some(WakesAtTheEnd(waker))))),
                _ => return Poll::Ready(polls),
            }
            Poll::Pending
        }));
        assert_eq!(block_on(task).unwrap(), 3);
    });
}

#[test]
fn a_handle_wakes_the_latest_of_those_who_wait_and_keeps_no_waker() {
    within(LIMIT, || {
        let runtime = runtime(1);
        let (end, ended) = oneshot::channel::<()>();
        let mut handle = runtime.spawn(ended);
        let (first, second) = (CountingWaker::new(), CountingWaker::new());
        let mut poll = |waker: &CountingWaker| {
            pin!(&mut handle)
                .poll(&mut Context::from_waker(&waker.waker()))
                .is_pending()
        };
        assert!(poll(&first) && poll(&second));
        assert_eq!((first.live(), second.live()), (0, 1));
        end.send(()).unwrap();
        while second.wakes() == 0 {
            thread::yield_now();
        }
        assert_eq!((first.wakes(), second.wakes(), second.live()), (0, 1, 0));

        let mut endless = runtime.spawn(pending::<()>());
        let waker = second.waker();
        assert!(
            pin!(&mut endless)
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        drop((endless, waker));
        assert_eq!(second.live(), 0);
    });
}

#[test]
fn sleeps_and_spawns_reach_their_runtime_by_thread_or_by_handle() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let handle = runtime.handle();
        let outer = runtime.block_on(async {
            sleep(Duration::from_millis(1)).await;
            let by_handle = handle.sleep(Duration::from_millis(1));
            let task = spawn(async move {
                by_handle.await;
                thread::current().name().map(str::to_owned)
            });
            task.await.unwrap()
        });
        assert_eq!(outer.as_deref(), Some("worker"));
        let answer = handle.block_on(async { spawn(async { 7 }).await.unwrap() });
        assert_eq!(answer, 7);
        // Another runtime's task is spawned by handle, and woken there.
        let other = Runtime::with_park(1, Version::LifoSlot, Parker::default());
        let (send, receive) = oneshot::channel();
        let there = other.spawn(receive);
        let here = runtime.spawn(async move {
            send.send(1).unwrap();
            there.await.unwrap()
        });
        assert_eq!(block_on(here).unwrap(), Ok(1));
    });
}

/// The thread is not one of the runtime's, so the end does not wait for it.
#[test]
fn a_thread_that_waits_for_a_timer_as_the_runtime_ends_is_woken() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let handle = runtime.handle();
        let (start, started) = mpsc::channel();
        let waits = thread::spawn(move || {
            let mut sleep = handle.sleep(Duration::from_secs(3_600));
            handle.block_on(poll_fn(|cx| {
                let polled = pin!(&mut sleep).poll(cx);
                let _ = start.send(());
                polled
            }));
        });
        started.recv().unwrap();
        runtime.shutdown();
        let panic = waits.join().unwrap_err();
        assert_eq!(
            panic.downcast_ref::<&str>(),
            Some(&"the runtime of this `sleep` has been dropped")
        );
    });
}

/// Its poll may use timers until it is over, and then it is dropped.
#[test]
fn a_poll_that_runs_while_the_runtime_ends_is_cancelled_and_does_not_panic() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let (closing, closed) = mpsc::channel();
        let _waits = runtime.spawn(SendsAtItsEnd(closing));
        let (start, started) = mpsc::channel();
        let runs = runtime.spawn(async move {
            start.send(()).unwrap();
            closed.recv().unwrap();
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

#[test]
fn a_handle_may_be_used_after_a_panic_as_those_of_the_standard_library() {
    fn unwind_safe<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    unwind_safe::<step10_work_stealing::JoinHandle<*mut ()>>();
}

#[test]
fn a_thread_belongs_to_the_innermost_block_on_that_it_is_in_and_then_to_no_runtime() {
    within(LIMIT, || {
        let (outer, inner) = (runtime(1), runtime(1));
        let worker = async || spawn(async { thread::current().id() }).await.unwrap();
        let ids = [&outer, &inner].map(|runtime| runtime.block_on(worker()));
        assert_ne!(ids[0], ids[1]);
        let seen =
            outer.block_on(async { [worker().await, inner.block_on(worker()), worker().await] });
        assert_eq!(seen, [ids[0], ids[1], ids[0]]);
        assert!(catch_unwind(|| spawn(async {})).is_err());
    });
}

#[test]
fn block_on_in_a_task_panics() {
    within(LIMIT, || {
        let runtime = runtime(1);
        let handle = runtime.handle();
        let inside = handle.clone();
        let error = block_on(handle.spawn(async move { inside.block_on(ready(())) })).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the task panicked: `block_on` was called inside a task, and would block its worker: use `.await`"
        );
    });
}

#[cfg_attr(miri, ignore = "Miri has no sockets")]
#[test]
fn without_a_reactor_there_are_no_sockets() {
    within(LIMIT, || {
        let runtime = runtime(1);
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let refused = runtime.handle().register(socket).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::Unsupported);
        assert_eq!(
            refused.to_string(),
            "this runtime has no reactor, so it cannot wait for a descriptor"
        );
    });
}

#[test]
fn a_runtime_has_between_1_and_65_535_workers() {
    let message = |workers| {
        let made = catch_unwind(AssertUnwindSafe(|| runtime(workers)));
        let payload = made.map(drop).unwrap_err();
        match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(other) => (*other.downcast_ref::<&str>().unwrap()).to_owned(),
        }
    };
    assert_eq!(message(0), "a runtime needs at least one worker, not 0");
    assert_eq!(message(1 << 16), "65536 workers are more than 65,535");
}

/// Waits until it prints so, because workers fall asleep in their own time.
fn prints(thing: &dyn std::fmt::Debug, text: &str) {
    loop {
        let printed = format!("{thing:?}");
        if printed == text {
            return;
        }
        thread::yield_now();
    }
}

#[test]
fn a_runtime_and_its_handle_say_what_they_have() {
    within(LIMIT, || {
        let runtime = runtime(2);
        let (tell, told) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        let task = runtime.spawn(async move {
            tell.send(()).unwrap();
            let _ = held.recv();
        });
        told.recv().unwrap();
        prints(
            &runtime,
            "Runtime(2 threads, Handle(0 tasks wait, 0 searching, 1 sleeping))",
        );
        drop(hold);
        block_on(task).unwrap();
        let _waits = runtime.spawn(pending::<()>());
        prints(
            &runtime.handle(),
            "Handle(1 tasks wait, 0 searching, 2 sleeping)",
        );
    });
}

#[test]
fn each_worker_counts_what_it_does() {
    within(LIMIT, || {
        let runtime = runtime(1);
        assert_eq!(block_on(runtime.spawn(yield_now())).ok(), Some(()));
        while runtime.metrics()[0].sleeps == 0 {
            thread::yield_now();
        }
        let counts: WorkerMetrics = runtime.handle().metrics()[0];
        assert_eq!((counts.polls, counts.slot_polls), (2, 0));
        let text = format!("{counts:?}");
        assert!(text.starts_with("WorkerMetrics { polls: 2, slot_polls: 0, steals: 0, stolen: 0"));
        assert_eq!(WorkerMetrics::default().polls, 0);
    });
}

/// Counts the sleeps that it sees, and how many the worker has counted by then.
#[derive(Default)]
struct CountsSleeps {
    park: Parker,
    seen: Arc<Mutex<Vec<u64>>>,
    handle: Arc<Mutex<Option<Handle>>>,
}

impl Park for CountsSleeps {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let sleeps = self
            .handle
            .lock()
            .unwrap()
            .as_ref()
            .map(|it| it.metrics()[0].sleeps);
        if timeout != Some(Duration::ZERO) {
            self.seen.lock().unwrap().extend(sleeps);
        }
        self.park.park(timeout, due);
    }

    fn unpark(&self) {
        self.park.unpark();
    }
}

#[test]
fn a_sleep_is_counted_when_it_begins() {
    within(LIMIT, || {
        let park = CountsSleeps::default();
        let (seen, handle) = (Arc::clone(&park.seen), Arc::clone(&park.handle));
        let runtime = Runtime::with_park(1, Version::default(), park);
        *handle.lock().unwrap() = Some(runtime.handle());
        while seen.lock().unwrap().len() < 3 {
            block_on(runtime.spawn(runtime.handle().sleep(Duration::from_millis(1)))).unwrap();
        }
        let seen = seen.lock().unwrap();
        assert!(seen[0] > 0, "{seen:?}");
        assert!(seen.windows(2).all(|two| two[0] < two[1]), "{seen:?}");
        *handle.lock().unwrap() = None; // which has the place to sleep, which has it
    });
}

/// A worker wakes a task of another runtime. For that runtime, it is a thread like any other.
#[test]
fn a_task_runs_on_the_workers_of_its_own_runtime_whoever_wakes_it() {
    within(LIMIT, || {
        let [here, there] = [(); 2].map(|()| runtime(1));
        let id = || async { thread::current().id() };
        let [first, second] = [&here, &there].map(|it| block_on(it.spawn(id())).unwrap());
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

/// A waker may run any code. Here the one of a timer blocks its worker, which is the one that drives the timers.
#[test]
fn a_waker_that_blocks_does_not_stop_the_timers_of_others() {
    struct Blocks(Mutex<mpsc::Receiver<()>>, mpsc::Sender<()>);
    impl std::task::Wake for Blocks {
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
fn the_last_version_has_all_that_the_earlier_ones_have() {
    assert_eq!(Version::default(), Version::LifoSlot);
    assert!(Version::SharedQueue < Version::LocalQueues);
    assert!(Version::Stealing < Version::LifoSlot);
    assert_eq!(format!("{:?}", Version::LifoSlot), "LifoSlot");
}

/// A timer ends the sleep of the worker that is in the driver. Another one has to be woken only if none looks up by itself.
#[test]
#[cfg_attr(
    miri,
    ignore = "it counts how often threads sleep, and borrows nothing new"
)]
fn a_timer_wakes_one_worker_and_not_each_time_a_second_one() {
    const TIMERS: u64 = 100;
    within(LIMIT, || {
        let runtime = runtime(2);
        let sleeps = || runtime.metrics().iter().map(|it| it.sleeps).sum::<u64>();
        let (before, start) = (sleeps(), Instant::now());
        let task = runtime.spawn(async {
            for _ in 0..TIMERS {
                sleep(Duration::from_millis(1)).await;
            }
        });
        block_on(task).unwrap();
        // Two workers that each look up after 10 ms, and wake each other for it at most.
        let looks = 4 * (1 + start.elapsed().as_millis() as u64 / 10);
        let sleeps = sleeps() - before;
        assert!(sleeps <= TIMERS + TIMERS / 4 + looks, "{sleeps}");
    });
}
