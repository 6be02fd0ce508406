//! What this stage prints goes to a writer that it does not control, which may use the very thing that is printed, or panic.

use std::{
    fmt::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures::executor::block_on;
use probe::{hostile::elsewhere, within};
use step08_join_handle::{
    Queue, Runtime,
    channel::channel,
    semaphore::{Permit, Semaphore},
    v1_oneshot, v3_async_task,
};

const LIMIT: Duration = Duration::from_secs(if cfg!(miri) { 60 } else { 10 });

/// Does something of its own each time that it is written to.
struct Acts<F>(F);

impl<F: FnMut()> Write for Acts<F> {
    fn write_str(&mut self, _text: &str) -> fmt::Result {
        (self.0)();
        Ok(())
    }
}

/// Prints a thing to a writer that uses it on another thread, and then to writers that panic, each at a later moment.
fn print(print: impl Fn(&mut dyn Write) -> fmt::Result, uses: impl Fn() + Sync) {
    print(&mut Acts(|| elsewhere(&uses))).unwrap();
    // A runtime is printed in many pieces, each with a task or two, and Miri is slow.
    let step = if cfg!(miri) { 5 } else { 1 };
    for quiet in (0..).step_by(step) {
        let mut writes = 0;
        let mut panics = Acts(|| {
            assert!(writes < quiet, "this panic belongs to the test");
            writes += 1;
        });
        let printed = catch_unwind(AssertUnwindSafe(|| print(&mut panics)));
        uses();
        if printed.is_ok() {
            assert!(quiet > 0, "nothing was written");
            return;
        }
        assert_eq!(writes, quiet, "it was not the writer that panicked");
    }
}

#[test]
fn a_queue() {
    within(LIMIT, || {
        let queue = Queue::new();
        let uses = || {
            queue.push(7);
            assert_eq!(queue.try_pop(), Some(7));
        };
        print(|out| write!(out, "{queue:?}"), uses);
    });
}

#[test]
fn a_runtime_and_its_handle() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handle = runtime.handle();
        let uses = || {
            assert_eq!(block_on(handle.spawn(async { 7 })).unwrap(), 7);
            assert_eq!(block_on(handle.spawn_blocking(|| 8)).unwrap(), 8);
        };
        print(|out| write!(out, "{runtime:?}"), uses);
        print(|out| write!(out, "{handle:?}"), uses);
        runtime.shutdown();
    });
}

#[test]
fn a_runtime_of_version_1() {
    within(LIMIT, || {
        let runtime = v1_oneshot::Runtime::new(1);
        let uses = || assert_eq!(block_on(runtime.spawn(async { 7 })).unwrap(), 7);
        print(|out| write!(out, "{runtime:?}"), uses);
        // This needs the lock of the threads, which no other method does.
        drop(runtime);
    });
}

#[test]
fn a_runtime_of_version_3() {
    within(LIMIT, || {
        let runtime = v3_async_task::Runtime::new(1);
        let uses = || assert_eq!(block_on(runtime.spawn(async { 7 })).unwrap(), 7);
        print(|out| write!(out, "{runtime:?}"), uses);
        drop(runtime);
    });
}

#[test]
fn a_join_error() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let error = block_on(runtime.spawn(async { panic!("no answer") })).unwrap_err();
        let uses = || assert_eq!(error.to_string(), "the task panicked: no answer");
        print(|out| write!(out, "{error}"), uses);
        print(|out| write!(out, "{error:?}"), uses);
        let payload = error.into_panic();
        assert_eq!(*payload.downcast::<&str>().unwrap(), "no answer");
    });
}

fn now<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_semaphore_a_future_in_its_queue_and_a_permit() {
    within(LIMIT, || {
        let semaphore = Semaphore::new(1);
        let permit: Permit = block_on(semaphore.acquire());
        let mut waiting = semaphore.acquire();
        assert!(now(pin!(&mut waiting)).is_pending());
        assert_eq!(format!("{semaphore:?}"), "Semaphore(0 free, 1 waiting)");
        let uses = || assert_eq!(semaphore.available(), 0);
        print(|out| write!(out, "{semaphore:?}"), uses);
        print(|out| write!(out, "{waiting:?}"), uses);
        print(|out| write!(out, "{permit:?}"), uses);
        drop(permit);
        assert!(now(pin!(waiting)).is_ready());
    });
}

/// A value that cannot be printed.
struct Secret;

#[test]
fn both_ends_of_a_channel_without_its_values() {
    within(LIMIT, || {
        let (sender, mut receiver) = channel(100);
        assert!(now(pin!(sender.send(Secret))).is_ready());
        let ends = format!("{sender:?} {receiver:?}");
        assert_eq!(ends, "Sender(1 values) Receiver(1 values)");
        let uses = || {
            assert!(matches!(
                now(pin!(sender.send(Secret))),
                Poll::Ready(Ok(()))
            ))
        };
        print(|out| write!(out, "{sender:?}"), uses);
        print(|out| write!(out, "{receiver:?}"), uses);
        assert!(matches!(
            now(pin!(receiver.recv())),
            Poll::Ready(Some(Secret))
        ));
        drop(receiver);
        assert_eq!(format!("{sender:?}"), "Sender(0 values)");
        assert!(matches!(
            now(pin!(sender.send(Secret))),
            Poll::Ready(Err(_))
        ));
    });
}
