//! s09g · repair · 20 minutes · chapter 09, "Completion"
//!
//! This driver hands a read over to a kernel that works by completion, with the address of a buffer. From then on the
//! kernel may write to this address at any time, until it calls `completed`. But the buffer is in the future, as it was in
//! foyer (its issue 1286). If a timeout drops the future, the buffer is freed, and then the kernel writes into memory that
//! may belong to other code.
//!
//! Repair it. A buffer that the kernel may write to must not be freed, whatever becomes of the future. When the kernel is
//! done and no future will ask for the buffer, it has to be freed, and its operation removed. Dropping a read must not
//! block. As everywhere, a lock is released before a waker is called or dropped.
//!
//! The kernel is played by `given/s09g_lent_to_the_kernel.rs`, on any system. Once a read is submitted, it may complete it
//! at any moment at which your code holds no lock, even before `submit` has returned, and it reports what it has destroyed.
//! `probe::Mutex` is std's, except that the tests find out when it is released.
//!
//! Run: `cargo test --bin s09g_lent_to_the_kernel`, or save this file while `rustlings` runs.
//! Red: a test says what the kernel wrote to, or which buffers are left.

#[path = "../../given/s09g_lent_to_the_kernel.rs"]
mod given;

use given::{Buffer, Kernel};
use std::{
    collections::BTreeMap,
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// Submits reads to the kernel, and knows what has become of each.
#[derive(Default)]
struct Driver {
    kernel: Kernel,
    /// The reads that were submitted, by their numbers, until a poll has returned their results.
    operations: probe::Mutex<BTreeMap<usize, Operation>>,
}

enum Operation {
    /// The kernel has not done it yet, and this task waits for it.
    Waiting(Waker),
    /// The kernel has written so many bytes.
    Completed(usize),
}

impl Driver {
    /// Returns a future that reads into this buffer. It is ready with the number of bytes, and gives the buffer back.
    fn read(self: &Arc<Self>, buffer: Buffer) -> Read {
        Read {
            driver: Arc::clone(self),
            buffer: Some(buffer),
            number: None,
        }
    }

    /// Called by the kernel's thread, which keeps the driver alive, when the kernel has written so many bytes for this
    /// read. It does not use the address after that.
    fn completed(&self, number: usize, length: usize) {
        let mut operations = self.operations.lock().unwrap();
        let before = operations.insert(number, Operation::Completed(length));
        drop(operations);
        if let Some(Operation::Waiting(waker)) = before {
            waker.wake();
        }
    }
}

struct Read {
    driver: Arc<Driver>,
    buffer: Option<Buffer>,
    /// `None`: it has not been submitted, or a poll has returned its result.
    number: Option<usize>,
}

impl Future for Read {
    type Output = (usize, Buffer);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(usize, Buffer)> {
        // Before the lock is taken, since the clone of a waker is code that we do not control.
        let waiting = Operation::Waiting(cx.waker().clone());
        let driver = Arc::clone(&self.driver);
        let mut operations = driver.operations.lock().unwrap();
        let Some(number) = self.number else {
            let buffer = self.buffer.as_ref().expect("there is a buffer");
            // Under the lock, so that `completed` finds the operation.
            let number = driver.kernel.submit(buffer.address());
            operations.insert(number, waiting);
            self.number = Some(number);
            return Poll::Pending;
        };
        let operation = operations.get_mut(&number).expect("it is not ready yet");
        if let Operation::Completed(length) = *operation {
            operations.remove(&number);
            self.number = None;
            let buffer = self.buffer.take().expect("there is a buffer");
            return Poll::Ready((length, buffer));
        }
        let earlier = mem::replace(operation, waiting);
        drop(operations);
        drop(earlier);
        Poll::Pending
    }
}

// TODO: who owns the buffer while the kernel has its address? And what if the read is dropped?

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09g_lent_to_the_kernel.rs"]
mod tests;
