//! A selector that watches nothing, and reports what a test tells it to.

use std::{
    collections::VecDeque,
    future::Future,
    io, mem,
    net::UdpSocket,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, MutexGuard, mpsc},
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures::channel::oneshot;
use step09_epoll_reactor::{
    BorrowedIo, Direction, Event, Handle, Key, Reactor, Registered, Runtime, Selector, Trigger,
};

/// What the reactor asked for, and what it is told.
#[derive(Clone)]
pub struct Script(Arc<Shared>);

struct Shared {
    trigger: Trigger,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    keys: Vec<Key>,
    calls: Vec<Call>,
    answers: VecDeque<io::Result<Vec<Event>>>,
    notified: bool,
    /// The waits that have begun.
    waits: usize,
    /// How many had begun when the latest answer was given.
    answered: usize,
    fails: bool,
    arm_fails: bool,
}

/// A call of the reactor, with the place of the descriptor among all that have been added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Add(usize, Trigger),
    Arm(usize, &'static [Direction]),
    Delete,
}

pub const NEITHER: &[Direction] = &[];
pub const READ: &[Direction] = &[Direction::Read];
pub const WRITE: &[Direction] = &[Direction::Write];
pub const BOTH: &[Direction] = &[Direction::Read, Direction::Write];

impl Script {
    /// Runs `test` beside a runtime that follows a script, with descriptors that are watched in this way.
    pub fn run(trigger: Trigger, test: impl FnOnce(&Handle, &Script)) {
        println!("{trigger:?}");
        let script = Script(Arc::new(Shared {
            trigger,
            state: Mutex::default(),
            changed: Condvar::new(),
        }));
        let (send, handle) = mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let selector = script.clone();
        let executor = thread::spawn(move || {
            let mut runtime = Runtime::with_reactor(Reactor::new(selector));
            send.send(runtime.handle()).unwrap();
            let _ = runtime.block_on(ended);
        });
        test(&handle.recv().unwrap(), &script);
        drop(end);
        executor.join().unwrap();
    }

    /// Lets the executor's wait end with this answer. Returns when the executor waits again, and has called every waker.
    pub fn answer(&self, answer: io::Result<Vec<Event>>) {
        let mut state = self.lock();
        state.answers.push_back(answer);
        self.0.changed.notify_all();
        // The wait after the one that got the answer shows that all is done.
        while !state.answers.is_empty() || state.waits == state.answered {
            state = self.0.changed.wait(state).unwrap();
        }
    }

    /// Reports these directions of the descriptor that was added as number `place`.
    pub fn report(&self, place: usize, directions: &[Direction]) {
        self.answer(Ok(vec![self.event(place, directions)]));
    }

    fn event(&self, place: usize, directions: &[Direction]) -> Event {
        Event {
            key: self.lock().keys[place],
            read: directions.contains(&Direction::Read),
            write: directions.contains(&Direction::Write),
            ended: false,
        }
    }

    /// The calls since the last time.
    pub fn take_calls(&self) -> Vec<Call> {
        mem::take(&mut self.lock().calls)
    }

    /// From now on, `add`, `arm` and `delete` fail, or work again.
    pub fn fail(&self, fails: bool) {
        self.lock().fails = fails;
    }

    /// From now on, `arm` fails, and `add` does not, as on kqueue.
    pub fn fail_to_arm(&self) {
        self.lock().arm_fails = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap()
    }
}

impl State {
    fn answer(&self) -> io::Result<()> {
        if self.fails {
            return Err(io::Error::other("scripted"));
        }
        Ok(())
    }
}

impl Selector for Script {
    fn trigger(&self) -> Trigger {
        self.0.trigger
    }

    #[expect(unsafe_code)] // which it does not rely on
    unsafe fn add(&self, _io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        let mut state = self.lock();
        let place = state.keys.len();
        state.keys.push(key);
        state.calls.push(Call::Add(place, trigger));
        state.answer()
    }

    fn arm(&self, _io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        let mut state = self.lock();
        let place = state.keys.iter().position(|key| *key == interest.key);
        let directions = match (interest.read, interest.write) {
            (false, false) => NEITHER,
            (true, false) => READ,
            (false, true) => WRITE,
            (true, true) => BOTH,
        };
        state.calls.push(Call::Arm(place.unwrap(), directions));
        if state.arm_fails {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        state.answer()
    }

    fn delete(&self, _io: BorrowedIo<'_>) -> io::Result<()> {
        let mut state = self.lock();
        state.calls.push(Call::Delete);
        state.answer()
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let mut state = self.lock();
        state.waits += 1;
        self.0.changed.notify_all();
        while state.answers.is_empty() && !state.notified {
            state = match timeout {
                None => self.0.changed.wait(state).unwrap(),
                Some(limit) => {
                    let (state, over) = self.0.changed.wait_timeout(state, limit).unwrap();
                    if over.timed_out() {
                        return Ok(());
                    }
                    state
                }
            };
        }
        state.notified = false;
        if let Some(answer) = state.answers.pop_front() {
            state.answered = state.waits;
            self.0.changed.notify_all();
            events.extend(answer?);
        }
        Ok(())
    }

    fn notify(&self) -> io::Result<()> {
        self.lock().notified = true;
        self.0.changed.notify_all();
        Ok(())
    }
}

/// An object with a descriptor, which is never used.
pub fn object() -> UdpSocket {
    UdpSocket::bind(super::ANY).unwrap()
}

/// Polls an operation that answers with what `answers` holds, and would block when that is empty.
pub fn poll_io<T, R>(
    registered: &Registered<T>,
    direction: Direction,
    waker: &Waker,
    operation: impl FnMut(&T) -> io::Result<R>,
) -> Poll<io::Result<R>>
where
    T: step09_epoll_reactor::AsIo + Send + Sync + 'static,
{
    registered.poll_io(direction, &mut Context::from_waker(waker), operation)
}

/// Runs a future on the runtime, and waits for its result.
pub fn on_runtime<R: Send + 'static>(
    handle: &Handle,
    future: impl Future<Output = R> + Send + 'static,
) -> R {
    let future: Pin<Box<dyn Future<Output = R> + Send>> = Box::pin(future);
    futures::executor::block_on(handle.spawn(future)).unwrap()
}
