//! What lasts from one `block_on` to the next, and what one inside another does.

use std::{
    future::{pending, poll_fn},
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
};

use futures::{channel::oneshot, future::join_all};
use probe::{Counted, within};
use step09_epoll_reactor::{Handle, Runtime, block_on, spawn};

use super::{LIMIT, panic_of, runtime, this_waker, yields};

const NO_RUNTIME: &str = "there is no runtime on this thread: call this inside `block_on`";
const NESTED: &str =
    "`block_on` was called inside `block_on`, and would stop its tasks: use `.await`";

fn is_send<T: Send>(_: &T) {}
fn is_shared<T: Send + Sync + Clone>(_: &T) {}

#[test]
fn the_main_future_may_borrow_and_need_not_be_send() {
    within(LIMIT, || {
        let text = String::from("seven");
        let answer = runtime().block_on(async {
            let count = Rc::new(text.len());
            yields(1).await;
            *count
        });
        assert_eq!(answer, 5);
    });
}

#[test]
fn tasks_are_polled_in_the_order_in_which_they_were_woken() {
    within(LIMIT, || {
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut runtime = runtime();
        let tasks = [1, 2, 3].map(|number| {
            let order = Arc::clone(&order);
            runtime.spawn(async move {
                for _ in 0..2 {
                    order.lock().unwrap().push(number);
                    yields(1).await;
                }
            })
        });
        runtime.block_on(join_all(tasks));
        assert_eq!(*order.lock().unwrap(), [1, 2, 3, 1, 2, 3]);
    });
}

#[test]
fn a_task_that_is_left_over_goes_on_in_the_next_block_on() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let task = Counted::new(yields(20));
        let counts = task.counts();
        let mut task = Some(task);
        let task = runtime.block_on(poll_fn(|_| Poll::Ready(spawn(task.take().unwrap()))));
        runtime.block_on(yields(5));
        assert!((1..20).contains(&counts.polls()), "{}", counts.polls());
        runtime.block_on(task).unwrap();
        assert_eq!((counts.polls(), counts.drops()), (21, 1));
    });
}

#[test]
fn a_task_is_polled_on_the_thread_that_calls_block_on_and_the_runtime_may_move_between_two_calls() {
    within(LIMIT, || {
        let mut runtime = runtime();
        is_send(&runtime);
        is_shared(&runtime.handle());
        let here = thread::current().id();
        let task = runtime.spawn(async move {
            let first = thread::current().id();
            yields(5).await;
            (first, thread::current().id())
        });
        runtime.block_on(yields(2));
        let (ids, there) = thread::spawn(move || {
            let ids = runtime.block_on(task).unwrap();
            (ids, thread::current().id())
        })
        .join()
        .unwrap();
        assert_eq!(ids, (here, there));
    });
}

#[test]
fn a_main_future_that_panics_ends_its_block_on_and_nothing_else() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let task = runtime.spawn(async {
            yields(3).await;
            7
        });
        let message = panic_of(|| {
            runtime.block_on(async {
                yields(1).await;
                panic!("this panic belongs to the test")
            })
        });
        assert_eq!(message, "this panic belongs to the test");
        // The thread has no runtime any more.
        assert_eq!(panic_of(|| drop(spawn(async {}))), NO_RUNTIME);
        assert_eq!(runtime.block_on(task).unwrap(), 7);
    });
}

#[test]
fn a_wake_of_the_last_main_future_does_not_poll_the_next_one() {
    within(LIMIT, || {
        let mut runtime = runtime();
        // Woken as it becomes ready, and again during the next `block_on`.
        let waker = runtime.block_on(async {
            let waker = this_waker().await;
            waker.wake_by_ref();
            waker
        });
        let main = Counted::new(async {
            waker.wake_by_ref();
            spawn(yields(3)).await.unwrap();
        });
        let polls = main.counts();
        runtime.block_on(main);
        assert_eq!(polls.polls(), 2);
    });
}

#[test]
fn a_block_on_inside_another_panics_and_the_outer_one_goes_on() {
    within(LIMIT, || {
        let mut inner = runtime();
        let answer = runtime().block_on(async {
            assert_eq!(panic_of(|| inner.block_on(async {})), NESTED);
            let task = spawn(async { runtime().block_on(async {}) });
            assert_eq!(
                task.await.unwrap_err().to_string(),
                format!("the task panicked: {NESTED}")
            );
            // The thread still has the outer runtime.
            spawn(async { 7 }).await.unwrap()
        });
        assert_eq!(answer, 7);
        assert_eq!(inner.block_on(async { 8 }), 8);
    });
}

