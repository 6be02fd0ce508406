//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every
//! other task ends, and no worker is lost. `hostile.rs` has two of them panic, and says what the handle returns then.

use std::{
    future::Future,
    panic::resume_unwind,
    sync::{Arc, Barrier, LazyLock},
    task::Waker,
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on};
use probe::{
    foreign::{Foreign, Panics, Value},
    hostile::Hostile,
    wait_until, watch, within,
};
use step08_join_handle::{
    JoinError, JoinSet, channel::channel, semaphore::Semaphore, v1_oneshot, v2_state_bits,
    v3_async_task,
};

const LIMIT: Duration = Duration::from_secs(20);

/// What a task returns or what its panic carries, and a count of those that are there.
type Output = (Value, Arc<()>);

trait Runtime {
    type Handle: Future<Output = Result<Output, JoinError>> + Unpin;

    /// `None` if tasks cannot be aborted.
    const ABORT: Option<fn(&Self::Handle)>;

    /// Makes the wakers that are given to the handles.
    const WAKER: fn(&Foreign) -> Hostile;

    fn start(workers: usize) -> Self;

    fn spawn(&self, task: impl Future<Output = Output> + Send + 'static) -> Self::Handle;
}

macro_rules! runtime {
    ($version:ident, $($constants:tt)*) => {
        impl Runtime for $version::Runtime {
            type Handle = $version::JoinHandle<Output>;

            $($constants)*

            fn start(workers: usize) -> Self {
                Self::new(workers)
            }

            fn spawn(&self, task: impl Future<Output = Output> + Send + 'static) -> Self::Handle {
                self.handle().spawn(task)
            }
        }
    };
}

runtime! { v1_oneshot,
    const ABORT: Option<fn(&Self::Handle)> = None;
    const WAKER: fn(&Foreign) -> Hostile = Foreign::waker;
}
runtime! { v2_state_bits,
    const ABORT: Option<fn(&Self::Handle)> = Some(Self::Handle::abort);
    const WAKER: fn(&Foreign) -> Hostile = Foreign::waker;
}
runtime! { v3_async_task,
    const ABORT: Option<fn(&Self::Handle)> = Some(Self::Handle::abort);
    // async-task ends the process if a waker panics, so here they only count.
    const WAKER: fn(&Foreign) -> Hostile = |_| Hostile::new();
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Ready,
    Panic,
    Abort,
    Shutdown,
}

/// What a scenario has reached. It runs once, for its own test and for the one that looks at the places of all.
type Scenario = LazyLock<Panics>;

static READY: Scenario = Scenario::new(|| tasks(End::Ready));
static PANIC: Scenario = Scenario::new(|| tasks(End::Panic));
static ABORT: Scenario = Scenario::new(|| tasks(End::Abort));
static SHUTDOWN: Scenario = Scenario::new(|| tasks(End::Shutdown));
static JOIN_SET: Scenario = Scenario::new(|| with_workers(a_join_set));
static BLOCKING: Scenario = Scenario::new(|| with_workers(blocking_functions));
static PERMITS: Scenario = Scenario::new(|| at_every_call(permits));
static CHANNEL: Scenario = Scenario::new(|| at_every_call(a_channel));

/// Of all three versions, unless the version can't abort tasks and they are to be aborted.
fn tasks(end: End) -> Panics {
    let mut panics = of_version::<v1_oneshot::Runtime>(end);
    panics.extend(&of_version::<v2_state_bits::Runtime>(end));
    panics.extend(&of_version::<v3_async_task::Runtime>(end));
    panics
}

fn of_version<R: Runtime>(end: End) -> Panics {
    if end == End::Abort && R::ABORT.is_none() {
        return Panics::default();
    }
    with_workers(|foreign, workers| tasks_end::<R>(foreign, workers, end))
}

/// With one worker and with two.
fn with_workers(scenario: impl Fn(&Foreign, usize)) -> Panics {
    let mut panics = at_every_call(|foreign| scenario(foreign, 1));
    panics.extend(&at_every_call(|foreign| scenario(foreign, 2)));
    panics
}

fn at_every_call(scenario: impl Fn(&Foreign)) -> Panics {
    let mut panics = Panics::default();
    panics.at_every_call(|foreign| within(LIMIT, || scenario(foreign)));
    panics
}

#[test]
fn a_panic_harms_nothing_else_as_tasks_return() {
    LazyLock::force(&READY);
}

#[test]
fn a_panic_harms_nothing_else_as_tasks_panic() {
    LazyLock::force(&PANIC);
}

#[test]
fn a_panic_harms_nothing_else_as_tasks_are_aborted() {
    LazyLock::force(&ABORT);
}

#[test]
fn a_panic_harms_nothing_else_as_tasks_are_shut_down() {
    LazyLock::force(&SHUTDOWN);
}

#[test]
fn a_panic_harms_nothing_else_in_a_join_set() {
    LazyLock::force(&JOIN_SET);
}

#[test]
fn a_panic_harms_nothing_else_beside_blocking_functions() {
    LazyLock::force(&BLOCKING);
}

#[test]
fn a_panic_harms_nothing_else_among_permits() {
    LazyLock::force(&PERMITS);
}

#[test]
fn a_panic_harms_nothing_else_in_a_channel() {
    LazyLock::force(&CHANNEL);
}

#[test]
fn each_place_that_catches_panics_has_caught_one() {
    let mut panics = Panics::default();
    let tasks = [&READY, &PANIC, &ABORT, &SHUTDOWN];
    let others = [&JOIN_SET, &BLOCKING, &PERMITS, &CHANNEL];
    for scenario in tasks.into_iter().chain(others) {
        panics.extend(scenario);
    }
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/", "demo/"]);
}

/// Three tasks end in the same way, and their handles are awaited, dropped before that, and dropped after it.
fn tasks_end<R: Runtime>(foreign: &Foreign, workers: usize, end: End) {
    let runtime = R::start(workers);
    let there = Arc::new(());
    let (ends, handles): (Vec<_>, Vec<_>) = (0..3)
        .map(|_| {
            let (end_it, ended) = oneshot::channel::<()>();
            let output = (foreign.value(), Arc::clone(&there));
            let task = foreign.future(async move {
                let _ = ended.await;
                match end {
                    End::Panic => resume_unwind(Box::new(output)),
                    _ => output,
                }
            });
            (end_it, runtime.spawn(task))
        })
        .unzip();
    let [mut awaited, mut before, mut after] = <[R::Handle; 3]>::try_from(handles).ok().unwrap();
    let wakers: [_; 3] = [&mut awaited, &mut before, &mut after].map(|handle| {
        let (earlier, latest) = (R::WAKER(foreign), R::WAKER(foreign));
        // A task whose first poll panics may be finished by now.
        let is_pending = foreign.waits(handle, &earlier) && foreign.waits(handle, &latest);
        (earlier, latest, is_pending)
    });
    if let (End::Abort, Some(abort)) = (end, R::ABORT) {
        [&awaited, &before, &after].into_iter().for_each(abort);
    }
    drop(before);
    let runtime = match end {
        End::Shutdown => {
            drop(runtime);
            None
        }
        _ => Some(runtime),
    };
    // An aborted task may still be in its first poll, in which it must not find that it can be ready.
    let (sent, _kept) = match end {
        End::Abort => (Vec::new(), ends),
        _ => (ends, Vec::new()),
    };
    for end in sent {
        let _ = end.send(());
    }
    for index in [0, 2] {
        let (_, latest, is_pending) = &wakers[index];
        // Without a worker that ends the task, this never comes.
        wait_until(|| !is_pending || latest.wakes() == 1);
    }
    drop(after);
    if wakers[0].2 {
        let result = loop {
            // In version 1, a poll panics if it drops the waker of an earlier one and that panics.
            let awaits = || block_on(watch(foreign.to_string(), &mut awaited));
            if let Some(result) = foreign.on_its_own(awaits) {
                break result;
            }
        };
        assert!(result.is_ok() == (end == End::Ready) || foreign.has_panicked());
        foreign.on_its_own(|| drop(result));
    }
    drop(awaited);
    if let Some(runtime) = runtime {
        all_work(foreign, &runtime, workers);
    }
    assert_eq!(Arc::strong_count(&there), 1, "an output was kept");
    for (earlier, latest, _) in &wakers {
        assert_eq!((earlier.live(), latest.live()), (0, 0), "a waker was kept");
    }
}

/// Each worker runs one of these tasks, which wait for each other. Then the runtime ends.
fn all_work<R: Runtime>(foreign: &Foreign, runtime: &R, workers: usize) {
    let barrier = Arc::new(Barrier::new(workers));
    let tasks: Vec<_> = (0..workers)
        .map(|_| {
            let (barrier, foreign) = (Arc::clone(&barrier), foreign.clone());
            runtime.spawn(async move {
                barrier.wait();
                (foreign.value(), Arc::new(()))
            })
        })
        .collect();
    for task in tasks {
        let output = block_on(watch(foreign.to_string(), task)).unwrap();
        foreign.on_its_own(|| drop(output));
    }
}

/// A set of three tasks is dropped after the first result.
fn a_join_set(foreign: &Foreign, workers: usize) {
    let runtime = v2_state_bits::Runtime::new(workers);
    let there = Arc::new(());
    let entered = runtime.handle();
    let mut set = JoinSet::new();
    let (ends, tasks): (Vec<_>, Vec<_>) = (0..3)
        .map(|_| {
            let (end_it, ended) = oneshot::channel::<()>();
            let output = (foreign.value(), Arc::clone(&there));
            let task = async move {
                let _ = ended.await;
                output
            };
            (end_it, foreign.future(task))
        })
        .unzip();
    // The set spawns on the runtime of this thread.
    runtime.block_on(async {
        for task in tasks {
            set.spawn(task);
        }
    });
    drop(entered);
    // This one only counts: `FuturesUnordered` keeps no waker any more once the clone of one has panicked.
    let waker = Hostile::new();
    let is_pending = foreign.waits(&mut Box::pin(set.join_next()), &waker);
    for end in ends {
        let _ = end.send(());
    }
    wait_until(|| !is_pending || waker.wakes() > 0);
    if is_pending {
        let first = block_on(watch(foreign.to_string(), set.join_next()));
        foreign.on_its_own(|| drop(first));
    }
    foreign.on_its_own(|| drop(set));
    all_work(foreign, &runtime, workers);
    drop(runtime);
    assert_eq!(Arc::strong_count(&there), 1, "an output was kept");
}

/// Of two functions one is awaited and one is not. Then a third one finds a thread.
fn blocking_functions(foreign: &Foreign, workers: usize) {
    let runtime = v2_state_bits::Runtime::new(workers);
    let function = || {
        let foreign = foreign.clone();
        runtime.handle().spawn_blocking(move || {
            foreign.call("a function that blocks");
            foreign.value()
        })
    };
    let (mut awaited, dropped) = (function(), function());
    let hostile = foreign.waker();
    let is_pending = foreign.waits(&mut awaited, &hostile);
    drop(dropped);
    wait_until(|| !is_pending || hostile.wakes() == 1);
    drop(awaited);
    let third = block_on(watch(foreign.to_string(), function()));
    foreign.on_its_own(|| drop(third));
    all_work(foreign, &runtime, workers);
    drop(runtime);
    assert_eq!(hostile.live(), 0, "a waker was kept");
}

/// Five futures wait for permits. One leaves, one leaves with a permit that it was handed, and three are handed one at once.
fn permits(foreign: &Foreign) {
    let semaphore = Semaphore::new(0);
    let mut waiting: Vec<_> = (0..5)
        .map(|_| {
            let (mut acquire, hostile) = (semaphore.acquire(), foreign.waker());
            assert!(foreign.waits(&mut acquire, &foreign.waker()));
            assert!(foreign.waits(&mut acquire, &hostile));
            (acquire, hostile)
        })
        .collect();
    let (leaves, _) = waiting.remove(0);
    foreign.on_its_own(|| drop(leaves));
    semaphore.add_permits(1);
    let (leaves_with_a_permit, hostile) = waiting.remove(0);
    assert_eq!(hostile.wakes(), 1);
    drop(leaves_with_a_permit);
    assert_eq!(waiting[0].1.wakes(), 1);
    semaphore.add_permits(2);
    for (acquire, hostile) in &mut waiting {
        assert_eq!(hostile.wakes(), 1);
        assert!(probe::poll(acquire, Waker::noop()).is_ready());
        assert_eq!(hostile.live(), 0, "a waker was kept");
    }
    assert_eq!(semaphore.available(), 3);
}

/// Two senders wait for a slot, and the receiver is dropped, with a value in the channel.
fn a_channel(foreign: &Foreign) {
    let (sender, receiver) = channel(1);
    assert!(block_on(sender.send(foreign.value())).is_ok());
    let mut waiting: Vec<_> = (0..2)
        .map(|_| {
            let sender = sender.clone();
            let value = foreign.value();
            let mut send = Box::pin(async move {
                let sent = sender.send(value).await;
                // A value that comes back is the sender's own.
                assert!(sent.is_err());
                drop(sent);
            });
            let hostile = foreign.waker();
            (foreign.poll(&mut send, &hostile), send, hostile)
        })
        .collect();
    foreign.on_its_own(|| drop(receiver));
    // One whose poll has panicked is over.
    waiting.retain(|(polled, ..)| polled.is_some_and(|answer| answer.is_pending()));
    // Before any of them is polled, because a sender that ends gives a slot to the next one, and wakes it.
    for (_, _, hostile) in &waiting {
        assert_eq!(hostile.wakes(), 1);
    }
    for (_, send, _) in &mut waiting {
        foreign.on_its_own(|| assert!(probe::poll(send, Waker::noop()).is_ready()));
    }
    drop(waiting);
}
