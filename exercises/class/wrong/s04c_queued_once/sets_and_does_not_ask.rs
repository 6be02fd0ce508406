use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use step04_channel_executor::Queued;

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queued: Queued,
    queue: Sender<Arc<Task>>,
}

impl Task {
    /// Called when the task is spawned, and when it is woken.
    fn schedule(self: Arc<Self>) {
        // ANCHOR: slip
        let _ = self.queued.set();
        let queue = self.queue.clone();
        let _ = queue.send(self);
        // ANCHOR_END: slip
    }

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

fn run(queue: Receiver<Arc<Task>>) {
    while let Ok(task) = queue.recv() {
        // Before the poll. A wake that comes during it may be about something that the poll has passed already, so it
        // must queue the task again.
        task.queued.clear();
        task.poll();
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }
}

fn spawn(queue: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        queued: Queued::no(),
        queue: queue.clone(),
    };
    Arc::new(task).schedule();
}

fn main() {}
