//! What the local executor adds: futures that are not `Send`. And what it has in common with version 3: it polls a task
//! when it has been woken, from whichever thread, and not otherwise.

use std::{
    cell::{Cell, RefCell},
    future::{pending, poll_fn},
    rc::Rc,
    sync::{Arc, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Counted, within};
use step04_channel_executor::{Signal, TimerFuture, local, yield_now};

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
fn a_task_may_be_woken_from_another_thread() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let timer = Counted::new(TimerFuture::new(Duration::from_millis(10)));
        let counts = timer.counts();
        spawner.spawn(timer);
        executor.run();
        assert_eq!((counts.polls(), counts.completions()), (2, 1));
    });
}

#[test]
fn a_thousand_wakes_before_the_next_poll_make_one_poll() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let (signal, fires) = (Rc::new(Signal::default()), Rc::new(Cell::new(0)));
        let waited = Rc::clone(&signal);
        let mut woken = false;
        let task = Counted::new(poll_fn(move |cx| {
            if !woken {
                woken = true;
                (0..1_000).for_each(|_| cx.waker().wake_by_ref());
            }
            waited.poll_fired(cx)
        }));
        let counts = task.counts();
        spawner.spawn(task);
        let fired = Rc::clone(&fires);
        spawner.spawn(async move {
            for _ in 0..10 {
                yield_now().await;
            }
            fired.set(fired.get() + 1);
            signal.fire();
        });
        executor.run();
        // For being spawned, for the thousand, for the signal.
        assert_eq!((counts.polls(), fires.get()), (3, 1));
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
fn if_no_task_can_be_woken_run_drops_them_and_returns() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let task = Counted::new(pending());
        let counts = task.counts();
        spawner.spawn(task);
        drop(spawner);
        executor.run();
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
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

#[test]
fn a_task_that_is_pending_and_not_woken_is_waited_for() {
    within(LIMIT, || {
        let (executor, spawner) = local::executor();
        let signal = Arc::new(Signal::default());
        let (waited, done) = (Arc::clone(&signal), Rc::new(Cell::new(false)));
        let finished = Rc::clone(&done);
        spawner.spawn(async move {
            poll_fn(|cx| waited.poll_fired(cx)).await;
            finished.set(true);
        });
        spawner.spawn(async move {
            thread::spawn(move || signal.fire());
        });
        drop(spawner);
        executor.run();
        assert!(done.get());
    });
}

/// Spawns a task when it is dropped.
struct SpawnsWhenDropped(local::Spawner, Rc<Cell<usize>>);

impl Drop for SpawnsWhenDropped {
    fn drop(&mut self) {
        let polls = Rc::clone(&self.1);
        self.0.spawn(async move { polls.set(polls.get() + 1) });
    }
}

#[test]
fn a_destructor_may_spawn_and_is_refused_after_the_end() {
    within(LIMIT, || {
        let polls = Rc::new(Cell::new(0));
        let (executor, spawner) = local::executor();
        let last = SpawnsWhenDropped(spawner.clone(), Rc::clone(&polls));
        spawner.spawn(async move { drop(last) });
        executor.run();
        assert_eq!(polls.get(), 1);

        let (executor, spawner) = local::executor();
        let last = SpawnsWhenDropped(spawner.clone(), Rc::clone(&polls));
        spawner.spawn(async move { drop(last) });
        drop(executor);
        assert_eq!(polls.get(), 1);
        // The task that the destructor spawned is gone, so nothing but `polls` refers to the cell.
        assert_eq!(Rc::strong_count(&polls), 1);
    });
}

/// Panics when it is dropped.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("this panic belongs to the test");
    }
}

#[test]
fn a_future_that_is_refused_may_panic_in_its_destructor() {
    let (executor, spawner) = local::executor();
    drop(executor);
    let last = PanicsWhenDropped;
    spawner.spawn(async move { drop(last) });
}
