//! A task yields again and again. edge-executor 0.5 never polls the future that `run` was given, which would be ready at once.

use std::{future::poll_fn, task::Poll};

use edge_executor::{LocalExecutor, UnboundQueue, block_on};

fn main() {
    let executor: LocalExecutor<'_, UnboundQueue> = LocalExecutor::new();
    let yields = poll_fn(|cx| {
        cx.waker().wake_by_ref();
        Poll::<()>::Pending
    });
    executor.spawn(yields).detach();
    println!("running");
    block_on(executor.run(async {}));
    println!("done");
}
