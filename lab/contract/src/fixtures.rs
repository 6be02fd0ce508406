//! What the tests of the clauses are made of: futures that do one thing at one moment, and waits that end.

use std::{
    future::{Future, poll_fn},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures_channel::oneshot;
use probe::{Counted, Counts, thread_cpu_time};

use crate::{
    Answer, BoxFuture, Runtime, Unsupported, allocations,
    jitter::jitter,
    lock::lock,
    rest::{self, Looking, Patience},
};

/// So long a thread waits before it wakes, so that the runtime has gone to sleep by then. Nothing depends on it: were
/// the runtime late, the test would find less, and nothing wrong.
pub(crate) const A_MOMENT: Duration = Duration::from_millis(10);

/// Counts what an executor does to a future.
pub(crate) fn counted(future: impl Future<Output = ()> + Send + 'static) -> (BoxFuture, Counts) {
    let mut future = Box::pin(future);
    let counted = Counted::new(poll_fn(move |cx| {
        rest::polled();
        future.as_mut().poll(cx)
    }));
    let counts = counted.counts();
    (Box::pin(counted), counts)
}

/// Runs one task, and returns what was counted.
pub(crate) fn run_one(
    runtime: &dyn Runtime,
    future: impl Future<Output = ()> + Send + 'static,
) -> Answer<Counts> {
    let counts = run_all(runtime, vec![counted(future)])?;
    Ok(counts.into_iter().next().expect("there is one task"))
}

/// Runs all of these to their ends, and returns what was counted.
pub(crate) fn run_all(
    runtime: &dyn Runtime,
    counted: Vec<(BoxFuture, Counts)>,
) -> Answer<Vec<Counts>> {
    let (tasks, counts): (Vec<_>, Vec<_>) = counted.into_iter().unzip();
    runtime.run(tasks)?;
    let unfinished = counts
        .iter()
        .filter(|counts| counts.completions() == 0)
        .count();
    let tasks = counts.len();
    assert!(
        unfinished == 0,
        "it returned, and {unfinished} of {tasks} tasks are not done"
    );
    Ok(counts)
}

/// Pending `times` times, having done something with the waker each time.
pub(crate) async fn act(times: usize, mut act: impl FnMut(&Waker) + Send) {
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        act(cx.waker());
        Poll::Pending
    })
    .await;
}

/// Lets others go first, so many times.
pub(crate) async fn yields(times: usize) {
    let wake = |waker: &Waker| {
        rest::woken();
        waker.wake_by_ref();
    };
    act(times, wake).await;
}

/// Wakes by value, which uses a clone up.
pub(crate) fn wake_by_value(waker: &Waker) {
    let clone = waker.clone();
    rest::woken();
    clone.wake();
}

/// Wakes by value on another thread, and waits for that.
pub(crate) fn wake_elsewhere(waker: &Waker) {
    let waker = waker.clone();
    let woken = thread::spawn(move || waker.wake()).join();
    assert!(woken.is_ok(), "the wake panicked");
}

/// Pending until another thread has woken it, after a moment.
pub(crate) async fn woken_after(moment: Duration) {
    woken_when(move || thread::sleep(moment)).await;
}

/// Pending until another thread has done something and then woken it. A poll without a wake makes no difference to it.
pub(crate) async fn woken_when<T>(something: impl FnOnce() -> T + Send + 'static) {
    let (over, latest) = (Arc::new(AtomicBool::new(false)), LatestWaker::default());
    let mut something = Some(something);
    poll_fn(move |cx| {
        latest.leave(cx);
        if over.load(SeqCst) {
            return Poll::Ready(());
        }
        if let Some(something) = something.take() {
            let (latest, over) = (latest.clone(), over.clone());
            thread::spawn(move || {
                something();
                over.store(true, SeqCst);
                latest.wake();
            });
        }
        Poll::Pending
    })
    .await;
}

/// Where a future leaves the waker of each poll, before it looks at what it waits for: an executor owes a wake to the
/// latest waker alone.
#[derive(Clone, Default)]
pub(crate) struct LatestWaker(Arc<Mutex<Option<Waker>>>);

