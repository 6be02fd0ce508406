//! What becomes of tasks, timers, wakers and handles when their runtime is dropped.

use std::{
    future::{pending, poll_fn},
    mem,
    panic::resume_unwind,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
    thread,
};

use probe::{
    Counted, CountingWaker, Tasks,
    hostile::{Hostile, Moment},
    within,
};
use step09_epoll_reactor::{Handle, sleep, spawn};

use super::{HOUR, LIMIT, MILLISECOND, panic_of, poll, recorded::recorded, runtime, yields};

/// Does something as it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// A task that waits without end, and does something as it is dropped.
async fn drops(action: impl FnMut() + Send) {
    let _drops = OnDrop(action);
    pending::<()>().await;
}

#[test]
#[cfg_attr(miri, ignore = "it leaks a timer on purpose")]
fn nothing_is_left_in_a_circle_of_wakers_and_queue() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.spawn(yields(usize::MAX));
        runtime.block_on(async {
            // A timer that is never dropped, whose waker is the task's.
            let mut leaked = Box::new(sleep(HOUR));
            poll_fn(|cx| Poll::Ready(poll(&mut leaked, cx.waker())))
                .await
                .is_pending();
            mem::forget(leaked);
            yields(2).await;
            // In the queue as the runtime is dropped.
            super::this_waker().await.wake();
        });
        drop(runtime);
        // The driver itself is owned by the leaked timer, but nothing else is.
        assert_eq!(record.strong_count(), 1);
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.spawn(yields(usize::MAX));
        runtime.block_on(yields(2));
        drop(runtime);
        assert_eq!(record.strong_count(), 0);
    });
}

#[test]
fn a_wake_after_the_end_does_nothing_and_keeps_nothing() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        let kept = Arc::new(Mutex::new(None));
        let waker = Arc::clone(&kept);
        let task = Counted::new(async move {
            *waker.lock().unwrap() = Some(super::this_waker().await);
            pending::<()>().await;
        });
        let counts = task.counts();
        runtime.spawn(task);
        runtime.block_on(yields(2));
        drop(runtime);
        let waker: Waker = kept.lock().unwrap().take().unwrap();
        waker.wake_by_ref();
        waker.wake_by_ref();
        thread::spawn(move || waker.wake()).join().unwrap();
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
        assert_eq!(record.strong_count(), 0);
    });
}

#[test]
fn a_destructor_that_spawns_is_refused_and_its_task_cancelled() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let handle = runtime.handle();
        let (tasks, cancelled) = (Tasks::new(), Arc::new(Mutex::new(Vec::new())));
        let (watch, kept) = (tasks.clone(), Arc::clone(&cancelled));
        runtime.spawn(drops(move || {
            let mut kept = kept.lock().unwrap();
            kept.push(spawn(watch.watch(async {})));
            kept.push(handle.spawn(watch.watch(async {})));
        }));
        runtime.block_on(yields(2));
        drop(runtime);
        assert_eq!((tasks.made(), tasks.live()), (2, 0));
        let mut other = self::runtime();
        for handle in mem::take(&mut *cancelled.lock().unwrap()) {
            assert!(other.block_on(handle).unwrap_err().is_cancelled());
        }
    });
}

#[test]
fn a_destructor_may_sleep_wake_and_panic_and_the_other_tasks_are_dropped() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        let tasks = Tasks::new();
        let waker = runtime.block_on(super::this_waker());
        for _ in 0..3 {
            let waker = waker.clone();
            runtime.spawn(tasks.watch(drops(move || {
                let mut sleeps = sleep(HOUR);
                assert!(poll(&mut sleeps, &waker).is_pending());
                waker.wake_by_ref();
                runtime_inside();
            })));
            runtime.spawn(tasks.watch(drops(|| panic!("this panic belongs to the test"))));
        }
        runtime.block_on(yields(2));
        drop((runtime, waker));
        assert_eq!((tasks.live(), record.strong_count()), (0, 0));
    });
}

/// It may not be run here, and can be created and dropped.
fn runtime_inside() {
    let mut inner = runtime();
    let message = panic_of(|| inner.block_on(async {}));
    assert!(message.starts_with("`block_on` was called inside"));
}

#[test]
fn a_handle_used_after_the_end_spawns_nothing() {
    within(LIMIT, || {
        let runtime = runtime();
        let handle = runtime.handle();
        drop(runtime);
        let late = Counted::new(async {});
        let counts = late.counts();
        let task = handle.spawn(late);
        assert_eq!((counts.polls(), counts.drops()), (0, 1));
        assert!(self::runtime().block_on(task).unwrap_err().is_cancelled());
    });
}

const GONE: &str = "the runtime of this `sleep` has been dropped";

#[test]
fn a_sleep_that_outlives_its_runtime_is_woken_and_panics_unless_it_is_over() {
    within(LIMIT, || {
        let runtime = runtime();
        let handle: Handle = runtime.handle();
        let waker = CountingWaker::new();
        let mut waits = handle.sleep(HOUR);
        assert!(poll(&mut waits, &waker.waker()).is_pending());
        let mut over = handle.sleep(MILLISECOND);
        thread::sleep(MILLISECOND);
        drop(runtime);
        assert_eq!((waker.wakes(), waker.live()), (1, 0));
        assert_eq!(panic_of(|| poll(&mut waits, &waker.waker())), GONE);
        assert!(poll(&mut over, &waker.waker()).is_ready());
        let mut late = handle.sleep(HOUR);
        assert_eq!(panic_of(|| poll(&mut late, &waker.waker())), GONE);
        drop((waits, late));
        assert_eq!(waker.live(), 0);
    });
}

#[test]
fn a_task_of_another_runtime_that_sleeps_on_one_that_ends_panics_alone() {
    within(LIMIT, || {
        let (ends, mut lives) = (runtime(), runtime());
        let task = lives.spawn(ends.handle().sleep(HOUR));
        lives.block_on(yields(2));
        thread::spawn(move || drop(ends)).join().unwrap();
        let error = lives.block_on(task).unwrap_err();
        assert_eq!(error.to_string(), format!("the task panicked: {GONE}"));
        assert_eq!(lives.block_on(async { 7 }), 7);
    });
}

#[test]
fn a_waker_that_panics_as_the_runtime_ends_takes_no_wake_from_the_others() {
    within(LIMIT, || {
        let runtime = runtime();
        let (hostile, other) = (Hostile::new(), CountingWaker::new());
        hostile.arm(Moment::Wake, || resume_unwind(Box::new(())));
        let mut first = runtime.handle().sleep(HOUR);
        assert!(poll(&mut first, &hostile.waker()).is_pending());
        let mut second = runtime.handle().sleep(HOUR);
        assert!(poll(&mut second, &other.waker()).is_pending());
        drop(runtime);
        assert_eq!((hostile.wakes(), other.wakes()), (1, 1));
    });
}

#[test]
fn a_runtime_may_be_dropped_while_a_panic_goes_up() {
    within(LIMIT, || {
        let drops = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&drops);
        let message = panic_of(|| {
            let mut runtime = runtime();
            runtime.spawn(self::drops(move || {
                count.fetch_add(1, SeqCst);
            }));
            runtime.spawn(self::drops(|| panic!("this panic belongs to the test")));
            runtime.block_on(async {
                yields(2).await;
                panic!("the first panic");
            });
        });
        assert_eq!(
            (message.as_str(), drops.load(SeqCst)),
            ("the first panic", 1)
        );
    });
}
