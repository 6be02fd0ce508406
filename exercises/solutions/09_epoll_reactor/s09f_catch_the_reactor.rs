//! s09f · prove · 15 minutes · chapter 09, "Epoll and the reactor"
//!
//! Here you write the test. `check` is given what a reactor knows of its sockets, and plays both of its neighbours: the
//! tasks, which poll, and the kernel, which reports. It has to panic if a promise of `Sources` is broken, and to let the
//! good ones pass. Each of the broken ones passes the check below, and one day it would hang a server, or keep a core busy
//! for nothing.
//!
//! Run: `cargo test --bin s09f_catch_the_reactor`, or save this file while `rustlings` runs.
//! Red: a test says which sources your check did not catch, or that it refused the good ones. A check that hangs has not
//! caught them, because it does not say what is broken.

use probe::CountingWaker;
use std::task::{Context, Poll, Waker};

/// The name of a socket in the reports of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
}
use Direction::{Read, Write};

/// The moment at which a task was told to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tick(u64);

/// What a reactor knows of its sockets. It promises:
///
/// 1. A direction of a new socket is not ready until the kernel has reported it. Then it is, and `report` takes out and
///    returns the waker of the latest pending poll since the last report, if any.
/// 2. The two directions of a socket have nothing to do with each other. Each has a readiness and a waker of its own.
/// 3. `clear` ends the readiness, unless there has been a report since the task was told to try, with this tick.
/// 4. A report may come late. The key of a socket that is no longer registered does nothing, also if a new socket has
///    taken its place.
trait Sources {
    fn register(&mut self) -> Key;
    /// Not called twice with one key. No task uses the key after that.
    fn deregister(&mut self, key: Key);
    /// Ready if a task may try to read or to write.
    fn poll_ready(&mut self, key: Key, direction: Direction, cx: &mut Context<'_>) -> Poll<Tick>;
    /// The read or the write would have blocked.
    fn clear(&mut self, key: Key, direction: Direction, tick: Tick);
    /// The kernel reports a direction as ready. Returns the waker that the executor is to call.
    fn report(&mut self, key: Key, direction: Direction) -> Option<Waker>;
}

/// Panics if these sources break a promise.
fn check(sources: &mut dyn Sources) {
    let [reader, later, writer] = [(); 3].map(|()| CountingWaker::new());
    let socket = sources.register();

    // Each direction has a waker of its own, that of the latest poll, and a readiness of its own.
    for task in [&reader, &later] {
        assert!(poll(sources, socket, Read, task).is_pending());
    }
    assert!(poll(sources, socket, Write, &writer).is_pending());
    report(sources, socket, Read);
    assert_eq!((later.wakes(), writer.wakes()), (1, 0), "who is woken");
    assert!(poll(sources, socket, Write, &writer).is_pending());
    report(sources, socket, Write);
    assert_eq!(writer.wakes(), 1, "the writer is woken");

    // A report that comes after a task was told to try.
    let Poll::Ready(tick) = poll(sources, socket, Read, &later) else {
        panic!("reported, and not ready");
    };
    report(sources, socket, Read);
    sources.clear(socket, Read, tick);
    let Poll::Ready(tick) = poll(sources, socket, Read, &later) else {
        panic!("the later report is lost");
    };
    sources.clear(socket, Read, tick);
    assert!(poll(sources, socket, Read, &later).is_pending(), "cleared");

    // A late report of an earlier socket.
    sources.deregister(socket);
    let new = sources.register();
    report(sources, socket, Read);
    assert!(poll(sources, new, Read, &reader).is_pending(), "an old key");
}

/// Polls, in a task that this waker wakes.
fn poll(
    sources: &mut dyn Sources,
    key: Key,
    direction: Direction,
    task: &CountingWaker,
) -> Poll<Tick> {
    sources.poll_ready(key, direction, &mut Context::from_waker(&task.waker()))
}

/// Lets the kernel report, and calls the waker.
fn report(sources: &mut dyn Sources, key: Key, direction: Direction) {
    sources
        .report(key, direction)
        .into_iter()
        .for_each(Waker::wake);
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09f_catch_the_reactor.rs"]
mod tests;
