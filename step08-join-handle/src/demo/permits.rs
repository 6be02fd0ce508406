//! A hundred tasks wait for one permit. Each gets it once, and a permit that is given back wakes one of them.

use std::sync::{Arc, Mutex};

use futures::{executor::block_on, future::join_all};
use step08_join_handle::{Polls, Runtime, semaphore::Semaphore};

use super::aborts::one_turn;

pub fn show() {
    println!(
        "7. 100 tasks wait for the only permit of a semaphore. Each gives it back, which wakes the next"
    );
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
    one_turn(&runtime); // so that all of them are in the line
    semaphore.add_permits(1);
    block_on(join_all(handles));
    let served = served.lock().expect("no task panics");
    let in_turn = (0..).zip(&*served).filter(|(place, it)| place == *it);
    let (tasks, in_turn) = (served.len(), in_turn.count());
    println!("   tasks that got it: {tasks}, of which in their turn: {in_turn}");
    println!("   polls: {polls} (two each: to get into the line, and to get the permit)");
}
