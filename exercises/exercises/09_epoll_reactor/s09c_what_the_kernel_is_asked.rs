//! s09c · predict · 12 minutes · chapter 09, "Epoll and the reactor"
//!
//! Here are five runs of the stage's own runtime, which sleeps in a kernel that counts what it is asked. That kernel is in
//! `given/s09c_what_the_kernel_is_asked.rs`. Read each run and write down what you expect, `Some(…)` in place of `None`.
//! Then run it and compare.
//!
//! Run: `cargo test --bin s09c_what_the_kernel_is_asked`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and how you can find out why. It does not give the answer.

#[path = "../../given/s09c_what_the_kernel_is_asked.rs"]
mod given;

use futures::{
    StreamExt,
    channel::{mpsc::unbounded, oneshot},
    join,
};
use given::*;
use std::{cell::Cell, future::poll_fn, net::UdpSocket, task::Poll};
use step09_epoll_reactor::{Direction, Reactor, Runtime, spawn};

// TODO: write `Some(…)` in place of each `None` before you run it.

/// Run 1: how many times does a wake call `notify`?
const NOTIFIES_FROM_ITS_OWN_THREAD: Option<usize> = None;
/// Run 2: how many times does the executor call `wait`?
const WAITS_OF_A_BUSY_TASK: Option<usize> = None;
/// Run 3: how many times does a wake call `notify`?
const NOTIFIES_FROM_OUTSIDE: Option<usize> = None;
/// Run 4: how many times does the task try to read?
const TRIES_FOR_THREE_READS: Option<usize> = None;
/// Run 4: how many times is the socket armed?
const ARMED_FOR_THREE_READS: Option<usize> = None;
/// Run 5: how many times is the socket armed?
const ARMED_FOR_BOTH_DIRECTIONS: Option<usize> = None;

/// A runtime on this kernel.
fn runtime(kernel: &Kernel) -> Runtime {
    Runtime::with_reactor(Reactor::new(kernel.clone()))
}

/// Run 1: two tasks send a hundred messages to each other, and each message wakes the other task.
fn ping_pong(kernel: &Kernel) {
    let (to_a, mut of_a) = unbounded();
    let (to_b, mut of_b) = unbounded();
    runtime(kernel).block_on(async {
        let echo = spawn(async move {
            while let Some(n) = of_b.next().await {
                to_a.unbounded_send(n).unwrap();
            }
        });
        for n in 0..50 {
            to_b.unbounded_send(n).unwrap();
            of_a.next().await;
        }
        drop(to_b);
        echo.await.unwrap();
    });
}

/// Run 2: a task that wakes itself in each of its first 610 polls, and is ready in the next.
fn busy(kernel: &Kernel) {
    let mut polls = 0;
    runtime(kernel).block_on(poll_fn(|cx| {
        polls += 1;
        cx.waker().wake_by_ref();
        if polls > 610 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }));
}

/// Run 3: three tasks wait, and while the executor sleeps, another thread wakes all three.
fn from_outside(kernel: &Kernel) {
    runtime(kernel).block_on(async {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel()).unzip();
        let tasks: Vec<_> = receivers.into_iter().map(spawn).collect();
        *kernel.0.outside.lock().unwrap() = senders;
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    });
}

/// Run 4: a task reads three times from one socket. Each time, nothing has arrived at first, and something has when the
/// kernel reports it. Returns how many times it tried to read.
fn three_reads(kernel: &Kernel) -> usize {
    let tries = Cell::new(0);
    runtime(kernel).block_on(async {
        let socket = kernel.socket();
        for _ in 0..3 {
            let mut read = ready_at_the_second_try();
            let mut counted = |io: &UdpSocket| {
                tries.set(tries.get() + 1);
                read(io)
            };
            let done = poll_fn(|cx| socket.poll_io(Direction::Read, cx, &mut counted));
            done.await.unwrap();
        }
    });
    tries.get()
}

/// Run 5: a task waits until it can read from a socket, and at the same time until it can write to it. First the
/// kernel reports that it can read, and in the next `wait` that it can write.
fn both_directions(kernel: &Kernel) {
    runtime(kernel).block_on(async {
        let socket = kernel.socket();
        let (mut read, mut write) = (ready_at_the_second_try(), ready_at_the_second_try());
        let (read, written) = join!(
            poll_fn(|cx| socket.poll_io(Direction::Read, cx, &mut read)),
            poll_fn(|cx| socket.poll_io(Direction::Write, cx, &mut write)),
        );
        read.and(written).unwrap();
    });
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09c_what_the_kernel_is_asked.rs"]
mod tests;
