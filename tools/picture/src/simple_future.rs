//! Stands between a run loop and a `SimpleFuture`, as `probe::watch` stands between an executor and a `Future`.
//!
//! In the stages 01 and 02 a wake is a plain `fn()`, which carries no data. So each future gets a function of its own,
//! and what that function needs to know is in statics: one recording at a time.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::Instant,
};

use probe::{Event, Named, Recording, What};

/// How many futures one recording may have.
const MOST: usize = 3;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
static LOG: Mutex<Option<Log>> = Mutex::new(None);
static REAL: [Mutex<fn()>; MOST] = [const { Mutex::new(nothing) }; MOST];

fn nothing() {}

struct Log {
    start: Instant,
    threads: Vec<ThreadId>,
    recording: Recording,
}

/// Runs `f` and records what the [`Noted`] futures in it do. The names are those of the futures, by their numbers.
pub fn record(names: &[&str], f: impl FnOnce()) -> Recording {
    let _only = lock(&ONE_AT_A_TIME);
    let named = |(id, name): (u32, &&str)| Named {
        id,
        name: (*name).to_owned(),
    };
    *lock(&LOG) = Some(Log {
        start: Instant::now(),
        threads: Vec::new(),
        recording: Recording {
            tasks: (1..).zip(names).map(named).collect(),
            ..Recording::default()
        },
    });
    f();
    let log = lock(&LOG).take();
    log.map(|log| log.recording).unwrap_or_default()
}

/// Notes that this thread does nothing while `f` runs.
pub fn asleep(f: impl FnOnce()) {
    note(None, What::Park);
    f();
    note(None, What::Unpark);
}

/// Notes what happens to the future of this number, which counts from 0.
pub fn note_of(number: usize, what: What) {
    note(u32::try_from(number + 1).ok(), what);
}

fn note(task: Option<u32>, what: What) {
    // A wake may come when the recording is over.
    if let Some(log) = &mut *lock(&LOG) {
        log.push(task, what);
    }
}

impl Log {
    fn push(&mut self, task: Option<u32>, what: What) {
        let at = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let current = thread::current();
        if !self.threads.contains(&current.id()) {
            self.threads.push(current.id());
            self.recording.threads.push(Named {
                id: u32::try_from(self.threads.len()).unwrap_or(u32::MAX),
                name: current.name().unwrap_or_default().to_owned(),
            });
        }
        let here = self.threads.iter().position(|id| *id == current.id());
        let thread = here.map_or(0, |at| self.recording.threads[at].id);
        let event = Event {
            at,
            thread,
            task,
            what,
        };
        self.recording.events.push(event);
    }
}

// A panic of a stage ends the recording, and is reported by itself.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A future whose polls and wakes are noted, under the number `N`.
#[derive(Debug)]
pub struct Noted<F, const N: usize> {
    future: F,
    is_leaf: bool,
}

impl<F, const N: usize> Noted<F, N> {
    /// Notes from now on what happens to a future that waits for something itself.
    pub fn leaf(future: F) -> Self {
        Self::new(future, true)
    }

    /// Notes from now on how a future is polled that hands its `wake` down to others.
    pub fn outer(future: F) -> Self {
        Self::new(future, false)
    }

    fn new(future: F, is_leaf: bool) -> Self {
        note_of(N, What::Spawn);
        Noted { future, is_leaf }
    }

    fn poll<P>(&mut self, wake: fn(), poll: impl FnOnce(&mut F, fn()) -> P) -> P {
        *lock(&REAL[N]) = wake;
        note_of(N, What::Poll { waker: 1 });
        // Handed down as it came, a `wake` never passes the outer future. So it is no business of that one.
        let wake = if self.is_leaf { noted_wake::<N> } else { wake };
        poll(&mut self.future, wake)
    }
}

fn noted_wake<const N: usize>() {
    let wake = What::Wake {
        waker: 1,
        by_value: false,
        during: None,
    };
    note_of(N, wake);
    let real = *lock(&REAL[N]);
    real();
}

impl<F, const N: usize> Drop for Noted<F, N> {
    fn drop(&mut self) {
        note_of(N, What::Drop);
    }
}

impl<F: step01_simple_future::SimpleFuture, const N: usize> step01_simple_future::SimpleFuture
    for Noted<F, N>
{
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> step01_simple_future::Poll<F::Output> {
        let answer = self.poll(wake, F::poll);
        let pending = matches!(answer, step01_simple_future::Poll::Pending);
        note_of(N, if pending { What::Pending } else { What::Ready });
        answer
    }
}

impl<F: step02_join::SimpleFuture, const N: usize> step02_join::SimpleFuture for Noted<F, N> {
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> step02_join::Poll<F::Output> {
        let answer = self.poll(wake, F::poll);
        let pending = matches!(answer, step02_join::Poll::Pending);
        note_of(N, if pending { What::Pending } else { What::Ready });
        answer
    }
}
