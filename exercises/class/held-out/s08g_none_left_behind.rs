#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{future::poll_fn, task::Poll, time::Duration};
    use step05_parker_block_on::block_on;
    use step08_join_handle::{Polls, yield_now};

    const LIMIT: Duration = Duration::from_secs(2);

    /// Never ready, and keeps its waker.
    async fn waits() {
        let mut kept = None;
        poll_fn(|cx| {
            kept.replace(cx.waker().clone());
            Poll::<()>::Pending
        })
        .await;
    }

    #[derive(Clone, Default)]
    struct Place {
        queue: Arc<Queue<Runnable>>,
        held: Arc<()>,
    }

    impl Place {
        fn work(&self) {
            while let Some(task) = self.queue.try_pop() {
                task.run();
            }
        }

        /// A group with so many tasks, each of which holds something and never ends.
        fn group(&self, tasks: usize) -> Group<()> {
            let mut group = Group::new(&self.queue);
            for _ in 0..tasks {
                let held = Arc::clone(&self.held);
                group.spawn(async move {
                    waits().await;
                    drop(held);
                });
            }
            group
        }

        /// How many tasks are left.
        fn left(&self) -> usize {
            Arc::strong_count(&self.held) - 1
        }
    }

    #[test]
    fn dropped_before_and_after_the_first_poll() {
        within(LIMIT, || {
            for works_first in [false, true] {
                let place = Place::default();
                let group = place.group(5);
                if works_first {
                    place.work();
                }
                assert_eq!(place.left(), 5);
                drop(group);
                place.work();
                assert_eq!(place.left(), 0, "tasks left, worked first: {works_first}");
            }
        });
    }

    #[test]
    fn what_others_have_in_the_queue_stays_there() {
        within(LIMIT, || {
            let place = Place::default();
            let group = place.group(2);
            place.work();
            let polls = Polls::default();
            let (other, handle) = spawn_on(&place.queue, polls.count(yield_now()));
            place.queue.push(other);
            drop(group);
            assert_eq!(polls.get(), 0, "polls of a task of another owner");
            place.work();
            assert_eq!((polls.get(), place.left()), (2, 0));
            assert!(block_on(handle).is_ok());
        });
    }

    #[test]
    fn three_levels_end_with_the_root() {
        within(LIMIT, || {
            let place = Place::default();
            let of_the_root = place.clone();
            let (root, handle) = spawn_on(&place.queue, async move {
                let mut children = Group::new(&of_the_root.queue);
                for _ in 0..2 {
                    let place = Place {
                        queue: Arc::clone(&of_the_root.queue),
                        held: Arc::clone(&of_the_root.held),
                    };
                    children.spawn(async move {
                        let group = place.group(3);
                        drop(place);
                        let _ = group.join_all().await;
                    });
                }
                drop(of_the_root);
                let _ = children.join_all().await;
            });
            place.queue.push(root);
            place.work();
            assert_eq!(place.left(), 6, "grandchildren");
            handle.abort();
            place.work();
            assert_eq!(place.left(), 0, "left when the root was aborted");
        });
    }

    #[test]
    fn an_error_in_the_middle() {
        within(LIMIT, || {
            let place = Place::default();
            let mut group = Group::new(&place.queue);
            group.spawn(async {});
            group.spawn(async {
                yield_now().await;
                panic!("in its second poll");
            });
            let held = Arc::clone(&place.held);
            group.spawn(async move {
                waits().await;
                drop(held);
            });
            place.work();
            assert!(block_on(group.join_all()).is_err_and(|it| it.is_panic()));
            place.work();
            assert_eq!(place.left(), 0);
        });
    }

    #[test]
    fn outputs_come_and_nothing_is_polled_twice() {
        within(LIMIT, || {
            let place = Place::default();
            let polls = Polls::default();
            let mut group = Group::new(&place.queue);
            for i in 0..4 {
                group.spawn(polls.count(async move { i }));
            }
            place.work();
            assert_eq!(block_on(group.join_all()).unwrap(), [0, 1, 2, 3]);
            place.work();
            assert_eq!(polls.get(), 4);
        });
    }
}
