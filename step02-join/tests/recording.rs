//! The runs that the book shows: two timers side by side, and one after the other.
//!
//! A wake of this stage is a plain `fn()`, which carries no data. So each future gets a function of its own, and what that
//! function needs to know is in statics: one recording at a time.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use probe::{Lane, Recorder, Recording, Run, What, Wording};
use step02_join::{AndThen, Join, Poll, RunLoop, SimpleFuture, Timer, Trace, Traced};

#[path = "../src/demo/after_a.rs"]
mod after_a;

use after_a::AfterA;

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(40);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recordings_in_the_book_are_as_it_runs_now() {
    JOIN.check();
    AND_THEN.check();
}

const THREADS: &[&str] = &["main", "a's timer", "b's timer"];

const JOIN: Run = Run {
    name: "run-02-join",
    title: "Two timers joined: each poll goes to every timer that is still pending",
    caption: "Both timers run from the first poll on. A wake goes straight to the run loop, and the poll that follows \
              goes down through the join, to each timer that is still pending.",
    threads: THREADS,
    lanes: &[
        Lane::Thread("main: the thread of the run loop"),
        Lane::Thread("a's timer: its thread"),
        Lane::Thread("b's timer: its thread"),
        Lane::Task("`pair`: the `Join`"),
        Lane::Task("`a`: the short timer"),
        Lane::Task("`b`: the long timer"),
    ],
    wording: Wording::PlainWakes,
    record: join,
};

const AND_THEN: Run = Run {
    name: "run-02-and-then",
    title: "The same timers one after the other",
    caption: "The second timer isn't polled before the first is ready, so it doesn't start before that. The poll in \
              which `a` is ready is also the first poll of `b`.",
    lanes: &[
        Lane::Thread("main: the thread of the run loop"),
        Lane::Thread("a's timer: its thread"),
        Lane::Thread("b's timer: its thread"),
        Lane::Task("`pair`: the `AndThen`"),
        Lane::Task("`a`: the short timer"),
        Lane::Task("`b`: the long timer"),
    ],
    record: and_then,
    ..JOIN
};

fn join() -> Recording {
    run(|a, b| Noted::<_, 3>::outer(Join::new(a, b)))
}

fn and_then() -> Recording {
    run(|a, b| Noted::<_, 3>::outer(AndThen::new(a, b)))
}

type A = Noted<Traced<'static, Timer>, 1>;
type B = Noted<AfterA<'static>, 2>;

fn run<F: SimpleFuture>(pair: fn(A, B) -> F) -> Recording {
    let trace: &Trace = Box::leak(Box::new(Trace::start()));
    record(&["a", "b", "pair"], || {
        let a = Traced::new("a", Timer::new(SHORT), trace);
        let b = AfterA::new(Timer::new(LONG), trace);
        let mut run_loop = RunLoop::new([pair(Noted::leaf(a), Noted::leaf(b))]);
        run_loop.run();
    })
}

static RECORDER: Mutex<Option<Arc<Recorder>>> = Mutex::new(None);

/// Records what is [noted](note) while `f` runs. The futures have numbers from 1, in the order of their names.
fn record(names: &[&str], f: impl FnOnce()) -> Recording {
    let recorder = Recorder::start();
    for name in names {
        recorder.add(name);
    }
    *lock(&RECORDER) = Some(Arc::clone(&recorder));
    f();
    *lock(&RECORDER) = None;
    recorder.finish()
}

fn note(future: u32, what: What) {
    let recorder = lock(&RECORDER).clone();
    // A wake may come when the recording is over.
    if let Some(recorder) = recorder {
        recorder.note(future, what);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The real `wake` of each future.
static WAKES: [Mutex<fn()>; 4] = [const { Mutex::new(|| ()) }; 4];

/// A future whose polls and wakes are noted, under the number `N`.
struct Noted<F, const N: u32> {
    future: F,
    /// It waits for something itself. Others hand their `wake` down as it came, so it never passes them.
    is_leaf: bool,
}

impl<F, const N: u32> Noted<F, N> {
    fn leaf(future: F) -> Self {
        note(N, What::Spawn);
        let is_leaf = true;
        Noted { future, is_leaf }
    }

    fn outer(future: F) -> Self {
        note(N, What::Spawn);
        let is_leaf = false;
        Noted { future, is_leaf }
    }
}

/// Held while the pair is polled, so that no wake comes in the middle of a poll.
static POLLED: Mutex<()> = Mutex::new(());

fn noted_wake<const N: u32>() {
    drop(lock(&POLLED));
    let (waker, by_value, during) = (1, false, None);
    note(
        N,
        What::Wake {
            waker,
            by_value,
            during,
        },
    );
    let wake = *lock(&WAKES[N as usize]);
    wake();
}

impl<F: SimpleFuture, const N: u32> SimpleFuture for Noted<F, N> {
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        let _polled = (!self.is_leaf).then(|| lock(&POLLED));
        *lock(&WAKES[N as usize]) = wake;
        note(N, What::Poll { waker: 1 });
        let wake = if self.is_leaf { noted_wake::<N> } else { wake };
        let answer = self.future.poll(wake);
        let is_pending = matches!(answer, Poll::Pending);
        note(
            N,
            if is_pending {
                What::Pending
            } else {
                What::Ready
            },
        );
        answer
    }
}

impl<F, const N: u32> Drop for Noted<F, N> {
    fn drop(&mut self) {
        note(N, What::Drop);
    }
}
