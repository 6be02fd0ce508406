//! One extra poll, after those of the tasks that were in the queue before.

use std::{
    future::Future,
    pin::pin,
    sync::{Arc, Mutex},
    task::Context,
    time::Duration,
};

use futures::{executor::block_on, future::join_all};
use probe::{CountingWaker, within};
use step08_join_handle::{Runtime, spawn, yield_now};

const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn it_is_pending_once_and_has_woken_its_task_by_then() {
    let counting = CountingWaker::new();
    let waker = counting.waker();
    let mut cx = Context::from_waker(&waker);
    let mut yields = pin!(yield_now());
    assert!(yields.as_mut().poll(&mut cx).is_pending());
    assert_eq!(counting.wakes(), 1);
    assert!(yields.as_mut().poll(&mut cx).is_ready());
    assert_eq!((counting.wakes(), counting.live()), (1, 1));
}

#[test]
fn on_one_worker_the_others_go_first() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let order = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&order);
        let tasks = runtime.spawn(async move {
            // They are all in the queue before the only worker polls the first of them.
            let tasks = (0..3).map(|i| {
                let noted = Arc::clone(&noted);
                spawn(async move {
                    for turn in 0..3 {
                        noted.lock().unwrap().push((turn, i));
                        yield_now().await;
                    }
                })
            });
            tasks.collect::<Vec<_>>()
        });
        let tasks = block_on(tasks).unwrap();
        block_on(join_all(tasks));
        let expected: Vec<_> = (0..3)
            .flat_map(|turn| (0..3).map(move |i| (turn, i)))
            .collect();
        assert_eq!(*order.lock().unwrap(), expected);
    });
}
