//! A task wakes itself, so it is in the queue when its executor is dropped. edge-executor 0.5 never drops it.

use std::{future::poll_fn, rc::Rc, task::Poll};

use edge_executor::{LocalExecutor, UnboundQueue};

fn main() {
    let held = Rc::new(());
    let shows = Rc::downgrade(&held);
    let executor: LocalExecutor<'_, UnboundQueue> = LocalExecutor::new();
    executor
        .spawn(poll_fn(move |cx| {
            let _held = &held;
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        }))
        .detach();
    executor.try_tick();
    drop(executor);
    println!("futures that are left: {}", shows.strong_count());
}
