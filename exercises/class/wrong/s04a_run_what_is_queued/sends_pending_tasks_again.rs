use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Sender<Arc<Task>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let queue = self.queue.clone();
        // An error means that the executor is gone. A waker may be called at any time, so that is no reason to panic.
        let _ = queue.send(self);
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    // `recv` and not `try_recv`: an empty queue is no end, as long as somebody may still wake a task.
    while let Ok(task) = queue.recv() {
        task.poll();
        // ANCHOR: slip
        if task.future.lock().unwrap().is_some() {
            let _ = task.queue.send(Arc::clone(&task));
        }
        // ANCHOR_END: slip
    }
}

impl Task {
    /// Polls the future, with this task as its waker, and drops it when it is finished.
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(future) = &mut *slot {
            if future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
            {
                *slot = None;
            }
        }
    }
}

fn spawn(queue: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        queue: queue.clone(),
    };
    queue.send(Arc::new(task)).unwrap();
}

fn main() {}
