//! My runtime. Rung 2: a queue, tasks and wakers.

use std::{
    any::Any,
    cell::RefCell,
    collections::VecDeque,
    future::Future,
    io,
    marker::PhantomData,
    mem,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Write};

use crate::{
    given::AsSource,
    net::TcpStream,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

pub const REACHED: usize = 2;

pub const NOT_MINE: &[(&str, &str)] = &[];

// ---------------------------------------------------------------- the runtime

pub struct Runtime {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Entry>,
}

enum Entry {
    Root,
    Task(Arc<Task>),
}

thread_local! {
    /// The runtime of this thread.
    static CURRENT: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
}

impl Runtime {
    pub fn new(_workers: usize) -> Runtime {
        Runtime {
            shared: Arc::default(),
        }
    }

    pub fn block_on<F: Future>(&self, root: F) -> F::Output {
        let _entered = Entered::new(&self.shared);
        let waker = Arc::new(Root {
            queued: AtomicBool::new(false),
            shared: self.shared.clone(),
        });
        waker.clone().wake();
        let root_waker = Waker::from(waker.clone());
        let mut root = pin!(root);
        loop {
            match self.shared.next() {
                Entry::Task(task) => task.run(),
                Entry::Root => {
                    waker.queued.swap(false, SeqCst);
                    let mut cx = Context::from_waker(&root_waker);
                    if let Poll::Ready(output) = root.as_mut().poll(&mut cx) {
                        return output;
                    }
                }
            }
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let queue = mem::take(&mut self.shared.state.lock().queue);
        drop(queue); // not under the lock: a destructor may wake
    }
}

/// While it lives, `spawn` on this thread knows the runtime.
struct Entered(Option<Arc<Shared>>);

impl Entered {
    fn new(shared: &Arc<Shared>) -> Entered {
        Entered(CURRENT.replace(Some(shared.clone())))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

fn current() -> Arc<Shared> {
    CURRENT
        .with_borrow(Option::clone)
        .expect("this thread runs no runtime of mine")
}

impl Shared {
    fn push(&self, entry: Entry) {
        self.state.lock().queue.push_back(entry);
        self.changed.notify_one();
    }

    /// What is to be polled next. Sleeps until there is something.
    fn next(&self) -> Entry {
        let mut state = self.state.lock();
        loop {
            if let Some(entry) = state.queue.pop_front() {
                return entry;
            }
            state = self.changed.wait(state);
        }
    }
}

/// The waker of the root future.
struct Root {
    queued: AtomicBool,
    shared: Arc<Shared>,
}

impl Wake for Root {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            self.shared.push(Entry::Root);
        }
    }
}

// ---------------------------------------------------------------- tasks

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

struct Task {
    future: Mutex<Option<BoxFuture>>,
    queued: AtomicBool,
    shared: Arc<Shared>,
}

pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let future: BoxFuture = Box::pin(async move { drop(task.await) });
    let (future, queued) = (Mutex::new(Some(future)), AtomicBool::new(false));
    Arc::new(Task {
        future,
        queued,
        shared: current(),
    })
    .wake();
    JoinHandle(PhantomData)
}

impl Task {
    // ANCHOR: run
    fn run(self: Arc<Self>) {
        // Before the poll, because a wake during the poll must queue the task again.
        self.queued.swap(false, SeqCst);
        let waker = Waker::from(self.clone());
        let mut slot = self.future.lock();
        let Some(future) = slot.as_mut() else {
            return; // it is finished
        };
        if future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            *slot = None;
        }
    }
    // ANCHOR_END: run
}

impl Wake for Task {
    // ANCHOR: wake
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            let shared = self.shared.clone();
            shared.push(Entry::Task(self));
        }
    }
    // ANCHOR_END: wake
}

pub struct JoinHandle<T>(PhantomData<fn() -> T>);

// ---------------------------------------------------------------- rungs 3 and 4: timers

/// Waits until this time has passed, counted from now. It is never ready too early. `Duration::MAX` is forever.
///
/// It is called inside `block_on` and inside tasks, so it may ask for the runtime of its thread. It may be polled and dropped anywhere.
pub fn sleep(after: Duration) -> Sleep {
    todo!("rung 3: a thread that sleeps and then wakes; rung 4: no thread but the runtime's own")
}

/// The future of [`sleep`]. It does nothing before its first poll. It keeps the latest waker, and ready once, it stays ready.
pub struct Sleep {}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("rung 3")
    }
}

// ---------------------------------------------------------------- rung 5: handles

/// Why a task has no output.
pub enum JoinError {
    /// It has panicked, with this.
    Panic(Box<dyn Any + Send>),
    /// It was dropped before it was ready: by [`abort`](JoinHandle::abort), or with the runtime.
    Aborted,
}

/// Waits for the task's output, or the reason why there is none. By then the task itself is dropped. A handle that is dropped leaves
/// its task alone.
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        todo!("rung 5: take the result if it is there, or else leave a waker")
    }
}

// ---------------------------------------------------------------- rung 6: abort and shutdown

impl<T> JoinHandle<T> {
    /// Sees to it that the task is dropped soon, and not polled again, unless it is finished. It may be called on any thread, also inside
    /// the task's own poll, which then is its last.
    pub fn abort(&self) {
        todo!("rung 6: mark the task, and let the runtime drop it")
    }
}

// And when your Runtime is dropped, all of its tasks are.

// ---------------------------------------------------------------- rung 7: sockets

/// A socket that doesn't block, with what your runtime knows about it. It is made inside `block_on` and inside tasks.
pub struct Source<T: AsSource> {
    socket: T,
}

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Read,
    Write,
}

impl<T: AsSource> Source<T> {
    /// Has the socket watched by your runtime's poller: see `crate::given::Watched`.
    pub fn new(socket: T) -> io::Result<Source<T>> {
        todo!("rung 7: add the socket to the poller, in whose wait your runtime sleeps from now on")
    }

    /// The socket.
    pub fn get(&self) -> &T {
        &self.socket
    }

    /// Tries `operation`. If that would block, it returns `Pending` after it has seen to it that the task is woken when the socket is
    /// ready in this direction. One task may wait to read while another one waits to write.
    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        todo!("rung 7: try; if it would block, leave the waker and ask the poller")
    }
}

// ---------------------------------------------------------------- rung 8: workers

/// Spawns from any thread.
#[derive(Clone)]
pub struct Handle {}

impl Runtime {
    /// What spawns on this runtime from anywhere.
    pub fn handle(&self) -> Handle {
        todo!("rung 8")
    }
}

impl Handle {
    /// Gives a task to the runtime. If that is dropped already, the task is dropped without a poll, and its handle says `Aborted`.
    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        todo!("rung 8: as spawn, and wake a worker that sleeps")
    }
}

// ---------------------------------------------------------------- rung 9: HTTP

/// A connection as hyper wants it.
pub struct Http(pub TcpStream);

impl Read for Http {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        todo!("rung 9: read into a buffer of your own, and put_slice what has come")
    }
}

impl Write for Http {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        todo!("rung 9: pass it on")
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        todo!("rung 9: pass it on")
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        todo!("rung 9: pass it on")
    }
}
