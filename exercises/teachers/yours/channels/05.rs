//! Channels: whatever happens is a message to the thread in `block_on`, which alone has the timers. Up to rung 5.

use std::{
    any::Any,
    cell::RefCell,
    collections::BTreeMap,
    future::{Future, poll_fn},
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use hyper::rt::{Read, ReadBufCursor, Write};

use crate::{
    given::AsSource,
    net::TcpStream,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::{self, Receiver, Sender},
        now,
    },
};

pub const REACHED: usize = 5;

pub const NOT_MINE: &[(&str, &str)] = &[];

// ---------------------------------------------------------------- the runtime

pub struct Runtime {
    outbox: Sender<Message>,
    /// Locked by the thread in `block_on`.
    inbox: Mutex<Receiver<Message>>,
}

enum Message {
    Root,
    Task(Arc<Task>),
    /// A sleep has begun to wait.
    Timer(Instant, Arc<Alarm>),
}

/// After so many messages, timers are looked at, even if there is always another message.
const BETWEEN_LOOKS: u32 = 61;

thread_local! {
    /// Where the runtime of this thread receives.
    static CURRENT: RefCell<Option<Sender<Message>>> = const { RefCell::new(None) };
}

impl Runtime {
    pub fn new(_workers: usize) -> Runtime {
        let (outbox, inbox) = mpsc::channel();
        Runtime {
            outbox,
            inbox: Mutex::new(inbox),
        }
    }

