//! One task and its queue, which a test moves on by hand.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    mem,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use probe::{Counted, Counts};

use crate::{
    JoinError, JoinHandle,
    task::{self, Place, Schedule, Task, Why},
};

/// The tasks that are to be polled, and why.
#[derive(Default)]
pub struct Queue(Mutex<VecDeque<(Task, Why)>>);

impl Queue {
    pub fn push(&self, task: Task, why: Why) {
        self.0.lock().unwrap().push_back((task, why));
    }

    pub fn try_pop(&self) -> Option<Task> {
        self.0.lock().unwrap().pop_front().map(|(task, _)| task)
    }

    /// Why each task was put there.
    pub fn reasons(&self) -> Vec<Why> {
        self.0.lock().unwrap().iter().map(|(_, why)| *why).collect()
    }

    /// Drops what is in the queue, without the lock.
    pub fn clear(&self) {
        drop(mem::take(&mut *self.0.lock().unwrap()));
    }
}

/// Where a task of these tests is scheduled, and where it is listed once it has had to wait.
struct On {
    queue: Arc<Queue>,
    listed: Listed,
}

type Listed = Arc<Mutex<Option<Task>>>;

pub struct To(Arc<Queue>);

impl Schedule for On {
    type Place = To;
    type Entry = ();

    fn place(&self) -> To {
        To(Arc::clone(&self.queue))
    }

    fn list(&self, task: &Task) -> Option<()> {
        *self.listed.lock().unwrap() = Some(task.clone());
        Some(())
    }

    fn unlist(&self, (): ()) -> Option<Task> {
        self.listed.lock().unwrap().take()
    }
}

impl Place for To {
    fn put(self, task: Task, why: Why) {
        self.0.push(task, why);
    }
}

/// For a task that is neither polled nor listed.
pub struct Nowhere;

impl Schedule for Nowhere {
    type Place = Nowhere;
    type Entry = ();

    fn place(&self) -> Nowhere {
        Nowhere
    }

    fn list(&self, _: &Task) -> Option<()> {
        Some(())
    }

    fn unlist(&self, (): ()) -> Option<Task> {
        None
    }
}

impl Place for Nowhere {
    fn put(self, _: Task, _: Why) {}
}

/// A task that is scheduled on this queue, and has not been put there.
pub fn spawn_on<T: Send + 'static>(
    queue: &Arc<Queue>,
    future: impl Future<Output = T> + Send + 'static,
) -> (Task, JoinHandle<T>) {
    let (task, handle, _) = spawn_listed(queue, future);
    (task, handle)
}

fn spawn_listed<T: Send + 'static>(
    queue: &Arc<Queue>,
    future: impl Future<Output = T> + Send + 'static,
) -> (Task, JoinHandle<T>, Listed) {
    let listed = Listed::default();
    let on = On {
        queue: Arc::clone(queue),
        listed: Arc::clone(&listed),
    };
    let (task, handle) = task::spawn(future, on);
    (task, handle, listed)
}

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
    pub queue: Arc<Queue>,
    pub handle: Shared,
    /// The waker of the latest poll.
    pub waker: Arc<Mutex<Option<Waker>>>,
    listed: Listed,
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
        let queue = Arc::<Queue>::default();
        let (task, join_handle, listed) = spawn_listed(&queue, future);
        queue.push(task, Why::Woken);
        *handle.lock().unwrap() = Some(join_handle);
        Bench {
            queue,
            handle,
            waker,
            listed,
            counts,
            output_drops,
        }
    }

    /// A task that is pending in its first poll, in which it does `act`, and ready in its second.
    pub fn once(act: impl Fn(&Waker) + Send + 'static) -> Bench {
        let mut polled = false;
        Bench::new(move |waker, _| {
            if polled {
                return Poll::Ready(());
            }
            polled = true;
            act(waker);
            Poll::Pending
        })
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
        task.map(Task::run).is_some()
    }

    /// Four counts: entries in the queue, polls, drops of the future, drops of the output.
    pub fn counts(&self) -> [usize; 4] {
        let queued = self.queue.reasons().len();
        assert_eq!(self.counts.polls_after_ready(), 0, "polled after `Ready`");
        let output_drops = self.output_drops.load(SeqCst);
        [
            queued,
            self.counts.polls(),
            self.counts.drops(),
            output_drops,
        ]
    }

    /// A waker of the task.
    pub fn waker(&self) -> Waker {
        let waker = self.waker.lock().unwrap().clone();
        waker.expect("the task was polled")
    }

    pub fn wake(&self) {
        self.waker().wake();
    }

    pub fn abort(&self) {
        self.handle.lock().unwrap().as_ref().unwrap().abort();
    }

    pub fn is_finished(&self) -> bool {
        let handle = self.handle.lock().unwrap();
        handle.as_ref().unwrap().is_finished()
    }

    pub fn drop_handle(&self) {
        let handle = self.handle.lock().unwrap().take();
        drop(handle);
    }

    /// Polls the handle once, with this waker.
    pub fn poll_handle(&self, waker: &Waker) -> Poll<Result<Output, JoinError>> {
        let mut handle = self.handle.lock().unwrap();
        poll_once(handle.as_mut().unwrap(), waker)
    }

    /// Polls the handle once, and says what it answers.
    pub fn answer(&self) -> String {
        match self.poll_handle(Waker::noop()) {
            Poll::Pending => "pending".to_owned(),
            Poll::Ready(Ok(_)) => "an output".to_owned(),
            Poll::Ready(Err(error)) => error.to_string(),
        }
    }

    /// What the runtime does to an unfinished task at its end.
    pub fn shut_down(&self) {
        let listed = self.listed.lock().unwrap().clone();
        if let Some(task) = listed {
            task.shut_down();
        }
    }

    /// Whether the list still has the task.
    pub fn is_listed(&self) -> bool {
        self.listed.lock().unwrap().is_some()
    }

    /// Shuts the task down, and drops the handle, the queue and all wakers. Returns the drops of the future and of the output.
    pub fn end(self) -> [usize; 2] {
        self.drop_handle();
        self.shut_down();
        self.queue.clear();
        let waker = self.waker.lock().unwrap().take();
        drop(waker);
        let [_, _, future, output] = self.counts();
        [future, output]
    }
}

/// The queue and the list have the task, and the task has them, until it is finished.
impl Drop for Bench {
    fn drop(&mut self) {
        self.shut_down();
        self.queue.clear();
    }
}

/// Polls a future once.
pub fn poll_once<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
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
