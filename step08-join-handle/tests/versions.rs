//! What all three versions do: outputs, panics, and a runtime that is dropped while its tasks are idle, queued or polled.

use std::{
    fmt::Debug,
    future::{Future, pending, poll_fn},
    panic::panic_any,
    pin::Pin,
    sync::{Arc, Barrier, Mutex, mpsc},
    task::{Poll, Waker},
    thread::{self, ThreadId},
    time::Duration,
};

use futures::{executor::block_on, future::join_all};
use probe::{Counted, Counts, wait_until, within};
use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};

const LIMIT: Duration = Duration::from_secs(10);

type Task<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Joined<T> = Pin<Box<dyn Future<Output = Result<T, JoinError>> + Send>>;

/// Spawns on one of the versions. A handle that is dropped detaches its task, in its box too.
trait Spawn: Clone + Debug + Send + 'static {
    fn spawn_boxed<T: Send + 'static>(&self, task: Task<T>) -> Joined<T>;

    fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Joined<T> {
        self.spawn_boxed(Box::pin(task))
    }
}

trait Version: Send + 'static {
    type Handle: Spawn;

    fn new(workers: usize) -> Self;

    fn handle(&self) -> Self::Handle;
}

macro_rules! version {
    ($version:ident) => {
        impl Version for $version::Runtime {
            type Handle = $version::Handle;

            fn new(workers: usize) -> Self {
                Self::new(workers)
            }

            fn handle(&self) -> Self::Handle {
                self.handle()
            }
        }

        impl Spawn for $version::Handle {
            fn spawn_boxed<T: Send + 'static>(&self, task: Task<T>) -> Joined<T> {
                Box::pin(self.spawn(task))
            }
        }
    };
}

version!(v1_oneshot);
version!(v2_state_bits);
version!(v3_async_task);

/// Runs a test that is generic in the version on each of them.
macro_rules! on_each {
    ($test:ident) => {
        within(LIMIT, || $test::<v1_oneshot::Runtime>());
        within(LIMIT, || $test::<v2_state_bits::Runtime>());
        within(LIMIT, || $test::<v3_async_task::Runtime>());
    };
}

fn counted<T>(future: impl Future<Output = T> + Send + 'static) -> (Task<T>, Counts)
where
    T: Send + 'static,
{
    let counted = Counted::new(future);
    let counts = counted.counts();
    (Box::pin(counted), counts)
}

/// A task whose first poll says that it has begun, and does not return before it is released. What it is to return then
/// is sent to it: `None` is `Pending`.
struct Held<T> {
    begun: mpsc::Receiver<Waker>,
    let_go: mpsc::Sender<Option<T>>,
}

fn held<T: Send + 'static>() -> (Held<T>, impl Future<Output = T> + Send) {
    let (begins, begun) = mpsc::channel();
    let (let_go, goes) = mpsc::channel();
    let task = poll_fn(move |cx| {
        begins.send(cx.waker().clone()).unwrap();
        match goes.recv().unwrap() {
            Some(output) => Poll::Ready(output),
            None => Poll::Pending,
        }
    });
    (Held { begun, let_go }, task)
}

/// Waits until the runtime refuses tasks, which it does by dropping the future on the spot.
fn wait_until_closed(handle: &impl Spawn) {
    loop {
        let (task, counts) = counted(async {});
        drop(handle.spawn_boxed(task));
        if (counts.polls(), counts.drops()) == (0, 1) {
            return;
        }
        thread::yield_now();
    }
}

/// Runs a task on each of the workers at the same time, and returns the threads.
fn all_workers(handle: &impl Spawn, workers: usize) -> Vec<ThreadId> {
    let meet = Arc::new(Barrier::new(workers));
    let task = || {
        let meet = Arc::clone(&meet);
        handle.spawn(async move {
            meet.wait();
            thread::current().id()
        })
    };
    let all = join_all((0..workers).map(|_| task()));
    block_on(all).into_iter().map(Result::unwrap).collect()
}

thread_local! {
    static PRESENT: Mutex<Option<Arc<()>>> = const { Mutex::new(None) };
}

/// Leaves something with each worker that is dropped when its thread ends.
fn presence(handle: &impl Spawn, workers: usize) -> Arc<()> {
    let presence = Arc::new(());
    let meet = Arc::new(Barrier::new(workers));
    let task = || {
        let (meet, here) = (Arc::clone(&meet), Arc::clone(&presence));
        handle.spawn(async move {
            PRESENT.with(|present| *present.lock().unwrap() = Some(here));
            meet.wait();
        })
    };
    let all = join_all((0..workers).map(|_| task()));
    block_on(all).into_iter().for_each(Result::unwrap);
    assert_eq!(Arc::strong_count(&presence), 1 + workers);
    presence
}

fn message_of(error: JoinError) -> String {
    assert!(error.is_panic() && !error.is_cancelled());
    error.to_string()
}

