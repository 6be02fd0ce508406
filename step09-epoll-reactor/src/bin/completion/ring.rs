//! Reads by completion, from a kernel of our own, which is a thread.
//!
//! A read is handed over together with its buffer. Between two polls the buffer belongs to the ring, whatever becomes of the
//! future.

use std::{
    future::Future,
    io, mem,
    pin::Pin,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    task::{Context, Poll},
    thread::{self, JoinHandle},
};

use super::kernel::{Lifecycle, Operation, Operations, Submission, kernel};

/// A kernel that carries out reads, and the buffers of those that are under way.
///
/// Dropping it cancels these reads and waits for the kernel's answer. Only then are their buffers freed.
// ANCHOR: struct
#[derive(Debug)]
pub struct Ring {
    /// The way to the kernel. `None`: the ring is being dropped.
    submissions: Option<Sender<Submission>>,
    operations: Arc<Operations>,
    kernel: Option<JoinHandle<()>>,
}
// ANCHOR_END: struct

impl Ring {
    /// Starts the kernel. It ends when the ring is dropped.
    ///
    /// # Errors
    ///
    /// If the system has no thread left.
    pub fn new() -> io::Result<Ring> {
        let (submissions, received) = mpsc::channel();
        let operations = Arc::new(Operations::default());
        let shared = Arc::clone(&operations);
        let thread = thread::Builder::new().name("kernel".into());
        let kernel = thread.spawn(move || kernel(&received, &shared))?;
        Ok(Ring {
            submissions: Some(submissions),
            operations,
            kernel: Some(kernel),
        })
    }

    /// Reads the bytes that arrive next. Returns how many there are, and the buffer with them.
    ///
    /// The read is handed over at the first poll. It is *not* cancel safe: if it is dropped after that, the kernel still
    /// carries it out, and the bytes are lost with the buffer.
    pub fn read(&self, buffer: Vec<u8>) -> Read<'_> {
        Read {
            ring: self,
            state: State::New(buffer),
        }
    }

    /// Plays the peer: these bytes arrive. Returns when the kernel has handled them.
    pub fn arrive(&self, bytes: &[u8]) {
        let (handled, wait) = mpsc::sync_channel(0);
        self.submit(Submission::Arrived(bytes.to_vec(), handled));
        let _ = wait.recv(); // an error: the kernel has dropped the sender, which is what this waits for
    }

    /// How many buffers the ring owns.
    pub fn buffers(&self) -> usize {
        self.operations.lock().len()
    }

    fn submit(&self, submission: Submission) {
        if let Some(submissions) = &self.submissions {
            let _ = submissions.send(submission); // the kernel lives as long as the ring
        }
    }
}

// ANCHOR: close
impl Drop for Ring {
    fn drop(&mut self) {
        self.submissions = None; // cancels all operations
        // Until the kernel has answered, it may still write. If a task's waker drops the ring on
        // the kernel's own thread, that thread writes no more.
        let kernel = self.kernel.take();
        if let Some(kernel) = kernel.filter(|handle| handle.thread().id() != thread::current().id())
        {
            let _ = kernel.join();
        }
    }
}
// ANCHOR_END: close

/// A read that [`Ring::read`] has begun.
#[derive(Debug)]
pub struct Read<'r> {
    ring: &'r Ring,
    state: State,
}

#[derive(Debug)]
enum State {
    New(Vec<u8>),
    Submitted(usize),
    Done,
}

impl Future for Read<'_> {
    type Output = (usize, Vec<u8>);

    /// # Panics
    ///
    /// If it has been ready before.
    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // The waker is cloned before the lock is taken, because we do not control `clone`.
        let lifecycle = Lifecycle::Waiting(cx.waker().clone());
        let ring = self.ring;
        let number = match &mut self.state {
            State::New(buffer) => {
                let buffer = mem::take(buffer);
                let operation = Operation { buffer, lifecycle };
                let number = ring.operations.lock().insert(operation);
                ring.submit(Submission::Read(number));
                self.state = State::Submitted(number);
                return Poll::Pending;
            }
            State::Submitted(number) => *number,
            State::Done => panic!("a read was polled after it was ready"),
        };
        let mut operations = ring.operations.lock();
        if let Lifecycle::Completed(length) = operations[number].lifecycle {
            let buffer = operations.remove(number).buffer;
            self.state = State::Done;
            return Poll::Ready((length, buffer));
        }
        let earlier = mem::replace(&mut operations[number].lifecycle, lifecycle);
        drop(operations);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl Drop for Read<'_> {
    fn drop(&mut self) {
        let State::Submitted(number) = self.state else {
            return;
        };
        let mut operations = self.ring.operations.lock();
        let operation = &mut operations[number];
        let before = mem::replace(&mut operation.lifecycle, Lifecycle::Ignored);
        if let Lifecycle::Completed(_) = before {
            operations.remove(number); // the kernel is done with the buffer
        }
        drop(operations);
        drop(before); // a waker, which we do not control
    }
}
// ANCHOR_END: drop
