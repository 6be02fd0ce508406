//! The executor: polls what has been woken, and sleeps in its driver.

use std::{
    collections::HashMap,
    fmt,
    future::Future,
    io, mem,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use crate::{
    AsIo, JoinHandle, Park, Queued, Reactor, Registered, Sleep, contain::contain, context,
    join_handle::with_handle, queue::Queue, task_future::TaskFuture, time_driver::TimeDriver,
    v3_polling,
};

/// After so many polls the executor looks at the kernel, even if more tasks are to be polled. So sockets and timers are
/// served while tasks wake each other without a pause. tokio has the same number.
// ANCHOR: polls
const POLLS_BETWEEN_LOOKS: usize = 61;
// ANCHOR_END: polls

/// The number of the future that was given to `block_on`. The tasks are counted from 1.
const MAIN: u64 = 0;

/// Runs tasks on the thread that calls [`block_on`](Runtime::block_on). That thread sleeps in the kernel, which waits for
/// all sockets and for the next deadline at once.
///
/// Dropping it drops every task that is not finished.
///
/// ```
/// use step09_epoll_reactor::{Runtime, spawn};
///
/// let mut runtime = Runtime::new()?;
/// let answer = runtime.block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
// ANCHOR: runtime
pub struct Runtime {
    handle: Handle,
}

/// Spawns tasks on a [`Runtime`], from any thread.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The tasks that were woken and not polled since.
    queue: Queue<Arc<Task>>,
    tasks: Mutex<Tasks>,
    /// Where the executor sleeps.
    driver: Arc<TimeDriver>,
    /// Where sockets are registered. Versions 0 and 1 have none.
    reactor: Option<Arc<Reactor>>,
}
// ANCHOR_END: runtime

/// The tasks that are not finished.
#[derive(Default)]
struct Tasks {
    /// Each future under the number of its task, except for the one that is being polled.
    futures: HashMap<u64, TaskFuture<()>>,
    last_id: u64,
    /// Whether the runtime has been dropped. Then no task is accepted any more.
    closed: bool,
}

/// What a waker points to. It names the future by its number and does not own it.
#[derive(Debug)]
struct Task {
    id: u64,
    /// Whether the task is in the queue already.
    queued: Queued,
    runtime: Handle,
}

/// Runs `future` to its end on the calling thread, with a [`Runtime`] of version 3 that lives as long as this call. The
/// future need not be `Send`. Tasks that are not finished by then are dropped.
///
/// # Panics
///
/// If the future panics, if it is called inside another `block_on`, and if the system has no descriptors left for the
/// runtime.
///
/// ```
/// use step09_epoll_reactor::block_on;
///
/// assert_eq!(block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    Runtime::new()
        .expect("descriptors for the runtime")
        .block_on(future)
}

/// Spawns a task on the runtime of the calling thread. It runs whether its handle is awaited or not.
///
/// # Panics
///
/// If the thread is not in [`block_on`].
///
/// ```
/// use step09_epoll_reactor::{block_on, spawn};
///
/// let answer = block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    context::current().spawn(future)
}

impl Runtime {
    /// Creates a runtime of version 3, which works on every system.
    ///
    /// # Errors
    ///
    /// If the system has no descriptors left.
    pub fn new() -> io::Result<Runtime> {
        Ok(Runtime::with_reactor(Reactor::new(
            v3_polling::Polling::new()?,
        )))
    }

    /// Creates a runtime that sleeps in this reactor, where its sockets are registered.
    pub fn with_reactor(reactor: Reactor) -> Runtime {
        let reactor = Arc::new(reactor);
        Runtime::with(Arc::clone(&reactor), Some(reactor))
    }

    /// Creates a runtime that sleeps in `park`. It has timers, and no sockets.
    pub fn with_park(park: impl Park + 'static) -> Runtime {
        Runtime::with(park, None)
    }

    fn with(park: impl Park + 'static, reactor: Option<Arc<Reactor>>) -> Runtime {
        Runtime {
            handle: Handle(Arc::new(Shared {
                queue: Queue::new(),
                tasks: Mutex::default(),
                driver: Arc::new(TimeDriver::new(park)),
                reactor,
            })),
        }
    }

