//! My runtime. Rung 10: a queue for each worker.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap, VecDeque},
    future::{Future, poll_fn},
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    ptr,
    sync::Arc,
    task::{Context, Poll, Wake, Waker, ready},
    time::{Duration, Instant},
};

use futures_io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Write};

use crate::{
    given::{AsSource, Poller, Watched},
    net::TcpStream,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        now, thread,
    },
};

pub const REACHED: usize = 9;

pub const NOT_MINE: &[(&str, &str)] = &[];

// ---------------------------------------------------------------- the runtime

pub struct Runtime {
    shared: Arc<Shared>,
    workers: Vec<thread::JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// What a worker spawns and wakes goes into its own queue.
    locals: Vec<Mutex<VecDeque<Arc<Task>>>>,
    /// All that are not over, by their addresses. `None` once the runtime is gone.
    tasks: Mutex<Option<HashMap<usize, Arc<Task>>>>,
    /// How many have announced that they sleep, in the kernel or for the bell.
    idle: AtomicUsize,
    /// One was rung for, and has not looked for tasks yet.
    ringing: AtomicBool,
    /// Rings for workers that sleep while another one is in the kernel.
    bell: Condvar,
    poller: Poller,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Arc<Task>>,
    closed: bool,
    /// By deadline, and by a number, because two may be due at the same time.
    timers: BTreeMap<(Instant, u64), Waker>,
    next_timer: u64,
    /// What sockets are waited for.
    sources: HashMap<usize, Arc<Waiting>>,
    next_source: usize,
    /// A worker has a look in the kernel, or sleeps there.
    driven: bool,
    /// It sleeps there, or is about to. It must be told what is new.
    in_kernel: bool,
    /// How many wait for the bell.
    asleep: usize,
}

/// After so many polls, timers are looked at, even if the queue is never empty.
const POLLS_BETWEEN_LOOKS: u32 = 61;

thread_local! {
    /// The runtime of this thread.
    static CURRENT: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
    /// The number of this worker, if it is one.
    static WORKER: Cell<Option<usize>> = const { Cell::new(None) };
}

impl Runtime {
    pub fn new(workers: usize) -> Runtime {
        let poller = Poller::new().expect("the system has descriptors left");
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            locals: (0..workers.max(1)).map(|_| Mutex::default()).collect(),
            tasks: Mutex::new(Some(HashMap::new())),
            idle: AtomicUsize::new(0),
            ringing: AtomicBool::new(false),
            bell: Condvar::new(),
            poller,
        });
        let worker = |number| {
            let shared = shared.clone();
            thread::spawn(move || {
                let _entered = Entered::new(&shared);
                WORKER.set(Some(number));
                let mut polls = 0;
                while let Some(task) = shared.next(number, &mut polls) {
                    task.run();
                }
            })
        };
        Runtime {
            workers: (0..workers.max(1)).map(worker).collect(),
            shared,
        }
    }

    pub fn block_on<F: Future>(&self, root: F) -> F::Output {
        let _entered = Entered::new(&self.shared);
        let signal = Arc::new(Signal::default());
        let waker = Waker::from(signal.clone());
        let mut root = pin!(root);
        loop {
            if let Poll::Ready(output) = root.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            signal.wait();
        }
    }

    pub fn handle(&self) -> Handle {
        Handle(self.shared.clone())
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.shared.state.lock().closed = true;
        self.shared.bell.notify_all();
        self.shared.poller.notify();
        for worker in self.workers.drain(..) {
            // A task may drop its runtime, and no thread can wait for itself.
            if worker.thread().id() != thread::current().id() {
                let _ = worker.join();
            }
        }
        let tasks = self.shared.tasks.lock().take();
        tasks.iter().flat_map(HashMap::values).for_each(Task::end); // no lock: a destructor may wake, and spawn
        let queues = self
            .shared
            .locals
            .iter()
            .map(|it| mem::take(&mut *it.lock()));
        let queues: Vec<_> = queues
            .chain([mem::take(&mut self.shared.state.lock().queue)])
            .collect();
        drop(queues);
    }
}

#[derive(Clone)]
pub struct Handle(Arc<Shared>);

