//! A local executor: its tasks never leave its thread, so their futures need not be `Send`.
//!
//! Its wakers may go to any thread all the same. So a waker does not hold the task, as it does in versions 3 and 4, but the
//! task's number. The executor holds the tasks.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    future::Future,
    mem,
    pin::Pin,
    rc::{Rc, Weak},
    sync::{
        self, Arc,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Poll, Wake, Waker},
};

use crate::{Queued, contain::contain};

/// Runs tasks on the thread that created it.
///
/// An executor that is moved into one of its own tasks can no longer run, and is leaked with all its tasks.
#[derive(Debug)]
// ANCHOR: structs
pub struct Executor {
    queue: Receiver<Arc<Address>>,
    /// `None` while it runs, because then only wakers hold the channel open.
    sender: Option<Arc<Sender<Arc<Address>>>>,
    tasks: Rc<Tasks>,
}

/// Gives tasks to an [`Executor`], on its thread.
#[derive(Debug, Clone)]
pub struct Spawner {
    sender: sync::Weak<Sender<Arc<Address>>>,
    tasks: Weak<Tasks>,
}

/// The unfinished tasks, by their numbers. The task that is being polled is not among them.
#[derive(Default)]
struct Tasks {
    futures: RefCell<HashMap<u64, LocalFuture>>,
    next: Cell<u64>,
}

/// No `Send`: this is what the local executor is for.
type LocalFuture = Pin<Box<dyn Future<Output = ()>>>;

/// What a waker points to. Every field is `Send` and `Sync`, whatever the future is.
#[derive(Debug)]
struct Address {
    task: u64,
    queued: Queued,
    sender: Arc<Sender<Arc<Address>>>,
}
// ANCHOR_END: structs

/// Creates an executor and a spawner for it.
///
/// ```
/// use std::{cell::Cell, rc::Rc};
/// use step04_channel_executor::{local, yield_now};
///
/// let (executor, spawner) = local::executor();
/// let total = Rc::new(Cell::new(0)); // an `Rc` is not `Send`
/// for number in [1, 2] {
///     let total = Rc::clone(&total);
///     spawner.spawn(async move {
///         yield_now().await;
///         total.set(total.get() + number);
///     });
/// }
/// executor.run();
/// assert_eq!(total.get(), 3);
/// ```
pub fn executor() -> (Executor, Spawner) {
    let (sender, queue) = mpsc::channel();
    let (sender, tasks) = (Arc::new(sender), Rc::default());
    let spawner = Spawner {
        sender: Arc::downgrade(&sender),
        tasks: Rc::downgrade(&tasks),
    };
    let executor = Executor {
        queue,
        sender: Some(sender),
        tasks,
    };
    (executor, spawner)
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    // ANCHOR: spawn
    pub fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        // While `run` polls a task, that task's address holds the channel open.
        let (Some(tasks), Some(sender)) = (self.tasks.upgrade(), self.sender.upgrade()) else {
            contain(|| drop(future));
            return;
        };
        let task = tasks.next.replace(tasks.next.get() + 1);
        tasks.futures.borrow_mut().insert(task, Box::pin(future));
        let address = Address {
            task,
            queued: Queued::no(),
            sender,
        };
        Arc::new(address).wake();
    }
    // ANCHOR_END: spawn
}

// ANCHOR: wake
impl Wake for Address {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            // This fails if the executor is gone, and then no thread is left to poll the task.
            let _ = self.sender.send(Arc::clone(self));
        }
    }
}
// ANCHOR_END: wake

impl Executor {
    /// Runs until every task is finished. It does not wait for a [`Spawner`], because only a task could use one while
    /// this thread is in `run`.
    ///
    /// A task that panics ends alone. If the remaining tasks are pending and there is no waker left, no task can ever be
    /// woken again, so `run` drops them and returns. A waker of a finished task counts too: while it is kept, `run` waits
    /// for the remaining tasks.
    // ANCHOR: run
    pub fn run(mut self) {
        self.sender = None;
        while !self.tasks.futures.borrow().is_empty() {
            let Ok(address) = self.queue.recv() else {
                return;
            };
            address.queued.clear();
            // The future leaves the map for the poll, because a poll may spawn, which changes the
            // map. It is not there if the task was woken after it was finished.
            let future = self.tasks.futures.borrow_mut().remove(&address.task);
            let Some(mut future) = future else { continue };
            let waker = Waker::from(Arc::clone(&address));
            let mut cx = Context::from_waker(&waker);
            match contain(|| future.as_mut().poll(&mut cx)) {
                Some(Poll::Pending) => {
                    let mut futures = self.tasks.futures.borrow_mut();
                    futures.insert(address.task, future);
                }
                Some(Poll::Ready(())) | None => {
                    contain(|| drop(future));
                }
            }
        }
    }
    // ANCHOR_END: run
}

impl Drop for Executor {
    /// Drops the tasks that are left, each so that a panic in its destructor does no harm to the others.
    fn drop(&mut self) {
        // From here on a spawner finds no tasks, so a destructor that spawns adds none.
        let tasks = Rc::into_inner(mem::take(&mut self.tasks));
        for future in tasks
            .into_iter()
            .flat_map(|tasks| tasks.futures.into_inner().into_values())
        {
            contain(|| drop(future));
        }
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.futures.borrow().keys()).finish()
    }
}
