//! Destructors of the future and of the output: what they may do, and who runs them.

use std::{
    future::{Future, pending, poll_fn},
    iter,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Poll, Waker},
};

use probe::{OnDrop, within};
use step08_join_handle::{JoinHandle, Queue, Runnable, spawn_on};

use super::bench::{LIMIT, PanicsWhenDropped};

fn spawn<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> (Arc<Queue<Runnable>>, JoinHandle<T>) {
    let queue = Arc::new(Queue::new());
    let (task, handle) = spawn_on(&queue, future);
    queue.push(task);
    (queue, handle)
}

fn run_all(queue: &Queue<Runnable>) -> usize {
    iter::from_fn(|| queue.try_pop()).map(Runnable::run).count()
}

#[test]
fn a_destructor_may_abort_wake_poll_and_drop_its_own_task() {
    within(LIMIT, || {
        // Counted at the end of each destructor, because their panics would be caught.
        let ends = Arc::new(AtomicUsize::new(0));
        let own = Arc::new(Mutex::new(None::<JoinHandle<()>>));
        let kept = OnDrop({
            let (own, ends) = (Arc::clone(&own), Arc::clone(&ends));
            move || {
                let mut handle = own.lock().unwrap().take().unwrap();
                handle.abort();
                assert!(!handle.is_finished());
                assert!(probe::poll(&mut handle, Waker::noop()).is_pending());
                drop(handle);
                ends.fetch_add(1, SeqCst);
            }
        });
        let ends_too = Arc::clone(&ends);
        let wakes = Arc::new(Mutex::new(None::<Waker>));
        let (its_waker, wake) = (
            Arc::clone(&wakes),
            OnDrop(move || {
                let waker = wakes.lock().unwrap().take().unwrap();
                waker.wake_by_ref();
                waker.wake();
                ends_too.fetch_add(1, SeqCst);
            }),
        );
        let (queue, handle) = spawn(async move {
            let _kept = (kept, wake);
            poll_fn(|cx| {
                *its_waker.lock().unwrap() = Some(cx.waker().clone());
                Poll::Ready(())
            })
            .await;
            pending::<()>().await;
        });
        assert_eq!(run_all(&queue), 1);
        handle.abort();
        *own.lock().unwrap() = Some(handle);
        assert_eq!(run_all(&queue), 1);
        assert_eq!(ends.load(SeqCst), 2);
        assert_eq!(run_all(&queue), 0);
        assert_eq!(Arc::strong_count(&own), 1, "the future is gone");
    });
}

#[test]
fn a_task_may_own_its_handle() {
    within(LIMIT, || {
        let (give, given) = mpsc::channel::<JoinHandle<PanicsWhenDropped>>();
        let (tell, told) = mpsc::channel();
        let (queue, handle) = spawn(async move {
            let mut own = given.recv().unwrap();
            tell.send(probe::poll(&mut own, Waker::noop()).is_pending())
                .unwrap();
            PanicsWhenDropped
        });
        give.send(handle).unwrap();
        assert_eq!(run_all(&queue), 1);
        assert_eq!(told.try_recv(), Ok(true));
        assert_eq!(Arc::strong_count(&queue), 1, "the task is gone");
    });
}