    pub fn block_on<F: Future>(&self, root: F) -> F::Output {
        let _entered = Entered::new(&self.outbox);
        let inbox = self.inbox.lock();
        let waker = Arc::new(Root {
            queued: AtomicBool::new(false),
            outbox: self.outbox.clone(),
        });
        waker.clone().wake();
        let root_waker = Waker::from(waker.clone());
        let mut root = pin!(root);
        let mut timers = Timers::default();
        loop {
            match timers.next(&inbox) {
                Message::Task(task) => task.run(),
                Message::Timer(deadline, alarm) => timers.insert(deadline, alarm),
                Message::Root => {
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

/// While it lives, `spawn` on this thread knows the runtime.
struct Entered(Option<Sender<Message>>);

impl Entered {
    fn new(outbox: &Sender<Message>) -> Entered {
        Entered(CURRENT.replace(Some(outbox.clone())))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

fn current() -> Sender<Message> {
    CURRENT
        .with_borrow(Option::clone)
        .expect("this thread runs no runtime of mine")
}

/// The waker of the root future.
struct Root {
    queued: AtomicBool,
    outbox: Sender<Message>,
}

impl Wake for Root {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            // Nobody receives it if the runtime is gone.
            let _ = self.outbox.send(Message::Root);
        }
    }
}

// ---------------------------------------------------------------- tasks

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

struct Task {
    future: Mutex<Option<BoxFuture>>,
    queued: AtomicBool,
    outbox: Sender<Message>,
}

pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let place = Arc::new(Mutex::new(Place {
        result: None,
        waiter: None,
    }));
    let finish = Finish(place.clone());
    let future: BoxFuture = Box::pin(async move {
        // The task is dropped before its result is there to be seen.
        let result = {
            let mut task = pin!(task);
            poll_fn(|cx| match caught(|| task.as_mut().poll(cx)) {
                Ok(polled) => polled.map(Ok),
                Err(panic) => Poll::Ready(Err(JoinError::Panic(panic))),
            })
            .await
        };
        finish.with(result);
    });
    let task = Arc::new(Task {
        future: Mutex::new(Some(future)),
        queued: AtomicBool::new(false),
        outbox: current(),
    });
    task.wake();
    JoinHandle { place }
}

impl Task {
    fn run(self: Arc<Self>) {
        // Before the poll, because a wake during the poll must queue the task again.
        self.queued.swap(false, SeqCst);
        let waker = Waker::from(self.clone());
        let mut slot = self.future.lock();
        let Some(future) = slot.as_mut() else {
            return; // it is finished
        };
        let polled = caught(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        if !matches!(polled, Ok(Poll::Pending)) {
            let finished = slot.take();
            drop(slot);
            let _ = caught(|| drop(finished));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            let outbox = self.outbox.clone();
            let _ = outbox.send(Message::Task(self));
        }
    }
}

fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(f))
}

// ---------------------------------------------------------------- handles

pub struct JoinHandle<T> {
    place: Arc<Mutex<Place<T>>>,
}

pub enum JoinError {
    Panic(Box<dyn Any + Send>),
    Aborted,
}

/// What a task and its handle share.
struct Place<T> {
    result: Option<Result<T, JoinError>>,
    waiter: Option<Waker>,
}

/// Belongs to the task. If the task is dropped before its end, that is its result.
struct Finish<T>(Arc<Mutex<Place<T>>>);

impl<T> Finish<T> {
    fn with(&self, result: Result<T, JoinError>) {
        let mut place = self.0.lock();
        place.result = Some(result);
        let waiter = place.waiter.take();
        drop(place); // a waker is code that isn't mine
        waiter.into_iter().for_each(Waker::wake);
    }
}

impl<T> Drop for Finish<T> {
    fn drop(&mut self) {
        let place = self.0.lock();
        let open = place.result.is_none();
        drop(place);
        if open {
            self.with(Err(JoinError::Aborted));
        }
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        let waiter = self.place.lock().waiter.take();
        drop(waiter); // not under the lock
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let waker = cx.waker().clone();
        let mut place = self.place.lock();
        if let Some(result) = place.result.take() {
            return Poll::Ready(result);
        }
        let old = place.waiter.replace(waker);
        drop(place);
        drop(old);
        Poll::Pending
    }
}

// ---------------------------------------------------------------- time

/// By deadline, and by a number, because two may be due at the same time.
#[derive(Default)]
struct Timers {
    alarms: BTreeMap<(Instant, u64), Arc<Alarm>>,
    inserted: u64,
    messages: u32,
}

/// What a sleep shares with the thread in `block_on`.
#[derive(Default)]
struct Alarm {
    waker: Mutex<Option<Waker>>,
}

impl Alarm {
    fn take(&self) -> Option<Waker> {
        self.waker.lock().take()
    }
}

impl Timers {
    fn insert(&mut self, deadline: Instant, alarm: Arc<Alarm>) {
        self.alarms.insert((deadline, self.inserted), alarm);
        self.inserted += 1;
    }

    /// The next message. Sleeps until there is one, and wakes what is due meanwhile.
    fn next(&mut self, inbox: &Receiver<Message>) -> Message {
        loop {
            self.messages = self.messages.wrapping_add(1);
            if self.messages % BETWEEN_LOOKS == 0 {
                self.wake_due();
            }
            let received = match self.alarms.first_key_value() {
                None => inbox.recv().ok(),
                Some(((first, _), _)) => inbox
                    .recv_timeout(first.saturating_duration_since(now()))
                    .ok(),
            };
            match received {
                Some(message) => return message,
                None => self.wake_due(),
            }
        }
    }

    fn wake_due(&mut self) {
        let later = self.alarms.split_off(&(now(), u64::MAX));
        let due = mem::replace(&mut self.alarms, later);
        for alarm in due.into_values() {
            alarm.take().into_iter().for_each(Waker::wake);
        }
    }
}

pub fn sleep(after: Duration) -> Sleep {
    Sleep {
        deadline: now().checked_add(after),
        alarm: None,
        outbox: current(),
    }
}

pub struct Sleep {
    /// `None`: so late that it is never.
    deadline: Option<Instant>,
    /// `None` before the first poll.
    alarm: Option<Arc<Alarm>>,
    outbox: Sender<Message>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        if deadline <= now() {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        if let Some(alarm) = &self.alarm {
            let old = alarm.waker.lock().replace(waker);
            drop(old); // not under the lock: it may be the last waker of a task
            return Poll::Pending;
        }
        let alarm = Arc::new(Alarm {
            waker: Mutex::new(Some(waker)),
        });
        self.alarm = Some(alarm.clone());
        let _ = self.outbox.send(Message::Timer(deadline, alarm));
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // The entry stays until its time, without a waker.
        let waker = self.alarm.take().and_then(|alarm| alarm.take());
        drop(waker);
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
