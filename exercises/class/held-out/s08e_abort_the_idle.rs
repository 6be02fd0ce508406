#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{
        cell::RefCell,
        future::{pending, poll_fn},
        rc::Rc,
        sync::{LazyLock, mpsc},
        task::Poll,
        thread,
        time::Duration,
    };
    use step08_join_handle::Queue;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Each test has a queue of its own, because a `fn` carries no data.
    macro_rules! queue {
        () => {{
            static QUEUE: LazyLock<Queue<Arc<Task>>> = LazyLock::new(Queue::new);
            fn push(task: Arc<Task>) {
                QUEUE.push(task);
            }
            (&*QUEUE, push as fn(Arc<Task>))
        }};
    }

    fn run_all(queue: &Queue<Arc<Task>>) -> usize {
        let mut taken = 0;
        while let Some(task) = queue.try_pop() {
            task.run();
            taken += 1;
        }
        taken
    }

    #[test]
    fn ten_idle_tasks_are_dropped_by_their_worker() {
        within(LIMIT, || {
            let (queue, push) = queue!();
            let held = Arc::new(());
            let handles: Vec<_> = (0..10)
                .map(|i| {
                    let held = Arc::clone(&held);
                    let future = async move {
                        pending::<()>().await;
                        drop(held);
                    };
                    spawn(push, watch(format!("idle {i}"), future))
                })
                .collect();
            assert_eq!(run_all(queue), 10);
            handles.iter().for_each(JoinHandle::abort);
            handles.iter().for_each(JoinHandle::abort);
            assert_eq!(run_all(queue), 10, "each of them once more");
            assert_eq!(Arc::strong_count(&held), 1, "what the tasks held");
            assert!(handles.iter().all(JoinHandle::is_finished));
            handles.iter().for_each(JoinHandle::abort);
            assert_eq!(run_all(queue), 0, "finished tasks");
        });
    }

    #[test]
    fn abort_does_not_wait_for_a_poll_on_another_thread() {
        within(LIMIT, || {
            let (queue, push) = queue!();
            let (inside, is_inside) = mpsc::channel();
            let (aborted, is_aborted) = mpsc::channel::<()>();
            let future = Counted::new(watch(
                "polled by another thread when it is aborted",
                poll_fn(move |_| {
                    inside.send(()).unwrap();
                    is_aborted.recv().unwrap();
                    Poll::Pending
                }),
            ));
            let counts = future.counts();
            let handle = spawn(push, future);
            let worker = thread::spawn(|| queue.try_pop().unwrap().run());
            is_inside.recv().unwrap();
            handle.abort();
            assert!(queue.try_pop().is_none(), "in the queue while it is polled");
            aborted.send(()).unwrap();
            worker.join().unwrap();
            run_all(queue);
            assert!(handle.is_finished(), "dropped after the poll");
            assert_eq!((counts.polls(), counts.drops()), (1, 1), "polls and drops");
        });
    }

    thread_local! {
        static AFTER_A_STEP: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
    }

    pub(super) fn between_two_steps() {
        // Out of its place while it acts, because what it does takes steps too.
        if let Some(mut act) = AFTER_A_STEP.take() {
            act();
            AFTER_A_STEP.set(Some(act));
        }
    }

    /// Calls `act` once, after this step of `abort` or after its last.
    fn abort_and(handle: &JoinHandle, step: usize, act: impl FnOnce() + 'static) {
        let act = Rc::new(RefCell::new(Some(act)));
        let (at_a_step, mut steps) = (Rc::clone(&act), 0);
        AFTER_A_STEP.set(Some(Box::new(move || {
            if steps == step {
                at_a_step.take().into_iter().for_each(|act| act());
            }
            steps += 1;
        })));
        handle.abort();
        AFTER_A_STEP.take();
        act.take().into_iter().for_each(|act| act());
    }

    #[test]
    fn woken_by_another_thread_while_abort_is_under_way() {
        within(LIMIT, || {
            let (queue, push) = queue!();
            for step in 0..3 {
                let held = Arc::new(());
                let (of_the_task, mut kept) = (Arc::clone(&held), None);
                let (sender, wakers) = mpsc::channel();
                let handle = spawn(
                    push,
                    poll_fn(move |cx| {
                        let _held = &of_the_task;
                        sender.send(cx.waker().clone()).unwrap();
                        kept.replace(cx.waker().clone());
                        Poll::Pending
                    }),
                );
                assert_eq!(run_all(queue), 1);
                abort_and(&handle, step, move || wakers.recv().unwrap().wake());
                assert_eq!(Arc::strong_count(&held), 2, "the worker drops the future");
                assert_eq!(run_all(queue), 1, "step {step}");
                assert_eq!(Arc::strong_count(&held), 1, "step {step}");
                assert!(handle.is_finished());
            }
        });
    }

    #[test]
    fn its_poll_is_over_while_abort_is_under_way() {
        within(LIMIT, || {
            let (queue, push) = queue!();
            for step in 0..3 {
                let (inside, is_inside) = mpsc::channel();
                let (goes_on, may_go_on) = mpsc::channel();
                let future = Counted::new(poll_fn(move |_| {
                    inside.send(()).unwrap();
                    may_go_on.recv().unwrap();
                    Poll::Pending
                }));
                let counts = future.counts();
                let handle = spawn(push, future);
                let worker = thread::spawn(|| queue.try_pop().unwrap().run());
                is_inside.recv().unwrap();
                abort_and(&handle, step, move || {
                    goes_on.send(()).unwrap();
                    worker.join().unwrap();
                });
                run_all(queue);
                assert_eq!(
                    (counts.polls(), counts.drops()),
                    (1, 1),
                    "polls and drops, step {step}"
                );
            }
        });
    }

    #[test]
    fn the_worker_that_is_quick_sees_the_abort() {
        within(LIMIT, || {
            fn at_once(task: Arc<Task>) {
                thread::scope(|s| s.spawn(|| task.run()).join().unwrap());
            }
            let future = Counted::new(pending());
            let counts = future.counts();
            let handle = spawn(at_once, future);
            handle.abort();
            assert_eq!((counts.polls(), counts.drops()), (1, 1), "polls and drops");
        });
    }
}
