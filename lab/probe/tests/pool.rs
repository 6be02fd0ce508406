//! The real case of the book's page *My program hangs*, and what the watchdog says to it.

// A backtrace is no thing for Miri, and tokio's driver neither.
#![cfg(not(miri))]

use std::sync::{Arc, mpsc};

use snapbox::{assert_data_eq, file};
use tokio::{runtime::Builder, task::yield_now};
use why_pending::{
    report,
    tokio::{spawn, sync::Semaphore},
    watch,
};

// ANCHOR: case
async fn place_order(pool: Arc<Semaphore>) {
    let _transaction = pool.acquire().await.unwrap();
    yield_now().await; // the insert
    let _for_the_log = pool.acquire().await.unwrap();
}

async fn place_orders(orders: usize) {
    let pool = Arc::new(Semaphore::new(2));
    let order = |name| spawn(watch(format!("order {name}"), place_order(pool.clone())));
    let placed: Vec<_> = ('A'..).take(orders).map(order).collect();
    for order in placed {
        order.await.unwrap();
    }
}
// ANCHOR_END: case

#[test]
fn two_orders_hang() {
    let mut builder = Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).build().unwrap();
    let (stuck, is_stuck) = mpsc::channel();
    runtime.spawn(async move {
        let orders = tokio::spawn(watch("all orders", place_orders(2)));
        // The only worker polls in each turn what has been woken, and after a few of them nothing is.
        for _ in 0..10 {
            yield_now().await;
        }
        stuck.send(orders.is_finished()).unwrap();
    });
    assert_eq!(is_stuck.recv(), Ok(false));
    let said = report();
    // The third one is about the task that waits for the orders.
    let first_two: Vec<_> = said.split("\n\n").take(2).collect();
    let said = first_two.join("\n\n") + "\n";
    // Each line has up to four places. The page has the whole path above its listing.
    let short = said.replace("lab/probe/tests/", "").replace("tests/", "");
    assert_data_eq!(short, file!["pool.txt"]);
}
