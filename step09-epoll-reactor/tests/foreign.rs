//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every
//! other task ends, and the executor goes on.

use std::{panic::resume_unwind, sync::Arc, task::Waker, thread, time::Duration};

use futures::channel::oneshot;
use probe::foreign::{Foreign, Panics};
use properties::foreign::at_every_call;
use step09_epoll_reactor::{Parker, Runtime, sleep};

const HOUR: Duration = Duration::from_secs(3_600);
const MILLISECOND: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, PartialEq)]
enum End {
    Ready,
    Panic,
    Shutdown,
}

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    for end in [End::Ready, End::Panic, End::Shutdown] {
        at_every_call(&mut panics, |foreign| tasks_end(foreign, end));
    }
    at_every_call(&mut panics, timers);
    at_every_call(&mut panics, the_runtime_is_dropped);
    #[cfg(not(miri))]
    at_every_call(&mut panics, sockets);
    at_every_call(&mut panics, completed_reads);
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["demo/"]);
}

fn runtime() -> Runtime {
    Runtime::with_park(Parker::default())
}

/// Three tasks end in the same way, and their handles are awaited, dropped before that, and dropped after it.
fn tasks_end(foreign: &Foreign, end: End) {
    let mut runtime = runtime();
    let there = Arc::new(());
    let mut tasks: Vec<_> = (0..3)
        .map(|_| {
            let (end_it, ended) = oneshot::channel::<()>();
            let output = (foreign.value(), Arc::clone(&there));
            let mut handle = runtime.spawn(foreign.future(async move {
                let _ = ended.await;
                match end {
                    End::Panic => resume_unwind(Box::new(output)),
                    _ => output,
                }
            }));
            let hostile = foreign.waker();
            assert!(foreign.waits(&mut handle, &hostile));
            (end_it, Some(handle), hostile)
        })
        .collect();
    let dropped_before = tasks[1].1.take();
    foreign.on_its_own(|| drop(dropped_before));
    if end == End::Shutdown {
        drop(runtime);
    } else {
        for (end_it, ..) in &mut tasks {
            let (never, _) = oneshot::channel();
            let _ = std::mem::replace(end_it, never).send(());
        }
        // It is polled after the three.
        let last = runtime.spawn(async {});
        assert!(runtime.block_on(last).is_ok());
    }
    for index in [0, 2] {
        assert_eq!(tasks[index].2.wakes(), 1);
    }
    let awaited = tasks[0].1.as_mut().unwrap();
    assert!(!foreign.waits(awaited, &foreign.waker()));
    for (_, handle, hostile) in tasks {
        foreign.on_its_own(|| drop(handle));
        assert_eq!(hostile.live(), 0, "a waker was kept");
    }
    assert_eq!(Arc::strong_count(&there), 1, "an output was kept");
}

/// Three timers are due at once.
fn timers(foreign: &Foreign) {
    let mut runtime = runtime();
    let handle = runtime.handle();
    let waiting = [(); 3].map(|()| {
        let (mut sleep, hostile) = (handle.sleep(Duration::from_millis(5)), foreign.waker());
        let is_pending = foreign.waits(&mut sleep, &hostile);
        (sleep, hostile, is_pending)
    });
    thread::sleep(Duration::from_millis(6));
    runtime.block_on(async {
        // On a busy machine, one `sleep` may be over at its first poll, before the executor has looked for what is due.
        while waiting
            .iter()
            .any(|(_, hostile, is_pending)| *is_pending && hostile.wakes() == 0)
        {
            sleep(MILLISECOND).await;
        }
    });
    for (_, hostile, is_pending) in &waiting {
        assert_eq!(hostile.wakes(), usize::from(*is_pending));
        assert_eq!(hostile.live(), 0, "a waker was kept");
    }
}

/// Timers that are not due are woken by the end of the runtime.
fn the_runtime_is_dropped(foreign: &Foreign) {
    let runtime = runtime();
    let waiting = [(); 3].map(|()| {
        let (mut sleep, hostile) = (runtime.handle().sleep(HOUR), foreign.waker());
        assert!(foreign.waits(&mut sleep, &hostile));
        (sleep, hostile)
    });
    drop(runtime);
    for (_, hostile) in &waiting {
        assert_eq!((hostile.wakes(), hostile.live()), (1, 0));
    }
}

/// Of three sockets one is dropped, whose waker is, too.
#[cfg(not(miri))]
fn sockets(foreign: &Foreign) {
    use std::{
        io::{Read, Write},
        net::{TcpListener, TcpStream},
        task::Context,
    };
    use step09_epoll_reactor::Registered;

    let mut runtime = Runtime::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut sockets: Vec<_> = (0..3)
        .map(|_| {
            let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            ours.set_nonblocking(true).unwrap();
            let (peer, _) = listener.accept().unwrap();
            let (ours, hostile) = (runtime.handle().register(ours).unwrap(), foreign.waker());
            let reads = |ours: &Registered<TcpStream>| {
                let mut buffer = [0; 8];
                let mut read =
                    std::future::poll_fn(|cx: &mut Context<'_>| ours.poll_read(cx, &mut buffer));
                foreign.waits(&mut read, &hostile)
            };
            assert!(reads(&ours));
            (ours, peer, hostile)
        })
        .collect();
    let (ours, mut peer, hostile) = sockets.remove(0);
    drop(ours);
    assert_eq!(hostile.live(), 0, "a waker was kept");
    assert_eq!(peer.read(&mut [0; 8]).unwrap(), 0, "it was not closed");
    for (_, peer, _) in &mut sockets {
        peer.write_all(b"39").unwrap();
    }
    runtime.block_on(async {
        while sockets.iter().any(|(_, _, hostile)| hostile.wakes() == 0) {
            sleep(MILLISECOND).await;
        }
    });
    drop(runtime);
}

/// The kernel's thread goes on after the waker of a read has panicked.
fn completed_reads(foreign: &Foreign) {
    use super::completion::ring::Ring;

    let ring = Ring::new().unwrap();
    let mut reads: Vec<_> = (0..2)
        .map(|_| {
            let (mut read, hostile) = (ring.read(vec![0; 5]), foreign.waker());
            assert!(foreign.waits(&mut read, &hostile));
            (read, hostile)
        })
        .collect();
    ring.arrive(b"helloworld");
    for (read, hostile) in &mut reads {
        assert_eq!(hostile.wakes(), 1);
        assert!(probe::poll(read, Waker::noop()).is_ready());
    }
}