#[test]
fn a_thousand_panics_end_no_worker_and_reach_their_handles() {
    fn test<R: Version>() {
        const PANICS: usize = if cfg!(miri) { 10 } else { 1_000 };
        let runtime = R::new(2);
        let handle = runtime.handle();
        let mut before = all_workers(&handle, 2);
        let tasks = (0..PANICS).map(|i| handle.spawn(async move { panic!("panic {i}") }));
        let results: Vec<Result<(), _>> = block_on(join_all(tasks));
        for (i, result) in results.into_iter().enumerate() {
            let message = message_of(result.unwrap_err());
            assert_eq!(message, format!("the task panicked: panic {i}"));
        }
        let mut after = all_workers(&handle, 2);
        before.sort_by_key(|id| format!("{id:?}"));
        after.sort_by_key(|id| format!("{id:?}"));
        assert_eq!(before, after);
    }
    on_each!(test);
}

#[test]
fn what_a_panic_carries_comes_through_the_handle() {
    fn test<R: Version>() {
        let runtime = R::new(1);
        let error_of = |task: Task<()>| block_on(runtime.handle().spawn_boxed(task)).unwrap_err();
        let text = error_of(Box::pin(async { panic!("text") }));
        assert_eq!(*text.into_panic().downcast::<&str>().unwrap(), "text");
        let owned = error_of(Box::pin(async { panic!("{}", 7) }));
        assert_eq!(*owned.into_panic().downcast::<String>().unwrap(), "7");
        let number = error_of(Box::pin(async { panic_any(7) }));
        assert_eq!(number.to_string(), "the task panicked");
        assert_eq!(*number.into_panic().downcast::<i32>().unwrap(), 7);
    }
    on_each!(test);
}

#[test]
fn a_handle_prints_how_many_tasks_are_unfinished() {
    fn test<R: Version>() {
        let runtime = R::new(2);
        let handle = runtime.handle();
        let tasks = (0..20).map(|i| {
            handle.spawn(async move {
                assert!(i % 2 == 0, "this panic belongs to the test");
            })
        });
        block_on(join_all(tasks));
        let idle = handle.spawn(pending::<()>());
        let prints = |text| format!("{handle:?}").contains(text);
        // Version 1's handle is ready before the worker has gone on to the list.
        wait_until(|| prints(" 1 unfinished tasks"));
        drop(runtime);
        assert!(block_on(idle).unwrap_err().is_cancelled());
        assert!(prints(" 0 unfinished tasks"));
    }
    on_each!(test);
}

#[test]
fn a_dropped_runtime_drops_each_task_once_and_joins_its_threads() {
    fn test<R: Version>() {
        let runtime = R::new(1);
        let handle = runtime.handle();
        let present = presence(&handle, 1);
        let (idle, idle_counts) = counted(pending::<()>());
        let idle = handle.spawn_boxed(idle);
        let (held, running) = held::<()>();
        let (running, running_counts) = counted(running);
        let running = handle.spawn_boxed(running);
        held.begun.recv().unwrap();
        let (queued, queued_counts) = counted(async {});
        let queued = handle.spawn_boxed(queued);

        // One handle is awaited by a thread, one by a task of another runtime.
        let other = R::new(1);
        let by_thread = thread::spawn(|| block_on(idle));
        let by_task = other.handle().spawn(running);
        let dropping = thread::spawn(|| drop(runtime));
        wait_until_closed(&handle);
        assert!(!dropping.is_finished(), "it waits for the poll");
        held.let_go.send(None).unwrap();
        dropping.join().unwrap();

        let seen = [&idle_counts, &running_counts, &queued_counts]
            .map(|counts| (counts.polls(), counts.drops()));
        assert_eq!(seen, [(1, 1), (1, 1), (0, 1)]);
        assert!(by_thread.join().unwrap().unwrap_err().is_cancelled());
        assert!(block_on(by_task).unwrap().unwrap_err().is_cancelled());
        assert!(block_on(queued).unwrap_err().is_cancelled());
        assert_eq!(
            Arc::strong_count(&present),
            1,
            "the worker's thread is there"
        );
    }
    on_each!(test);
}

/// In some of these rounds the worker has taken the task from the queue, and not yet started to poll it.
#[test]
fn a_task_spawned_just_before_the_end_is_dropped() {
    fn test<R: Version>() {
        for _ in 0..if cfg!(miri) { 5 } else { 500 } {
            let runtime = R::new(1);
            let handle = runtime.handle();
            let before = handle.spawn(async {});
            let idle = handle.spawn(pending::<()>());
            block_on(before).unwrap();
            drop(runtime);
            assert!(block_on(idle).unwrap_err().is_cancelled());
        }
    }
    on_each!(test);
}

#[test]
fn the_shutdown_drops_what_a_poll_waits_for() {
    fn test<R: Version>() {
        let runtime = R::new(2);
        let handle = runtime.handle();
        let (owned, dropped) = mpsc::channel::<()>();
        let (begins, begun) = mpsc::channel();
        let idle = handle.spawn(async move {
            pending::<()>().await;
            drop(owned);
        });
        let waits = handle.spawn(async move {
            begins.send(()).unwrap();
            dropped.recv()
        });
        begun.recv().unwrap();
        drop(runtime);
        assert!(block_on(idle).unwrap_err().is_cancelled());
        assert!(block_on(waits).unwrap().is_err());
    }
    on_each!(test);
}