#[test]
#[cfg_attr(miri, ignore = "it makes the system calls of version 3")]
fn the_free_block_on_inside_another_panics_too() {
    within(LIMIT, || {
        block_on(async { assert_eq!(panic_of(|| block_on(async {})), NESTED) });
    });
}

#[test]
fn outside_of_block_on_there_is_no_runtime() {
    let runtime = runtime();
    assert_eq!(panic_of(|| drop(spawn(async {}))), NO_RUNTIME);
    drop(runtime);
    assert_eq!(panic_of(|| drop(spawn(async {}))), NO_RUNTIME);
}

#[test]
fn what_is_spawned_belongs_to_the_runtime_that_polls() {
    within(LIMIT, || {
        let (mut first, mut second) = (runtime(), runtime());
        let count = Arc::new(AtomicUsize::new(0));
        let spawns = |count: &Arc<AtomicUsize>| {
            let count = Arc::clone(count);
            async move {
                spawn(async move {
                    yields(2).await;
                    count.fetch_add(1, SeqCst);
                });
            }
        };
        first.block_on(spawns(&count));
        second.block_on(yields(10));
        assert_eq!(count.load(SeqCst), 0);
        first.block_on(yields(10));
        assert_eq!(count.load(SeqCst), 1);
    });
}

#[test]
fn tasks_of_two_runtimes_on_two_threads_wait_for_each_other() {
    const ROUNDS: usize = if cfg!(miri) { 5 } else { 500 };
    within(LIMIT, || {
        let (mut first, mut second) = (runtime(), runtime());
        // Each handle spawns on the runtime of the other thread, which sleeps whenever it has nothing to poll.
        async fn plays(other: Handle) {
            for round in 0..ROUNDS {
                assert_eq!(other.spawn(async move { round }).await.unwrap(), round);
            }
        }
        let (to_second, to_first) = (second.handle(), first.handle());
        let (done, is_done) = oneshot::channel::<()>();
        let (ended, is_ended) = oneshot::channel::<()>();
        let other = thread::spawn(move || {
            second.block_on(async {
                plays(to_first).await;
                done.send(()).unwrap();
                is_ended.await.unwrap();
            });
        });
        first.block_on(async {
            plays(to_second).await;
            ended.send(()).unwrap();
            is_done.await.unwrap();
        });
        other.join().unwrap();
    });
}

#[test]
fn a_future_may_leave_its_runtime_and_is_woken_where_it_is_now() {
    within(LIMIT, || {
        let (mut first, mut second) = (runtime(), runtime());
        let (sender, receiver) = oneshot::channel();
        let mut receiver = Box::pin(receiver);
        first.block_on(poll_fn(|cx| {
            assert!(receiver.as_mut().poll(cx).is_pending());
            Poll::Ready(())
        }));
        let other = thread::spawn(move || sender.send(7).unwrap());
        assert_eq!(second.block_on(receiver), Ok(7));
        other.join().unwrap();
        drop(first);
    });
}

#[test]
fn a_runtime_dropped_inside_a_task_of_another_leaves_that_one_in_place() {
    within(LIMIT, || {
        let mut outer = runtime();
        let answer = outer.block_on(async {
            let inner = runtime();
            let cancelled = inner.spawn(pending::<()>());
            drop(inner);
            assert!(cancelled.await.unwrap_err().is_cancelled());
            spawn(async { 7 }).await.unwrap()
        });
        assert_eq!(answer, 7);
    });
}

#[test]
fn a_main_future_dropped_by_a_panic_or_an_end_still_has_its_runtime() {
    struct Spawns(Arc<AtomicUsize>);
    impl Drop for Spawns {
        fn drop(&mut self) {
            let count = Arc::clone(&self.0);
            drop(spawn(async move { count.fetch_add(1, SeqCst) }));
        }
    }
    within(LIMIT, || {
        let mut runtime: Runtime = runtime();
        let count = Arc::new(AtomicUsize::new(0));
        let spawns = Spawns(Arc::clone(&count));
        runtime.block_on(poll_fn(move |_| {
            let _ = &spawns;
            Poll::Ready(())
        }));
        let spawns = Spawns(Arc::clone(&count));
        panic_of(|| {
            runtime.block_on(poll_fn(move |_| -> Poll<()> {
                let _ = &spawns;
                panic!("this panic belongs to the test")
            }));
        });
        runtime.block_on(yields(3));
        assert_eq!(count.load(SeqCst), 2);
    });
}