impl Handle {
    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        spawn_on(&self.0, task)
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
    /// The queue of the worker that calls this, if it is one of this runtime.
    fn local(&self) -> Option<&Mutex<VecDeque<Arc<Task>>>> {
        let here = |it: &Option<Arc<Shared>>| it.as_deref().is_some_and(|it| ptr::eq(it, self));
        self.locals
            .get(WORKER.get().filter(|_| CURRENT.with_borrow(here))?)
    }

    fn push(&self, task: Arc<Task>) {
        if let Some(local) = self.local() {
            local.lock().push_back(task);
            // Who falls asleep announces it before the last look at the queues, so it has seen the task or is seen here.
            if self.idle.load(SeqCst) > 0 && !self.ringing.load(SeqCst) {
                self.ring(self.state.lock());
            }
            return;
        }
        let mut state = self.state.lock();
        if !state.closed {
            state.queue.push_back(task);
            self.ring(state);
        }
    }

    /// Ends the sleep of one worker, unless one is about to look anyway.
    fn ring(&self, mut state: MutexGuard<'_, State>) {
        if self.ringing.load(SeqCst) {
            return;
        }
        if state.asleep > 0 {
            self.ringing.store(true, SeqCst);
            drop(state);
            self.bell.notify_one();
        } else if mem::take(&mut state.in_kernel) {
            drop(state);
            self.poller.notify();
        }
    }

    /// Ends the sleep in the kernel.
    fn ring_kernel(&self, mut state: MutexGuard<'_, State>) {
        if mem::take(&mut state.in_kernel) {
            drop(state);
            self.poller.notify();
        }
    }

    /// Keeps a task until it is over. `false`: the runtime is gone.
    fn adopt(&self, task: &Arc<Task>) -> bool {
        let mut tasks = self.tasks.lock();
        let Some(tasks) = &mut *tasks else {
            return false;
        };
        tasks.insert(Arc::as_ptr(task).addr(), task.clone());
        true
    }

    fn disown(&self, task: &Arc<Task>) {
        let owned = self
            .tasks
            .lock()
            .as_mut()
            .and_then(|it| it.remove(&Arc::as_ptr(task).addr()));
        drop(owned);
    }

    /// What this worker polls next. Sleeps until there is something, or returns `None` when the runtime is dropped.
    fn next(&self, me: usize, polls: &mut u32) -> Option<Arc<Task>> {
        loop {
            *polls = polls.wrapping_add(1);
            let looks = *polls % POLLS_BETWEEN_LOOKS == 0;
            let task = if looks {
                None
            } else {
                self.locals[me].lock().pop_front()
            };
            if let Some(task) = task {
                return Some(task);
            }
            let mut state = self.state.lock();
            if state.closed {
                return None;
            }
            if looks && !state.driven {
                state = self.drive(state, Some(Duration::ZERO));
                // Meanwhile another one may have gone to sleep for the bell, and somebody has to wait in the kernel.
                if state.asleep > 0 {
                    self.ring(state);
                    state = self.state.lock();
                }
            }
            if let Some(task) = state.queue.pop_front() {
                if !state.queue.is_empty() {
                    self.ring(state);
                }
                return Some(task);
            }
            drop(state);
            if let Some(task) = self.steal(me) {
                return Some(task);
            }
            self.sleep();
        }
    }

    /// Half of what another one has, or else of its own.
    fn steal(&self, me: usize) -> Option<Arc<Task>> {
        for next in 0..self.locals.len() {
            let mut other = self.locals[(me + 1 + next) % self.locals.len()].lock();
            let half = other.len().div_ceil(2);
            let mut stolen: VecDeque<_> = other.drain(..half).collect();
            drop(other); // never two of these locks at once
            if let Some(first) = stolen.pop_front() {
                let more = !stolen.is_empty();
                self.locals[me].lock().extend(stolen);
                if more && self.idle.load(SeqCst) > 0 {
                    self.ring(self.state.lock());
                }
                return Some(first);
            }
        }
        None
    }

