//! Three tasks on the executor with a channel, and how often it polls each of them.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
};

use probe::Counted;
use step04_channel_executor::executor;
use step08_join_handle::yield_now;

// ANCHOR: program
fn program() -> [usize; 3] {
    let (executor, spawner) = executor();
    let waker_of_b: Arc<Mutex<Option<Waker>>> = Arc::default();

    let a = Counted::new(async {
        yield_now().await; // pending once, after it has woken its own task
        yield_now().await;
    });

    let (waker, mut first) = (Arc::clone(&waker_of_b), true);
    let b = Counted::new(poll_fn(move |cx| {
        *waker.lock().unwrap() = Some(cx.waker().clone());
        if !first {
            return Poll::Ready(());
        }
        first = false;
        for _ in 0..5 {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }));

    let c = Counted::new(async move {
        for _ in 0..2 {
            let waker = waker_of_b.lock().unwrap().take();
            if let Some(waker) = waker {
                waker.wake();
            }
            yield_now().await;
        }
    });

    let counts = [a.counts(), b.counts(), c.counts()];
    spawner.spawn(a);
    spawner.spawn(b);
    spawner.spawn(c);
    drop(spawner);
    executor.run();
    counts.map(|it| it.polls())
}
// ANCHOR_END: program

#[test]
fn a_task_that_is_queued_or_finished_is_not_polled_for_another_wake() {
    assert_eq!(crate::within(program), [3, 2, 3]);
}
