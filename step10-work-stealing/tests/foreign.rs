//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every
//! other task ends, and neither a worker nor the driver is lost, be there two workers or only one. `hostile.rs` has two of them
//! panic, and says what the handle returns then.
#![cfg(not(miri))]

use std::{
    future::poll_fn,
    net::UdpSocket,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    task::Waker,
    time::Duration,
};

use futures::executor::block_on;
use probe::{
    foreign::{Foreign, Panics},
    hostile::Hostile,
    wait_until, watch,
};
use properties::foreign::{self, at_every_call};
use step10_work_stealing::{
    Direction, Handle, Park, Parker, Registered, Runtime, Version, time::Sleep,
};

use super::subject::Subject;

/// Long enough to be waited for, and short.
const SOON: Duration = Duration::from_millis(2);

/// How many of each kind there are in a scenario, so that whichever panics, there are others.
const EACH: usize = 3;

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    foreign::tasks::<Subject>(&mut panics);
    for workers in [1, 2] {
        at_every_call(&mut panics, |foreign| timers_and_sockets(foreign, workers));
        at_every_call(&mut panics, |foreign| a_driver(foreign, workers));
    }
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["demo/"]);
}

/// Timers and sockets that are ready at once, some that are dropped while they wait, and some that still wait at the end.
fn timers_and_sockets(foreign: &Foreign, workers: usize) {
    let runtime = Subject(Runtime::new(workers));
    let handle = runtime.0.handle();
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
        foreign.waits(&mut sleep, &foreign.waker());
        let is_pending = foreign.waits(&mut sleep, &hostile);
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
            let mut read = poll_fn(|cx| {
                socket.poll_io(Direction::Read, cx, |socket| {
                    foreign.call("an operation on a socket");
                    socket.recv(&mut [0])
                })
            });
            assert!(foreign.waits(&mut read, hostile));
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
    let runtime = Subject(Runtime::with_park(workers, Version::default(), park));
    for _ in 0..EACH {
        block_on(watch(foreign.to_string(), runtime.0.handle().sleep(SOON)));
    }
    all_work(foreign, &runtime, workers);
}

/// Each worker runs a task, and a timer ends.
fn all_work(foreign: &Foreign, runtime: &Subject, workers: usize) {
    foreign::all_work(foreign, runtime, workers);
    block_on(watch(foreign.to_string(), runtime.0.handle().sleep(SOON)));
}
