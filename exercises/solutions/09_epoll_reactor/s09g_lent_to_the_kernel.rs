//! s09g, solved: from `submit` to `completed`, the driver owns the buffer.

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

struct Operation {
    /// Here from `submit` to `completed`, and until a poll takes it.
    buffer: Buffer,
    lifecycle: Lifecycle,
}

enum Lifecycle {
    /// The kernel has not done it yet, and this task waits for it.
    Waiting(Waker),
    /// The kernel has not done it yet, and the future has been dropped.
    Ignored,
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
        let operation = operations.get_mut(&number).expect("it was submitted");
        match mem::replace(&mut operation.lifecycle, Lifecycle::Completed(length)) {
            Lifecycle::Waiting(waker) => {
                drop(operations);
                waker.wake();
            }
            _ => {
                operations.remove(&number);
            }
        }
    }
}

struct Read {
    driver: Arc<Driver>,
    /// Until it is submitted.
    buffer: Option<Buffer>,
    /// `None`: it has not been submitted, or a poll has returned its result.
    number: Option<usize>,
}

impl Future for Read {
    type Output = (usize, Buffer);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(usize, Buffer)> {
        // Before the lock is taken, since the clone of a waker is code that we do not control.
        let lifecycle = Lifecycle::Waiting(cx.waker().clone());
        let driver = Arc::clone(&self.driver);
        let mut operations = driver.operations.lock().unwrap();
        let Some(number) = self.number else {
            let buffer = self.buffer.take().expect("there is a buffer");
            // Under the lock, so that `completed` finds the operation.
            let number = driver.kernel.submit(buffer.address());
            operations.insert(number, Operation { buffer, lifecycle });
            self.number = Some(number);
            return Poll::Pending;
        };
        let operation = operations.get_mut(&number).expect("it is not ready yet");
        if let Lifecycle::Completed(length) = operation.lifecycle {
            let operation = operations.remove(&number).expect("it is there");
            self.number = None;
            return Poll::Ready((length, operation.buffer));
        }
        let earlier = mem::replace(&mut operation.lifecycle, lifecycle);
        drop(operations);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        let Some(number) = self.number else {
            return;
        };
        let mut operations = self.driver.operations.lock().unwrap();
        let operation = operations.get_mut(&number).expect("it was submitted");
        let before = mem::replace(&mut operation.lifecycle, Lifecycle::Ignored);
        if let Lifecycle::Completed(_) = before {
            operations.remove(&number);
        }
        drop(operations);
        drop(before);
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09g_lent_to_the_kernel.rs"]
mod tests;
