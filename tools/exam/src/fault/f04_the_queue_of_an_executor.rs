//! An executor that polls each task under the lock of its queue.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Wake, Waker},
};

// ANCHOR: program
type Queue = Arc<Mutex<VecDeque<Arc<Task>>>>;

struct Task {
    future: Mutex<Pin<Box<dyn Future<Output = ()> + Send>>>,
    queue: Queue,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let queue = Arc::clone(&self.queue);
        queue.lock().unwrap().push_back(self);
    }
}

/// Polls what is in the queue, until it is empty.
fn run(queue: &Queue) {
    while let Some(task) = queue.lock().unwrap().pop_front() {
        let waker = Waker::from(Arc::clone(&task));
        let mut future = task.future.lock().unwrap();
        let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
    }
}
// ANCHOR_END: program

mod repaired {
    use super::*;

    // ANCHOR: repair
    pub fn run(queue: &Queue) {
        loop {
            let next = queue.lock().unwrap().pop_front();
            let Some(task) = next else {
                return;
            };
            let waker = Waker::from(Arc::clone(&task));
            let mut future = task.future.lock().unwrap();
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
        }
    }
    // ANCHOR_END: repair
}

#[test]
fn a_task_that_wakes_during_its_poll_finds_the_queue_locked() {
    fn is_locked_in_the_poll(run: fn(&Queue)) -> bool {
        let (queue, locked) = (Queue::default(), Arc::new(Mutex::new(None)));
        let (seen, inner) = (Arc::clone(&locked), Arc::clone(&queue));
        let future = async move {
            *seen.lock().unwrap() = Some(inner.try_lock().is_err());
        };
        let task = Task {
            future: Mutex::new(Box::pin(future)),
            queue: Arc::clone(&queue),
        };
        Arc::new(task).wake();
        run(&queue);
        let locked = locked.lock().unwrap().take();
        locked.expect("the task is polled")
    }
    assert!(is_locked_in_the_poll(run));
    assert!(!is_locked_in_the_poll(repaired::run));
}
