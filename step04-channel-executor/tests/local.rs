//! What the local executor adds: futures that are not `Send`, and a `run` that does not wait for spawners. The rest is the contract's.

use std::{
    cell::{Cell, RefCell},
    future::{pending, poll_fn},
    rc::Rc,
    sync::mpsc,
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Counted, within};
use step04_channel_executor::{local, yield_now};

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn tasks_share_an_rc_across_an_await() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let order = Rc::new(RefCell::new(Vec::new()));
        for name in ["a", "b"] {
            let order = Rc::clone(&order);
            spawner.spawn(async move {
                for _ in 0..2 {
                    order.borrow_mut().push(name);
                    yield_now().await;
                }
            });
        }
        executor.run();
        assert_eq!(*order.borrow(), ["a", "b", "a", "b"]);
    });
}

#[test]
fn a_task_spawns_another_and_run_does_not_wait_for_the_spawner() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let (inside, done) = (spawner.clone(), Rc::new(Cell::new(false)));
        let finished = Rc::clone(&done);
        spawner.spawn(async move {
            inside.spawn(async move {
                yield_now().await;
                finished.set(true);
            });
        });
        executor.run();
        assert!(done.get());
        // The executor is gone, and the future is dropped without being polled.
        let late = Counted::new(async {});
        let counts = late.counts();
        spawner.spawn(late);
        assert_eq!((counts.polls(), counts.drops()), (0, 1));
    });
}

#[test]
fn run_returns_while_a_waker_is_left_and_that_waker_is_harmless() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let (give, given) = mpsc::channel::<Waker>();
        spawner.spawn(poll_fn(move |cx| {
            give.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        }));
        executor.run();
        let waker = given.recv().unwrap();
        thread::spawn(move || waker.wake()).join().unwrap();
    });
}

#[test]
fn a_kept_spawner_does_not_make_run_wait() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let task = Counted::new(pending());
        let counts = task.counts();
        spawner.spawn(task);
        // Of two spawners one is here, and one in a task.
        let inside = spawner.clone();
        spawner.spawn(async move {
            let _inside = inside;
            pending().await
        });
        executor.run();
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
        drop(spawner);
    });
}