    fn sleep(&self) {
        let mut state = self.state.lock();
        self.idle.fetch_add(1, SeqCst);
        let nothing = state.queue.is_empty() && self.locals.iter().all(|it| it.lock().is_empty());
        if nothing && !state.closed {
            if state.driven {
                state.asleep += 1;
                state = self.bell.wait(state);
                state.asleep -= 1;
                self.ringing.store(false, SeqCst);
            } else {
                let time = state.until_next_timer();
                state = self.drive(state, time);
            }
        }
        self.idle.fetch_sub(1, SeqCst);
        drop(state);
    }

    fn drive<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        time: Option<Duration>,
    ) -> MutexGuard<'a, State> {
        state.driven = true;
        state.in_kernel = time != Some(Duration::ZERO);
        drop(state);
        self.wait(time);
        state = self.state.lock();
        state.driven = false;
        state
    }

    /// Waits in the kernel for sockets, for so long at most, and wakes who waits for a socket or a time.
    fn wait(&self, time: Option<Duration>) {
        let ready = self.poller.wait(time);
        let mut state = self.state.lock();
        state.in_kernel = false;
        let mut due = state.take_due();
        for socket in ready {
            if let Some(source) = state.sources.get(&socket.key) {
                due.extend(source.lock().iter_mut().filter_map(Option::take));
            }
        }
        drop(state); // a waker takes this lock
        due.into_iter()
            .for_each(|waker| drop(caught(|| waker.wake())));
    }
}

impl State {
    fn take_due(&mut self) -> Vec<Waker> {
        let Some(((first, _), _)) = self.timers.first_key_value() else {
            return Vec::new();
        };
        let now = now();
        if *first > now {
            return Vec::new();
        }
        let later = self.timers.split_off(&(now, u64::MAX));
        mem::replace(&mut self.timers, later)
            .into_values()
            .collect()
    }

    fn until_next_timer(&self) -> Option<Duration> {
        let ((first, _), _) = self.timers.first_key_value()?;
        Some(first.saturating_duration_since(now()))
    }
}

/// Ends the sleep of the thread in `block_on`, or keeps it from falling asleep.
#[derive(Default)]
struct Signal {
    woken: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn wait(&self) {
        let mut woken = self.woken.lock();
        while !*woken {
            woken = self.changed.wait(woken);
        }
        *woken = false;
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        *self.woken.lock() = true;
        self.changed.notify_one();
    }
}

// ---------------------------------------------------------------- tasks

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

struct Task {
    life: Mutex<Life>,
    shared: Arc<Shared>,
}

struct Life {
    stage: Stage,
    /// `None` while it is polled, and when it is over.
    future: Option<BoxFuture>,
    aborted: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Waits,
    Queued,
    Polled,
    /// A wake has come during its poll.
    PolledAndWoken,
    Over,
}

pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    spawn_on(&current(), task)
}

fn spawn_on<T: Send + 'static>(
    shared: &Arc<Shared>,
    task: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
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
    let life = Life {
        stage: Stage::Waits,
        future: Some(future),
        aborted: false,
    };
    let task = Arc::new(Task {
        life: Mutex::new(life),
        shared: shared.clone(),
    });
    if shared.adopt(&task) {
        task.clone().wake();
    } else {
        task.end(); // the runtime is gone
    }
    JoinHandle { place, task }
}

impl Task {
    fn run(self: Arc<Self>) {
        let mut life = self.life.lock();
        if life.aborted {
            drop(life);
            return self.end();
        }
        let Some(mut future) = life.future.take() else {
            return; // the runtime is gone
        };
        life.stage = Stage::Polled;
        drop(life);
        let waker = Waker::from(self.clone());
        let polled = caught(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        let mut life = self.life.lock();
        // In its poll it may have dropped its runtime, and then it is over.
        let is_over = life.aborted || life.stage == Stage::Over;
        if is_over || !matches!(polled, Ok(Poll::Pending)) {
            life.stage = Stage::Over;
            drop(life);
            let _ = caught(|| drop(future));
            return self.end();
        }
        life.future = Some(future);
        let woken = life.stage == Stage::PolledAndWoken;
        life.stage = if woken { Stage::Queued } else { Stage::Waits };
        drop(life);
        if woken {
            let shared = self.shared.clone();
            shared.push(self);
        }
    }

    /// Drops what is left of it. Called outside of its polls.
    fn end(self: &Arc<Self>) {
        let mut life = self.life.lock();
        life.stage = Stage::Over;
        let future = life.future.take();
        drop(life);
        self.shared.disown(self);
        let _ = caught(|| drop(future));
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let mut life = self.life.lock();
        match life.stage {
            Stage::Waits => life.stage = Stage::Queued,
            Stage::Polled => return life.stage = Stage::PolledAndWoken,
            _ => return,
        }
        drop(life);
        let shared = self.shared.clone();
        shared.push(self);
    }
}

fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(f))
}

