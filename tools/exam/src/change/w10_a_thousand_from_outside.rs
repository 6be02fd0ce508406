//! A thousand tasks that are spawned from outside of the runtime, one by one.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use probe::wait_until;
use step10_work_stealing::{Runtime, spawn};

// ANCHOR: program
/// Spawns a thousand tasks, from the thread of `main`.
fn start(runtime: &Runtime, work: impl Fn() + Clone + Send + 'static) {
    for _ in 0..1_000 {
        let work = work.clone();
        drop(runtime.spawn(async move { work() }));
    }
}
// ANCHOR_END: program

// ANCHOR: change
fn changed(runtime: &Runtime, work: impl Fn() + Clone + Send + 'static) {
    drop(runtime.spawn(async move {
        for _ in 0..1_000 {
            let work = work.clone();
            drop(spawn(async move { work() }));
        }
    }));
}
// ANCHOR_END: change

#[test]
fn what_a_task_spawns_goes_into_the_queue_of_its_worker() {
    let locks = |start: &dyn Fn(&Runtime, Arc<AtomicUsize>)| {
        let (runtime, done) = (Runtime::new(2), Arc::new(AtomicUsize::new(0)));
        start(&runtime, Arc::clone(&done));
        crate::within(|| wait_until(|| done.load(SeqCst) == 1_000));
        runtime.handle().injector_locks()
    };
    let count = |done: Arc<AtomicUsize>| move || _ = done.fetch_add(1, SeqCst);
    let before = locks(&|runtime, done| start(runtime, count(done)));
    println!("the shared queue is locked {before} times");
    assert!(before > 1_000);
    assert_eq!(locks(&|runtime, done| changed(runtime, count(done))), 2);
}
