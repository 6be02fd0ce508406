//! The queue by itself: the order of its items, who waits for them, and their end.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    thread,
    time::Duration,
};

use probe::{OnDrop, wait_until, within};
use step08_join_handle::Queue;

use crate::sync::WOKEN;

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn first_in_first_out() {
    within(LIMIT, || {
        let queue = Queue::new();
        assert!(queue.is_empty());
        (1..=3).for_each(|item| queue.push(item));
        assert!(!queue.is_empty());
        assert_eq!((queue.len(), queue.sleeping()), (3, 0));
        assert_eq!((queue.pop(), queue.try_pop()), (Some(1), Some(2)));
        assert_eq!((queue.pop(), queue.try_pop()), (Some(3), None));
    });
}

/// Otherwise the pool for blocking functions would take it for one that is free, and start no other.
#[test]
fn a_worker_counts_as_asleep_while_it_sleeps_and_no_longer() {
    within(LIMIT, || {
        let queue = Queue::new();
        let becomes = |sleeping| wait_until(|| (queue.len(), queue.sleeping()) == (0, sleeping));
        thread::scope(|scope| {
            let worker = || while queue.pop().is_some() {};
            let workers = [(); 2].map(|()| scope.spawn(worker));
            becomes(2);
            queue.push(());
            becomes(2);
            queue.close();
            workers.into_iter().for_each(|it| it.join().unwrap());
            becomes(0);
        });
    });
}

#[test]
fn a_closed_queue_drops_its_items_and_what_is_pushed() {
    within(LIMIT, || {
        let (queue, item) = (Queue::new(), Arc::new(()));
        queue.push(Arc::clone(&item));
        queue.close();
        assert_eq!(Arc::strong_count(&item), 1);
        queue.push(Arc::clone(&item));
        assert_eq!(Arc::strong_count(&item), 1);
        assert_eq!((queue.pop(), queue.try_pop()), (None, None));
        queue.close();
    });
}

/// Uses the queue when it is dropped.
struct UsesQueue(Arc<Queue<UsesQueue>>);

impl Drop for UsesQueue {
    fn drop(&mut self) {
        assert!(self.0.try_pop().is_none());
    }
}

#[test]
fn an_item_may_use_the_queue_as_the_queue_drops_it() {
    within(LIMIT, || {
        let queue = Arc::new(Queue::new());
        queue.push(UsesQueue(Arc::clone(&queue)));
        queue.close();
        queue.push(UsesQueue(Arc::clone(&queue)));
        assert_eq!(Arc::strong_count(&queue), 1);
    });
}

/// Waking all of them would cost a turn of each, for one item.
#[test]
fn a_push_wakes_one_of_the_workers_that_sleep() {
    within(LIMIT, || {
        let queue = crate::queue_that_counts::Queue::new();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| while queue.pop().is_some() {});
            }
            let _ends = OnDrop(|| queue.close()); // if this fails, too
            for pushes in 1..=10 {
                wait_until(|| (queue.len(), queue.sleeping()) == (0, 3));
                queue.push(());
                assert_eq!(WOKEN.load(SeqCst), pushes);
            }
        });
    });
}
