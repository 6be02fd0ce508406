//! The queue: a worker that sleeps is woken by a push and by the end, and no item is lost.

use loom::{sync::Arc, thread};
use step08_join_handle::Queue;

/// With three threads that block and wake each other, all orders would be too many.
fn three_interruptions(model: impl Fn() + Send + Sync + 'static) {
    let mut orders = loom::model::Builder::new();
    orders.preemption_bound = Some(3);
    orders.check(model);
}

#[test]
fn a_worker_about_to_sleep_misses_no_push() {
    loom::model(|| {
        let queue = Arc::new(Queue::new());
        let pushing = {
            let queue = queue.clone();
            thread::spawn(move || queue.push(7))
        };
        assert_eq!(queue.pop(), Some(7));
        pushing.join().unwrap();
    });
}

#[test]
fn two_workers_that_sleep_get_one_item_each() {
    three_interruptions(|| {
        let queue = Arc::new(Queue::new());
        let workers = [(); 2].map(|()| {
            let queue = queue.clone();
            thread::spawn(move || queue.pop().unwrap())
        });
        queue.push(1);
        queue.push(2);
        let items = workers.map(|worker| worker.join().unwrap());
        assert_eq!(items[0] + items[1], 3);
    });
}

#[test]
fn a_worker_whose_item_another_one_takes_first_sleeps_on() {
    loom::model(|| {
        let queue = Arc::new(Queue::new());
        let worker = {
            let queue = queue.clone();
            thread::spawn(move || queue.pop())
        };
        queue.push(1);
        if queue.try_pop().is_some() {
            queue.push(2);
        }
        assert!(worker.join().unwrap().is_some(), "the worker has ended");
    });
}

#[test]
fn a_worker_about_to_sleep_does_not_miss_the_end() {
    loom::model(|| {
        let queue = Arc::new(Queue::<()>::new());
        let closing = {
            let queue = queue.clone();
            thread::spawn(move || queue.close())
        };
        assert_eq!(queue.pop(), None);
        closing.join().unwrap();
    });
}

#[test]
fn two_workers_that_sleep_do_not_miss_the_end() {
    three_interruptions(|| {
        let queue = Arc::new(Queue::<()>::new());
        let workers = [(); 2].map(|()| {
            let queue = queue.clone();
            thread::spawn(move || queue.pop())
        });
        queue.close();
        assert_eq!(workers.map(|worker| worker.join().unwrap()), [None, None]);
    });
}

#[test]
fn an_item_pushed_beside_the_end_is_taken_or_dropped() {
    loom::model(|| {
        let queue = Arc::new(Queue::new());
        let item = Arc::new(());
        let pushing = {
            let (queue, item) = (queue.clone(), item.clone());
            thread::spawn(move || queue.push(item))
        };
        let taking = {
            let queue = queue.clone();
            thread::spawn(move || drop(queue.pop()))
        };
        queue.close();
        pushing.join().unwrap();
        taking.join().unwrap();
        assert_eq!(Arc::strong_count(&item), 1, "it is left in the queue");
    });
}