#[test]
fn a_task_that_is_ready_during_the_shutdown_has_an_output() {
    fn test<R: Version>() {
        let runtime = R::new(1);
        let handle = runtime.handle();
        let (held, running) = held();
        let running = handle.spawn(running);
        held.begun.recv().unwrap();
        let dropping = thread::spawn(|| drop(runtime));
        wait_until_closed(&handle);
        held.let_go.send(Some(7)).unwrap();
        dropping.join().unwrap();
        assert_eq!(block_on(running).unwrap(), 7);
    }
    on_each!(test);
}

#[test]
fn a_task_that_drops_its_runtime_is_dropped_after_the_poll() {
    fn test<R: Version>() {
        let runtime = R::new(2);
        let handle = runtime.handle();
        let present = presence(&handle, 2);
        let (idle, idle_counts) = counted(pending::<()>());
        let idle = handle.spawn_boxed(idle);
        let (send, receive) = mpsc::channel::<R>();
        let (done, is_done) = mpsc::channel();
        let (own, own_counts) = counted(async move {
            drop(receive.recv().unwrap());
            done.send(()).unwrap();
            pending::<()>().await;
        });
        let own = handle.spawn_boxed(own);
        send.send(runtime).map_err(drop).unwrap();
        is_done.recv().unwrap();
        assert!(block_on(idle).unwrap_err().is_cancelled());
        assert!(block_on(own).unwrap_err().is_cancelled());
        assert_eq!((idle_counts.drops(), own_counts.drops()), (1, 1));
        assert_eq!((idle_counts.polls(), own_counts.polls()), (1, 1));
        wait_until(|| Arc::strong_count(&present) == 1);
    }
    on_each!(test);
}

#[test]
fn a_task_may_drop_another_runtime_and_its_future_may_own_one() {
    fn test<R: Version>() {
        let (one, two, three) = (R::new(1), R::new(1), R::new(1));
        let present = [presence(&two.handle(), 1), presence(&three.handle(), 1)];
        let (idle, counts) = counted(pending::<()>());
        let idle = two.handle().spawn_boxed(idle);
        block_on(one.handle().spawn(async move { drop(two) })).unwrap();
        assert!(block_on(idle).unwrap_err().is_cancelled());
        assert_eq!(counts.drops(), 1);
        let owns = one.handle().spawn(async move {
            pending::<()>().await;
            drop(three);
        });
        drop(one);
        assert!(block_on(owns).unwrap_err().is_cancelled());
        assert_eq!(present.map(|it| Arc::strong_count(&it)), [1, 1]);
    }
    on_each!(test);
}

/// Wakes the task `times` times. After each wake, another task runs to its end, and as the queue has an order, a worker
/// has taken the woken task by then if it was in the queue.
fn wake_and_see_it_taken(handle: &impl Spawn, waker: &Waker, times: usize) {
    for _ in 0..times {
        waker.wake_by_ref();
        block_on(handle.spawn(async {})).unwrap();
    }
}

#[test]
fn in_version_1_many_wakes_in_one_poll_keep_one_worker_waiting() {
    within(LIMIT, || {
        let runtime = v1_oneshot::Runtime::new(3);
        let (held, task) = held();
        let (task, counts) = counted(task);
        let task = runtime.handle().spawn_boxed(task);
        let waker = held.begun.recv().unwrap();
        wake_and_see_it_taken(&runtime.handle(), &waker, 100);
        held.let_go.send(None).unwrap();
        // The wakes ask for one more poll, by the worker that has waited.
        held.begun.recv().unwrap();
        held.let_go.send(Some(7)).unwrap();
        assert_eq!(block_on(task).unwrap(), 7);
        drop(runtime);
        assert_eq!((counts.polls(), counts.drops()), (2, 1));
    });
}

#[test]
fn in_version_1_a_task_may_drop_its_runtime_as_a_worker_waits() {
    within(LIMIT, || {
        let runtime = v1_oneshot::Runtime::new(3);
        let present = presence(&runtime.handle(), 3);
        let (send, receive) = mpsc::channel();
        let (task, counts) = counted(poll_fn(move |cx| {
            // An error: the worker that has waited polls it once more, before it is dropped.
            if let Ok(runtime) = receive.recv() {
                let runtime: v1_oneshot::Runtime = runtime;
                wake_and_see_it_taken(&runtime.handle(), cx.waker(), 1);
            }
            Poll::<()>::Pending
        }));
        let task = runtime.handle().spawn_boxed(task);
        send.send(runtime).unwrap();
        drop(send);
        assert!(block_on(task).unwrap_err().is_cancelled());
        wait_until(|| Arc::strong_count(&present) == 1);
        assert_eq!(counts.drops(), 1);
    });
}