    /// Returns a handle, which may be cloned, sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Spawns a task. It is first polled by [`block_on`](Runtime::block_on).
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.handle.spawn(future)
    }

    /// Runs a future to its end on the calling thread, and the tasks of the runtime beside it. The future need not be
    /// `Send`. Tasks that are not finished by then go on in the next `block_on`.
    ///
    /// # Panics
    ///
    /// If the future panics. Also if it is called inside another `block_on`, of any runtime, whose tasks would not be
    /// polled meanwhile.
    // ANCHOR: block_on
    pub fn block_on<F: Future>(&mut self, future: F) -> F::Output {
        let entered = context::enter(self.handle());
        assert!(
            !entered.is_nested(),
            "`block_on` was called inside `block_on`, and would stop its tasks: use `.await`"
        );
        let mut future = pin!(future);
        let main = Arc::new(Task {
            id: MAIN,
            queued: Queued::no(),
            runtime: self.handle(),
        });
        main.schedule();
        let main = Waker::from(main);
        let shared = &*self.handle.0;
        let mut due = Vec::new();
        loop {
            if let Poll::Ready(output) = shared.poll_some(&mut future, &main) {
                return output;
            }
            let limit = if shared.queue.fall_asleep() {
                None
            } else {
                Some(Duration::ZERO)
            };
            shared.driver.park(limit, &mut due);
            shared.queue.wake_up();
            for waker in due.drain(..) {
                contain(|| waker.wake()); // it may panic, and there are others to wake
            }
        }
    }
    // ANCHOR_END: block_on
}

impl Handle {
    /// Spawns a task. If the runtime has been dropped, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (future, handle) = with_handle(future);
        let future = TaskFuture::new(future);
        let mut tasks = self.0.tasks();
        if tasks.closed {
            drop(tasks); // before the future, whose destructor may spawn
            return handle;
        }
        tasks.last_id += 1;
        let id = tasks.last_id;
        tasks.futures.insert(id, future);
        drop(tasks);
        Arc::new(Task {
            id,
            queued: Queued::no(),
            runtime: self.clone(),
        })
        .schedule();
        handle
    }
    // ANCHOR_END: spawn

    /// Waits until `duration` has passed since this call, as [`sleep`](crate::sleep) does, on this runtime.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.0.driver), duration)
    }

    /// Registers a non-blocking object with this runtime, as [`Registered::new`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        let reactor = self.reactor()?;
        let trigger = reactor.selector().trigger();
        Registered::with(reactor, io, trigger, true)
    }

    /// The reactor, where sockets are registered.
    pub(crate) fn reactor(&self) -> io::Result<Arc<Reactor>> {
        let none = "this runtime has no reactor, so it cannot wait for a descriptor";
        let reactor = self.0.reactor.clone();
        reactor.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, none))
    }
}

impl Shared {
    /// Polls what is in the queue. Returns when it is empty, after a number of polls, or when the main future is ready.
    // ANCHOR: poll_some
    fn poll_some<F: Future>(&self, main_future: &mut Pin<&mut F>, main: &Waker) -> Poll<F::Output> {
        for _ in 0..POLLS_BETWEEN_LOOKS {
            let Some(task) = self.queue.pop() else { break };
            task.queued.clear();
            if task.id == MAIN {
                if let Poll::Ready(output) =
                    main_future.as_mut().poll(&mut Context::from_waker(main))
                {
                    return Poll::Ready(output);
                }
                continue;
            }
            // The future is taken out of the map, so that no lock is held during the poll.
            // If it is not there, the task was woken after it had finished.
            let taken = self.tasks().futures.remove(&task.id);
            if let Some(mut future) = taken {
                let id = task.id;
                let waker = Waker::from(task);
                if future.poll(&mut Context::from_waker(&waker)).is_pending() {
                    self.tasks().futures.insert(id, future);
                }
            }
        }
        Poll::Pending
    }
    // ANCHOR_END: poll_some

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

// ANCHOR: schedule
impl Task {
    fn schedule(self: &Arc<Self>) {
        let shared = &self.runtime.0;
        if self.queued.set() && shared.queue.push(Arc::clone(self)) {
            shared.driver.unpark();
        }
    }
}
// ANCHOR_END: schedule

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.schedule();
    }
}

// ANCHOR: drop
impl Drop for Runtime {
    fn drop(&mut self) {
        // A destructor may spawn. This runtime then refuses the task.
        let _entered = context::enter(self.handle());
        let shared = &self.handle.0;
        let futures = {
            let mut tasks = shared.tasks();
            tasks.closed = true;
            mem::take(&mut tasks.futures)
        };
        drop(futures); // after the lock is released
        // What tasks of other runtimes wait for would never come.
        let mut due = shared.driver.close();
        if let Some(reactor) = &shared.reactor {
            reactor.close(&mut due);
        }
        for waker in due {
            contain(|| waker.wake());
        }
        shared.queue.close();
    }
}
// ANCHOR_END: drop

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not finished", self.futures.len())
    }
}
