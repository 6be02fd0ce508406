//! s04b · repair · 12 minutes · chapter 04, "An executor on a channel"
//!
//! An unfinished executor in *Future and scheduling* takes a future out of its task to poll it, and never puts it back
//! (D03). Nothing fails and nothing hangs, but `done!` is never printed. Fix `poll`.
//!
//! Run: `cargo test --bin s04b_the_vanishing_task`
//! Red: what happened to the future, from its first poll to its drop.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    sender: Sender<Arc<Task>>,
}

impl Task {
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(mut future) = slot.take() {
            // TODO: what should happen to a future that is pending?
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let sender = self.sender.clone();
        let _ = sender.send(self);
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    while let Ok(task) = queue.recv() {
        task.poll();
    }
}

fn spawn(sender: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        sender: sender.clone(),
    };
    sender.send(Arc::new(task)).unwrap();
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::future::poll_fn;
    use std::sync::mpsc;
    use std::task::Poll;
    use std::time::Duration;

    #[test]
    fn a_pending_future_stays_with_its_task() {
        within(Duration::from_secs(2), || {
            let (sender, queue) = mpsc::channel();
            let door = Arc::new(Mutex::new((false, None::<Waker>)));
            let other_side = Arc::clone(&door);
            let waits = poll_fn(move |cx| {
                let (open, waker) = &mut *door.lock().unwrap();
                if *open {
                    return Poll::Ready(());
                }
                *waker = Some(cx.waker().clone());
                Poll::Pending
            });
            let opens = async move {
                let waker = {
                    let mut door = other_side.lock().unwrap();
                    door.0 = true;
                    door.1.take()
                };
                // Twice: so the first task is in the queue once more when it is finished.
                waker.iter().for_each(Waker::wake_by_ref);
                if let Some(waker) = waker {
                    waker.wake();
                }
            };
            let waits = Counted::new(watch("prints done! when the door is open", waits));
            let counts = waits.counts();
            spawn(&sender, waits);
            spawn(&sender, opens);
            drop(sender);
            run(queue);
            assert!(
                counts.completions() == 1,
                "The future returned Pending, and then it was dropped, unfinished. Its polls: {}.\n\
                 Its task was woken afterwards, and there was no future to poll. Wanted: `done!`, that is, Ready.\n\
                 Look at: what does `take` leave in the slot, and what owns the future after the poll?",
                counts.polls()
            );
            assert!(
                counts.polls_after_ready() == 0,
                "The future was Ready, and was polled again: an async block would panic.\n\
                 Its task was woken twice, so it was in the queue once more. Wanted: the last poll finds no future.\n\
                 Look at: which futures go back into the slot?"
            );
            assert!(
                counts.polls() == 2,
                "The future was polled {} times. Wanted: twice, once for being spawned and once for being woken.",
                counts.polls()
            );
        });
    }
}
