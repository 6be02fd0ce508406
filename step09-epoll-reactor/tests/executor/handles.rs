//! What a join handle gives out, and a task that nobody waits for.

use std::{
    future::{pending, poll_fn},
    panic::{panic_any, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
    thread,
};

use probe::{
    Counted, CountingWaker,
    hostile::{Hostile, Moment},
    within,
};
use step09_epoll_reactor::spawn;

use super::{LIMIT, poll, runtime, yields};

/// Panics when it is dropped, with another one of its kind, if it is told to.
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 > 0 && !thread::panicking() {
            resume_unwind(Box::new(Bomb(self.0 - 1)));
        }
    }
}

#[test]
fn a_handle_gives_out_the_output_the_panic_or_that_the_task_was_cancelled() {
    within(LIMIT, || {
        let mut runtime = runtime();
        runtime.block_on(async {
            assert_eq!(spawn(async { 7 }).await.unwrap(), 7);
            let panics = spawn(async { panic_any("this panic belongs to the test") });
            let error = panics.await.unwrap_err();
            assert_eq!(
                error.to_string(),
                "the task panicked: this panic belongs to the test"
            );
        });
        let never = runtime.spawn(pending::<()>());
        drop(runtime);
        assert!(self::runtime().block_on(never).unwrap_err().is_cancelled());
    });
}

#[test]
fn a_task_without_a_handle_runs_on() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let task = Counted::new(yields(3));
        let counts = task.counts();
        runtime.block_on(async {
            drop(spawn(task));
            yields(10).await;
        });
        assert_eq!((counts.polls(), counts.drops()), (4, 1));
    });
}

#[test]
fn the_future_of_a_cancelled_task_is_dropped_before_its_handle_is_told() {
    struct Looks(CountingWaker, Arc<AtomicUsize>);
    impl Drop for Looks {
        fn drop(&mut self) {
            self.1.store(self.0.wakes() + 1, SeqCst);
        }
    }
    within(LIMIT, || {
        for polled in [false, true] {
            let mut runtime = runtime();
            let (told, seen) = (CountingWaker::new(), Arc::new(AtomicUsize::new(0)));
            let looks = Looks(told.clone(), Arc::clone(&seen));
            let mut handle = runtime.spawn(async move {
                let _looks = looks;
                pending::<()>().await;
            });
            assert!(poll(&mut handle, &told.waker()).is_pending());
            if polled {
                runtime.block_on(yields(2));
            }
            drop(runtime);
            assert_eq!((seen.load(SeqCst), told.wakes()), (1, 1));
        }
    });
}

#[test]
fn the_executor_outlives_a_handles_waker_whose_panic_panics_when_it_is_dropped() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let hostile = Hostile::new();
        hostile.arm(Moment::Wake, || resume_unwind(Box::new(Bomb(2))));
        let mut handle = runtime.spawn(async { 7 });
        assert!(poll(&mut handle, &hostile.waker()).is_pending());
        runtime.block_on(yields(3));
        assert!(hostile.acted());
        assert_eq!(runtime.block_on(handle).unwrap(), 7);
    });
}

#[test]
fn an_output_that_panics_when_it_is_dropped_leaves_the_executor_in_peace() {
    within(LIMIT, || {
        let mut runtime = runtime();
        drop(runtime.spawn(async { Bomb(3) }));
        drop(runtime.spawn(async { resume_unwind(Box::new(Bomb(2))) }));
        runtime.block_on(yields(3));
    });
}

#[test]
fn a_task_woken_as_it_finishes_and_later_is_not_polled_again() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let waker = Arc::new(Mutex::new(None));
        let late = Arc::clone(&waker);
        let task = Counted::new(async move {
            let waker = super::this_waker().await;
            waker.wake_by_ref();
            *late.lock().unwrap() = Some(waker);
        });
        let counts = task.counts();
        runtime.spawn(task);
        runtime.block_on(async {
            yields(2).await;
            waker.lock().unwrap().take().unwrap().wake();
            yields(2).await;
        });
        assert_eq!((counts.polls(), counts.polls_after_ready()), (1, 0));
    });
}

#[test]
fn a_task_woken_a_thousand_times_before_its_next_poll_is_polled_once_more() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let kept = Arc::new(Mutex::new(None::<Waker>));
        let waker = Arc::clone(&kept);
        let task = Counted::new(poll_fn(move |cx| {
            let mut waker = waker.lock().unwrap();
            if waker.is_none() {
                (0..1_000).for_each(|_| cx.waker().wake_by_ref());
                *waker = Some(cx.waker().clone());
            }
            Poll::<()>::Pending
        }));
        let counts = task.counts();
        runtime.spawn(task);
        runtime.block_on(yields(5));
        assert_eq!(counts.polls(), 2);
        let waker = kept.lock().unwrap().clone().unwrap();
        (0..1_000).for_each(|_| waker.wake_by_ref());
        runtime.block_on(yields(5));
        assert_eq!(counts.polls(), 3);
    });
}
