//! A hundred tasks wait for one permit. Each gets it once, and a permit that is given back wakes one of them.

use std::sync::{Arc, Mutex};

use futures::{executor::block_on, future::join_all};
use step08_join_handle::{Polls, Runtime, semaphore::Semaphore};

use super::aborts::one_turn;

/// Shows it.
pub fn show() {
    println!("7. One worker. 100 tasks wait in a queue for one permit, and each gives it back");
    let (runtime, polls) = (Runtime::new(1), Polls::default());
    let semaphore = Semaphore::new(0);
    let served = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (0..100)
        .map(|number| {
            let (semaphore, served) = (semaphore.clone(), Arc::clone(&served));
            runtime.spawn(polls.count(async move {
                let _permit = semaphore.acquire().await;
                served.lock().expect("no task panics").push(number);
            }))
        })
        .collect();
    one_turn(&runtime); // now all of them are in the line
    semaphore.add_permits(1);
    block_on(join_all(handles));
    let served = served.lock().expect("no task panics");
    let in_order = (0..).zip(&*served).filter(|(place, it)| place == *it);
    let (tasks, in_order) = (served.len(), in_order.count());
    println!("   tasks that got it: {tasks}, each in its turn: {in_order}, polls: {polls}");
}
