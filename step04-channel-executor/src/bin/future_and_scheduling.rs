//! The last program of *Future and scheduling* (000): a task, a timer, and an executor on a channel, whose waker is made
//! by `ArcWake`, as in the document.

use std::{
    future::Future,
    mem,
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{self, Sender},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};

use futures::task::{ArcWake, waker_ref};
use step04_channel_executor::{Queued, Signal, TaskFuture};

/// `FutureWrapper` in the document. Version 3 of the stage, with `ArcWake` in the place of the standard library's `Wake`.
struct Task {
    future: Mutex<TaskFuture>,
    queued: Queued,
    sender: Sender<Arc<Task>>,
}

impl ArcWake for Task {
    fn wake_by_ref(task: &Arc<Task>) {
        if task.queued.set() {
            let _ = task.sender.send(Arc::clone(task));
        }
    }
}

fn spawn(sender: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Arc::new(Task {
        future: Mutex::new(TaskFuture::new(future)),
        queued: Queued::no(),
        sender: sender.clone(),
    });
    ArcWake::wake(task);
}

/// Ready once its thread has slept. `TimerFuture` of the stage, with the document's two lines.
#[derive(Default)]
struct TimeFuture {
    signal: Arc<Signal>,
    started: bool,
}

impl Future for TimeFuture {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let answer = self.signal.poll_fired(cx);
        if answer.is_ready() {
            println!("completed");
        } else if !mem::replace(&mut self.started, true) {
            let signal = Arc::clone(&self.signal);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(30));
                println!("wake call");
                signal.fire();
            });
        }
        answer
    }
}

fn main() {
    let (sender, queue) = mpsc::channel();
    spawn(&sender, async {
        println!("howdy!");
        TimeFuture::default().await;
        println!("done!");
    });
    drop(sender);
    // Ends when the last sender is gone: the task has the only one, and the timer the only waker of the task.
    while let Ok(task) = queue.recv() {
        task.queued.clear();
        let mut future = task.future.lock().expect("a panic is caught inside");
        let _ = future.poll(&mut Context::from_waker(&waker_ref(&task)));
    }
    println!("run has returned");
}
