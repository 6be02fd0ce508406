//! One task and its queue, which a test moves on by hand.

use std::{
    future::poll_fn,
    iter,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
    time::Duration,
};

use probe::{Counted, Counts};
use step08_join_handle::{JoinError, JoinHandle, Queue, Runnable, spawn_on};

pub const LIMIT: Duration = Duration::from_secs(20);

/// The output of the task. It counts its drops.
pub struct Output(Arc<AtomicUsize>);

impl Drop for Output {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// A handle that the test and the task itself can use.
pub type Shared = Arc<Mutex<Option<JoinHandle<Output>>>>;

/// A task, its queue, and counts of all that happens to it.
pub struct Bench {
    pub queue: Arc<Queue<Runnable>>,
    pub handle: Shared,
    /// The waker of the latest poll.
    pub waker: Arc<Mutex<Option<Waker>>>,
    counts: Counts,
    output_drops: Arc<AtomicUsize>,
}

impl Bench {
    /// Spawns a task that does `poll` in each of its polls.
    pub fn new(mut poll: impl FnMut(&Waker, &Shared) -> Poll<()> + Send + 'static) -> Bench {
        let handle = Shared::default();
        let waker = Arc::new(Mutex::new(None::<Waker>));
        let output_drops = Arc::new(AtomicUsize::new(0));
        // Weak, because a future that owns its own waker or handle is never dropped.
        let (its_handle, its_waker) = (Arc::downgrade(&handle), Arc::downgrade(&waker));
        let output = Arc::clone(&output_drops);
        let future = Counted::new(poll_fn(move |cx| {
            let (handle, slot) = (its_handle.upgrade().unwrap(), its_waker.upgrade().unwrap());
            let earlier = slot.lock().unwrap().replace(cx.waker().clone());
            drop(earlier);
            poll(cx.waker(), &handle).map(|()| Output(Arc::clone(&output)))
        }));
        let counts = future.counts();
        let queue = Arc::new(Queue::new());
        let (task, join_handle) = spawn_on(&queue, future);
        queue.push(task);
        *handle.lock().unwrap() = Some(join_handle);
        Bench {
            queue,
            handle,
            waker,
            counts,
            output_drops,
        }
    }

    /// A task that is never ready.
    pub fn pending() -> Bench {
        Bench::new(|_, _| Poll::Pending)
    }

    /// A task that is ready in its first poll.
    pub fn ready() -> Bench {
        Bench::new(|_, _| Poll::Ready(()))
    }

    /// Takes the task from the queue and runs it. `false` if it is not in the queue.
    pub fn tick(&self) -> bool {
        let task = self.queue.try_pop();
        task.map(Runnable::run).is_some()
    }

    /// Four counts: entries in the queue, polls, drops of the future, drops of the output.
    pub fn counts(&self) -> [usize; 4] {
        let entries: Vec<_> = iter::from_fn(|| self.queue.try_pop()).collect();
        let queued = entries.len();
        entries.into_iter().for_each(|task| self.queue.push(task));
        assert_eq!(self.counts.polls_after_ready(), 0, "polled after `Ready`");
        let output_drops = self.output_drops.load(SeqCst);
        [
            queued,
            self.counts.polls(),
            self.counts.drops(),
            output_drops,
        ]
    }

    pub fn abort(&self) {
        self.handle.lock().unwrap().as_ref().unwrap().abort();
    }

    pub fn drop_handle(&self) {
        let handle = self.handle.lock().unwrap().take();
        drop(handle);
    }

    /// Polls the handle once, with this waker.
    pub fn poll_handle(&self, waker: &Waker) -> Poll<Result<Output, JoinError>> {
        let mut handle = self.handle.lock().unwrap();
        probe::poll(handle.as_mut().unwrap(), waker)
    }

    /// Polls the handle once, and says what it answers.
    pub fn answer(&self) -> String {
        match self.poll_handle(Waker::noop()) {
            Poll::Pending => "pending".to_owned(),
            Poll::Ready(Ok(_)) => "an output".to_owned(),
            Poll::Ready(Err(error)) => error.to_string(),
        }
    }

    /// Drops the handle, the queue and all wakers. Returns the drops of the future and of the output.
    pub fn end(self) -> [usize; 2] {
        self.drop_handle();
        self.queue.close();
        let waker = self.waker.lock().unwrap().take();
        drop(waker);
        let [_, _, future, output] = self.counts();
        [future, output]
    }
}

/// The queue has the task, and the task has the queue, until it is closed.
impl Drop for Bench {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Panics, in the way of code that a test controls.
pub fn on_purpose() -> ! {
    panic!("this panic belongs to the test")
}

/// Panics when it is dropped, and may be put into anything.
pub struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        on_purpose()
    }
}