impl LatestWaker {
    pub(crate) fn leave(&self, cx: &Context<'_>) {
        jitter();
        let waker = cx.waker().clone();
        jitter();
        let earlier = lock(&self.0).replace(waker);
        jitter();
        drop(earlier); // when the lock is free: to drop a waker runs code of the runtime
    }

    pub(crate) fn get(&self) -> Option<Waker> {
        lock(&self.0).clone()
    }

    /// Wakes while the lock is free, so that others can wake at the same time.
    pub(crate) fn wake(&self) {
        rest::woken();
        self.get().into_iter().for_each(Waker::wake);
    }
}

/// Computes until this thread has used so much CPU time, and returns what it used: more, where the clock has large steps.
///
/// A test that must give another thread the time to do something wrong uses this in place of a sleep: on a machine with
/// much to do, both get less, and in the same proportion.
pub(crate) fn compute(time: Duration) -> Duration {
    let start = thread_cpu_time();
    loop {
        let used = thread_cpu_time() - start;
        if used >= time {
            return used;
        }
    }
}

/// Waits until something has come true that is not announced. `false` if it takes too long.
#[must_use]
pub(crate) fn comes_true(mut what: impl FnMut() -> bool) -> bool {
    let (mut looking, patience) = (Looking::here(), Patience::begin());
    while !what() {
        looking.note();
        if patience.is_over() {
            return what();
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

/// [`comes_true`] for a task: another thread looks, and then wakes it.
pub(crate) async fn until(what: impl FnMut() -> bool + Send + 'static) -> bool {
    let (tell, told) = oneshot::channel();
    thread::spawn(|| tell.send(comes_true(what)));
    told.await.unwrap_or(false)
}

/// Asserts that each is dropped once, now or soon: a worker may be about to do it.
pub(crate) fn assert_dropped_once(counts: &[Counts]) {
    let missed = || counts.iter().filter(|counts| counts.drops() != 1).count();
    let all = comes_true(|| missed() == 0);
    let (missed, futures) = (missed(), counts.len());
    assert!(all, "{missed} of {futures} futures were not dropped once");
}

/// Asserts that so many runs leave next to nothing, but for what as many runs without a task leave: that is the runtime's
/// own, and no task is to blame.
///
/// A leak grows each time. What grows once may be a cache, or what another thread of the process needs, or garbage that is
/// freed only by the next run. So just the last time is worth waiting for.
pub(crate) fn assert_nothing_is_left(
    runtime: &dyn Runtime,
    runs: usize,
    of: &str,
    mut run: impl FnMut() -> Answer,
) -> Answer {
    if allocations::counted().is_err() {
        return run(); // which may assert more
    }
    let own = left_by_empty_runs(runtime, runs);
    let few = isize::try_from(runs / 2).expect("a small number");
    let mut most_after = || {
        let before = allocations::live();
        run().map(|()| before + own + few)
    };
    for _ in 0..2 {
        if most_after()? >= allocations::at_rest() {
            return Ok(());
        }
    }
    let most = most_after()?;
    let freed = comes_true(|| allocations::live() <= most);
    let left = allocations::live() - most + few;
    assert!(freed, "{left} allocations are left of {runs} {of}");
    Ok(())
}

/// How many allocations so many runs without a task leave.
pub(crate) fn left_by_empty_runs(runtime: &dyn Runtime, runs: usize) -> isize {
    rest::says("without a task");
    let before = allocations::at_rest();
    match (0..runs).try_for_each(|_| runtime.run(Vec::new())) {
        Ok(()) => (allocations::at_rest() - before).max(0),
        Err(Unsupported) => 0,
    }
}

/// A number that tasks and threads share.
#[derive(Debug, Default)]
pub(crate) struct Number(AtomicUsize);

impl Number {
    pub(crate) fn add_one(&self) -> usize {
        self.0.fetch_add(1, SeqCst) + 1
    }

    pub(crate) fn take_one(&self) {
        self.0.fetch_sub(1, SeqCst);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(SeqCst)
    }
}
