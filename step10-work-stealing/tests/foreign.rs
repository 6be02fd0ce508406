//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every
//! other task ends, and neither a worker nor the driver is lost, be there two workers or only one. `hostile.rs` has two of them
//! panic, and says what the handle returns then.
#![cfg(not(miri))]

use std::{
    net::UdpSocket,
    panic::resume_unwind,
    sync::{
        Arc, Barrier, LazyLock,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures::{FutureExt, channel::oneshot, executor::block_on};
use probe::{
    foreign::{Foreign, Panics, Value},
    hostile::Hostile,
    wait_until, watch, within,
};
use step10_work_stealing::{
    Direction, Handle, JoinHandle, Park, Parker, Registered, Runtime, Version, time::Sleep,
};

const LIMIT: Duration = Duration::from_secs(20);

/// Long enough to be waited for, and short.
const SOON: Duration = Duration::from_millis(2);

/// How many of each kind there are in a scenario, so that whichever panics, there are others.
const EACH: usize = 3;

/// What a scenario has reached. It runs once, for its own test and for the one that looks at the places of all.
type Scenario = LazyLock<Panics>;

static READY: Scenario = Scenario::new(|| tasks(End::Ready));
static PANIC: Scenario = Scenario::new(|| tasks(End::Panic));
static ABORT: Scenario = Scenario::new(|| tasks(End::Abort));
static SHUTDOWN: Scenario = Scenario::new(|| tasks(End::Shutdown));
static TIMERS_AND_SOCKETS: Scenario = Scenario::new(|| at_every_call(timers_and_sockets));
static DRIVER: Scenario = Scenario::new(|| at_every_call(a_driver));

fn tasks(end: End) -> Panics {
    at_every_call(|foreign, workers| tasks_end(foreign, workers, end))
}

/// With one worker and with two.
fn at_every_call(scenario: impl Fn(&Foreign, usize)) -> Panics {
    let mut panics = Panics::default();
    for workers in [1, 2] {
        panics.at_every_call(|foreign| within(LIMIT, || scenario(foreign, workers)));
    }
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
fn a_panic_harms_nothing_else_as_timers_and_sockets_are_ready() {
    LazyLock::force(&TIMERS_AND_SOCKETS);
}

#[test]
fn a_panic_of_a_driver_harms_nothing_else() {
    LazyLock::force(&DRIVER);
}

#[test]
fn each_place_that_catches_panics_has_caught_one() {
    let mut panics = Panics::default();
    for scenario in [
        &READY,
        &PANIC,
        &ABORT,
        &SHUTDOWN,
        &TIMERS_AND_SOCKETS,
        &DRIVER,
    ] {
        panics.extend(scenario);
    }
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["demo/"]);
}

/// What a task returns or what its panic carries, and a count of those that are there.
type Output = (Value, Arc<()>);

#[derive(Clone, Copy, PartialEq)]
enum End {
    Ready,
    Panic,
    Abort,
    Shutdown,
}

/// Three tasks end in the same way, and their handles are awaited, dropped before that, and dropped after it.
fn tasks_end(foreign: &Foreign, workers: usize, end: End) {
    let runtime = Runtime::new(workers);
    let there = Arc::new(());
    let (ends, handles): (Vec<_>, Vec<_>) = (0..EACH)
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
    let [mut awaited, mut before, mut after]: [JoinHandle<Output>; EACH] =
        handles.try_into().expect("that many");
    let wakers = [&mut awaited, &mut before, &mut after].map(|handle| {
        let (earlier, latest) = (foreign.waker(), foreign.waker());
        // One whose future has panicked is ready at once.
        let mut is_pending = waits(foreign, &earlier, |cx| handle.poll_unpin(cx));
        if is_pending {
            is_pending = waits(foreign, &latest, |cx| handle.poll_unpin(cx));
        }
        (earlier, latest, is_pending)
    });
    if end == End::Abort {
        for handle in [&awaited, &before, &after] {
            handle.abort();
        }
    }
    drop(before);
    let runtime = match end {
        End::Shutdown => {
            drop(runtime);
            None
        }
        _ => Some(runtime),
    };
    for end in ends {
        let _ = end.send(()); // an error, if the task is gone
    }
    for (_, latest, is_pending) in [&wakers[0], &wakers[2]] {
        wait_until(|| !is_pending || latest.wakes() == 1);
    }
    drop(after);
    if wakers[0].2 {
        let result = block_on(watch(foreign.to_string(), &mut awaited));
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

/// Timers and sockets that are ready at once, some that are dropped while they wait, and some that still wait at the end.
fn timers_and_sockets(foreign: &Foreign, workers: usize) {
    let runtime = Runtime::new(workers);
    let handle = runtime.handle();
    let [soon, dropped, late] =
        [SOON, 100 * SOON, 10_000 * SOON].map(|time| timers(foreign, &handle, time));
    let [ready, left, silent] = [(); 3].map(|()| sockets(foreign, &handle));
    for socket in &ready {
        socket.gets_data();
    }
    for (timer, _) in dropped {
        foreign.on_its_own(|| drop(timer));
    }
    for socket in left {
        let Socket { socket, .. } = socket;
        drop(socket); // contained: its owner need not be the one that polled it
    }
    for (_, hostile) in &soon {
        wait_until(|| hostile.wakes() > 0);
    }
    for socket in &ready {
        wait_until(|| socket.hostile.wakes() > 0);
    }
    all_work(foreign, &runtime, workers);
    drop(runtime);
    let still_waited = late.iter().map(|(_, hostile)| hostile);
    let wakers: Vec<_> = still_waited
        .chain(silent.iter().map(|socket| &socket.hostile))
        .collect();
    for hostile in wakers {
        assert_eq!(hostile.wakes(), 1, "it waits for a runtime that is gone");
    }
}

/// Timers of the same time, each of which has been polled with two wakers, the later of which is returned.
fn timers(foreign: &Foreign, handle: &Handle, time: Duration) -> Vec<(Sleep, Hostile)> {
    let timer = |_| {
        let (mut sleep, hostile) = (handle.sleep(time), foreign.waker());
        waits(foreign, &foreign.waker(), |cx| sleep.poll_unpin(cx));
        let is_pending = waits(foreign, &hostile, |cx| sleep.poll_unpin(cx));
        if !is_pending {
            // The machine was too slow. There is nothing to be woken for.
            hostile.waker().wake();
        }
        (sleep, hostile)
    };
    (0..EACH).map(timer).collect()
}

struct Socket {
    socket: Registered<UdpSocket>,
    hostile: Hostile,
}

/// Sockets without data, each of which has been polled with two wakers.
fn sockets(foreign: &Foreign, handle: &Handle) -> Vec<Socket> {
    let socket = |_| {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        let socket = handle.register(socket).unwrap();
        let hostile = foreign.waker();
        for hostile in [&foreign.waker(), &hostile] {
            let is_pending = waits(foreign, hostile, |cx| {
                socket.poll_io(Direction::Read, cx, |socket| {
                    foreign.call("an operation on a socket");
                    socket.recv(&mut [0])
                })
            });
            assert!(is_pending);
        }
        Socket { socket, hostile }
    };
    (0..EACH).map(socket).collect()
}

impl Socket {
    fn gets_data(&self) {
        let socket = self.socket.get_ref();
        socket.send_to(b"x", socket.local_addr().unwrap()).unwrap();
    }
}

/// Sleeps as a parker does, and is foreign: its first sleeps are calls that may panic.
struct ForeignPark {
    foreign: Foreign,
    parker: Parker,
    parked: AtomicUsize,
}

impl Park for ForeignPark {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        self.parker.park(timeout, due);
        if self.parked.fetch_add(1, SeqCst) < EACH {
            self.foreign.call("the sleep of a driver");
        }
    }

    fn unpark(&self) {
        self.parker.unpark();
    }
}

fn a_driver(foreign: &Foreign, workers: usize) {
    let park = ForeignPark {
        foreign: foreign.clone(),
        parker: Parker::default(),
        parked: AtomicUsize::new(0),
    };
    let runtime = Runtime::with_park(workers, Version::default(), park);
    for _ in 0..EACH {
        block_on(watch(foreign.to_string(), runtime.handle().sleep(SOON)));
    }
    all_work(foreign, &runtime, workers);
}

/// Polls until that does not panic. Says whether the future is pending.
fn waits<T>(
    foreign: &Foreign,
    hostile: &Hostile,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> bool {
    loop {
        let polled = foreign.on_its_own(|| {
            let waker = hostile.waker();
            let answer = poll(&mut Context::from_waker(&waker));
            let is_pending = answer.is_pending();
            foreign.on_its_own(|| drop(answer));
            is_pending
        });
        if let Some(is_pending) = polled {
            return is_pending;
        }
    }
}

/// Each worker runs one of these tasks, which wait for each other, and a timer ends.
fn all_work(foreign: &Foreign, runtime: &Runtime, workers: usize) {
    let barrier = Arc::new(Barrier::new(workers));
    let tasks: Vec<_> = (0..workers)
        .map(|_| {
            let barrier = Arc::clone(&barrier);
            runtime.spawn(async move {
                barrier.wait();
            })
        })
        .collect();
    for task in tasks {
        block_on(watch(foreign.to_string(), task)).unwrap();
    }
    block_on(watch(foreign.to_string(), runtime.handle().sleep(SOON)));
}
