//! Two workers on one queue, and wakes from other threads.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
    thread,
};

use futures::executor::block_on;
use probe::within;
use step08_join_handle::{Queue, Runnable, spawn_on};

use super::bench::LIMIT;

fn with_two_workers(queue: &Arc<Queue<Runnable>>, test: impl FnOnce()) {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(task) = queue.pop() {
                    task.run();
                }
            });
        }
        test();
        queue.close();
    });
}

/// The task wakes itself in the poll, and does not return before the other worker has had another task from the queue.
/// If the wake had put it into the queue at once, the other worker would have taken it first, and polled it too.
#[test]
fn woken_in_its_poll_it_is_not_polled_by_the_other_worker() {
    within(LIMIT, || {
        let queue = Arc::new(Queue::new());
        let (polls, at_once) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (tell, told) = mpsc::channel();
        let (second, second_done) = spawn_on(&queue, async move { tell.send(()).unwrap() });
        let mut second = Some(second);
        let (its_queue, its_polls, in_a_poll) =
            (Arc::clone(&queue), Arc::clone(&polls), Arc::clone(&at_once));
        let (first, first_done) = spawn_on(
            &queue,
            poll_fn(move |cx| {
                assert_eq!(in_a_poll.fetch_add(1, SeqCst), 0, "two polls at once");
                let ready = its_polls.fetch_add(1, SeqCst) == 1;
                if !ready {
                    cx.waker().wake_by_ref();
                    its_queue.push(second.take().unwrap());
                    told.recv().unwrap();
                }
                in_a_poll.fetch_sub(1, SeqCst);
                if ready {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            }),
        );
        queue.push(first);
        with_two_workers(&queue, || {
            block_on(first_done).unwrap();
            block_on(second_done).unwrap();
        });
        assert_eq!(polls.load(SeqCst), 2);
    });
}
