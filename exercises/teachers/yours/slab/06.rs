//! A slab: all tasks live in one list, and a waker knows its task by number. Up to rung 6.

use std::{
    any::Any,
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
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
        Condvar, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
        now,
    },
};

pub const REACHED: usize = 6;

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
    /// The tasks. A slot is used again when its task is over.
    slots: Vec<Slot>,
    free: Vec<usize>,
    closed: bool,
    /// By deadline, and by a number, because two may be due at the same time.
    timers: BTreeMap<(Instant, u64), Waker>,
    next_timer: u64,
    polls: u32,
}

/// After so many polls, timers are looked at, even if the queue is never empty.
const POLLS_BETWEEN_LOOKS: u32 = 61;

enum Entry {
    Root,
    Task(Name),
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
                Entry::Task(name) => self.shared.run(name),
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
        let mut state = self.shared.state.lock();
        state.closed = true;
        let queue = mem::take(&mut state.queue);
        let futures: Vec<_> = state.slots.iter_mut().map(Slot::clear).collect();
        drop(state); // a destructor may wake, and spawn
        drop(queue);
        for future in futures {
            let _ = caught(|| drop(future));
        }
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
        let mut state = self.state.lock();
        if !state.closed {
            state.queue.push_back(entry);
            self.changed.notify_one();
        }
    }

    /// What is to be polled next. Sleeps until there is something.
    fn next(&self) -> Entry {
        let mut state = self.state.lock();
        loop {
            state.polls += 1;
            let looks = state.polls % POLLS_BETWEEN_LOOKS == 0;
            let entry = if looks { None } else { state.queue.pop_front() };
            if let Some(entry) = entry {
                return entry;
            }
            let due = state.take_due();
            if !due.is_empty() {
                drop(state); // a waker takes this lock
                due.into_iter().for_each(Waker::wake);
                state = self.state.lock();
            } else if state.queue.is_empty() {
                state = match state.until_next_timer() {
                    None => self.changed.wait(state),
                    Some(time) => self.changed.wait_timeout(state, time),
                };
            }
        }
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

/// The number of a slot, and how many tasks have had it before. So a late waker doesn't wake the next task in the same slot.
#[derive(Clone, Copy)]
struct Name {
    slot: usize,
    generation: u64,
}

#[derive(Default)]
struct Slot {
    generation: u64,
    stage: Stage,
    /// `None` while it is polled, and when the slot is free.
    future: Option<BoxFuture>,
    aborted: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Stage {
    #[default]
    Free,
    Queued,
    Waits,
    Polled,
    /// A wake has come during its poll.
    PolledAndWoken,
}

impl Slot {
    /// Makes it free. What was in it is to be dropped without the lock.
    fn clear(&mut self) -> Option<BoxFuture> {
        self.generation += 1;
        self.stage = Stage::Free;
        self.aborted = false;
        self.future.take()
    }
}

impl State {
    fn slot(&mut self, name: Name) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(name.slot);
        slot.filter(|slot| slot.generation == name.generation && slot.stage != Stage::Free)
    }

    fn free(&mut self, name: Name) -> Option<BoxFuture> {
        let future = self.slot(name)?.clear();
        self.free.push(name.slot);
        future
    }
}

pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let shared = current();
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
    let name = shared.insert(future);
    JoinHandle {
        place,
        name,
        shared,
    }
}

impl Shared {
    fn insert(&self, future: BoxFuture) -> Option<Name> {
        let mut state = self.state.lock();
        if state.closed {
            drop(state);
            drop(future);
            return None;
        }
        let slot = state.free.pop().unwrap_or(state.slots.len());
        if slot == state.slots.len() {
            state.slots.push(Slot::default());
        }
        let place = &mut state.slots[slot];
        place.stage = Stage::Queued;
        place.future = Some(future);
        let generation = place.generation;
        let name = Name { slot, generation };
        state.queue.push_back(Entry::Task(name));
        self.changed.notify_one();
        Some(name)
    }

    fn run(self: &Arc<Self>, name: Name) {
        let mut state = self.state.lock();
        let Some(slot) = state.slot(name) else {
            return; // it is over
        };
        if slot.aborted {
            let future = state.free(name);
            drop(state);
            let _ = caught(|| drop(future));
            return;
        }
        slot.stage = Stage::Polled;
        let future = slot.future.take();
        drop(state);
        let Some(mut future) = future else {
            return; // another thread polls it
        };
        let shared = self.clone();
        let waker = Waker::from(Arc::new(TaskWaker { name, shared }));
        let polled = caught(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        let mut state = self.state.lock();
        let Some(slot) = state.slot(name) else {
            drop(state);
            let _ = caught(|| drop(future));
            return;
        };
        if slot.aborted || !matches!(polled, Ok(Poll::Pending)) {
            state.free(name);
            drop(state);
            let _ = caught(|| drop(future));
            return;
        }
        slot.future = Some(future);
        if slot.stage == Stage::PolledAndWoken {
            slot.stage = Stage::Queued;
            state.queue.push_back(Entry::Task(name));
        } else {
            slot.stage = Stage::Waits;
        }
    }

    fn wake(&self, name: Name, aborts: bool) {
        let mut state = self.state.lock();
        let Some(slot) = state.slot(name) else {
            return;
        };
        slot.aborted |= aborts;
        match slot.stage {
            Stage::Waits => slot.stage = Stage::Queued,
            Stage::Polled => return slot.stage = Stage::PolledAndWoken,
            _ => return,
        }
        state.queue.push_back(Entry::Task(name));
        self.changed.notify_one();
    }
}

struct TaskWaker {
    name: Name,
    shared: Arc<Shared>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.shared.wake(self.name, false);
    }
}

fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(f))
}

// ---------------------------------------------------------------- handles

pub struct JoinHandle<T> {
    place: Arc<Mutex<Place<T>>>,
    /// `None` if the runtime was gone already.
    name: Option<Name>,
    shared: Arc<Shared>,
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
        if let Some(name) = self.name {
            self.shared.wake(name, true); // the runtime drops it
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
        drop(state);
        shared.changed.notify_one(); // it may be on another thread, and sleep too long
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