// ---------------------------------------------------------------- handles

pub struct JoinHandle<T> {
    place: Arc<Mutex<Place<T>>>,
    task: Arc<Task>,
}

pub enum JoinError {
    Panic(Box<dyn Any + Send>),
    Aborted,
}

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
        drop(place);
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

impl<T> JoinHandle<T> {
    pub fn abort(&self) {
        self.task.life.lock().aborted = true;
        self.task.clone().wake(); // the runtime drops it
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

pub fn sleep(after: Duration) -> Sleep {
    let deadline = now().checked_add(after);
    Sleep {
        deadline,
        number: None,
        shared: current(),
    }
}

pub struct Sleep {
    /// `None`: so late that it is never.
    deadline: Option<Instant>,
    /// With the deadline, the key under which it has left its waker.
    number: Option<u64>,
    shared: Arc<Shared>,
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
        let shared = self.shared.clone();
        let mut state = shared.state.lock();
        let number = *self.number.get_or_insert(state.next_timer);
        state.next_timer = state.next_timer.max(number + 1);
        let old = state.timers.insert((deadline, number), waker);
        if state
            .timers
            .first_key_value()
            .is_some_and(|it| *it.0 == (deadline, number))
        {
            shared.ring_kernel(state); // it sleeps too long
        } else {
            drop(state);
        }
        drop(old); // not under the lock: it may be the last waker of a task
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let (Some(deadline), Some(number)) = (self.deadline, self.number) {
            let old = self.shared.state.lock().timers.remove(&(deadline, number));
            drop(old);
        }
    }
}

// ---------------------------------------------------------------- sockets

/// The wakers of who waits to read, and to write.
type Waiting = Mutex<[Option<Waker>; 2]>;

#[derive(Clone, Copy)]
pub enum Direction {
    Read,
    Write,
}

pub struct Source<T: AsSource> {
    socket: Watched<T>,
    key: usize,
    waiting: Arc<Waiting>,
    shared: Arc<Shared>,
}

impl<T: AsSource> Source<T> {
    pub fn new(socket: T) -> io::Result<Source<T>> {
        let (shared, waiting) = (current(), Arc::<Waiting>::default());
        let mut state = shared.state.lock();
        let key = state.next_source;
        state.next_source += 1;
        state.sources.insert(key, waiting.clone());
        drop(state);
        let socket = Watched::new(socket, &shared.poller, key)?;
        Ok(Source {
            socket,
            key,
            waiting,
            shared,
        })
    }

    pub fn get(&self) -> &T {
        &self.socket
    }

    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        loop {
            match operation(&self.socket) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return Poll::Ready(result),
            }
        }
        let waker = cx.waker().clone();
        let mut waiting = self.waiting.lock();
        let old = waiting[direction as usize].replace(waker);
        let [read, write] = [0, 1].map(|it| waiting[it].is_some());
        // Under the lock, because another direction may be asked for meanwhile. If it is ready by now, it reports at once.
        let asked = self.socket.ask(self.key, read, write);
        drop(waiting);
        drop(old);
        match asked {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl<T: AsSource> Drop for Source<T> {
    fn drop(&mut self) {
        self.shared.state.lock().sources.remove(&self.key);
        let wakers = mem::take(&mut *self.waiting.lock());
        drop(wakers);
    }
}

// ---------------------------------------------------------------- HTTP

/// A connection as hyper wants it.
pub struct Http(pub TcpStream);

impl Read for Http {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        // Not into hyper's own buffer, which may be uninitialized.
        let mut buffer = [0; 8192];
        let most = buffer.len().min(to.remaining());
        let count = ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer[..most]))?;
        to.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl Write for Http {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(cx)
    }
}
