//! The kernel, and the buffers that it may write into.

use std::{
    collections::VecDeque,
    mem,
    sync::{
        Mutex, MutexGuard,
        mpsc::{Receiver, SyncSender},
    },
    task::Waker,
};

use slab::Slab;

use super::contain::contain;

// ANCHOR: struct
#[derive(Debug)]
pub(super) enum Submission {
    /// The operation with this number is to be carried out.
    Read(usize),
    /// Bytes have arrived. The sender is dropped when the kernel has handled them.
    Arrived(Vec<u8>, SyncSender<()>),
}

/// The operations that are under way, or completed and not asked for since.
#[derive(Debug, Default)]
pub(super) struct Operations(Mutex<Slab<Operation>>);

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) buffer: Vec<u8>,
    pub(super) lifecycle: Lifecycle,
}

#[derive(Debug)]
pub(super) enum Lifecycle {
    /// The kernel has not done it yet, and this task waits for it.
    Waiting(Waker),
    /// The kernel has not done it yet, and no task will ask for the result: the future is gone.
    Ignored,
    /// The kernel has written this many bytes into the buffer.
    Completed(usize),
}
// ANCHOR_END: struct

/// Runs the kernel's thread: takes operations, and carries them out in turn as bytes arrive. When the ring is closed, it returns, which
/// cancels those that are left.
pub(super) fn kernel(submissions: &Receiver<Submission>, operations: &Operations) {
    let mut reads = VecDeque::new();
    let mut bytes = VecDeque::new();
    for submission in submissions {
        let _handled = match submission {
            Submission::Read(number) => {
                reads.push_back(number);
                None
            }
            Submission::Arrived(arrived, handled) => {
                bytes.extend(arrived);
                Some(handled)
            }
        };
        while !bytes.is_empty() {
            let Some(number) = reads.pop_front() else {
                break;
            };
            if let Some(waker) = operations.complete(number, &mut bytes) {
                contain(|| waker.wake()); // it may panic, and the kernel goes on
            }
        }
    }
}

impl Operations {
    // ANCHOR: complete
    /// Carries out an operation. Returns the waker of the task that waits for it.
    fn complete(&self, number: usize, bytes: &mut VecDeque<u8>) -> Option<Waker> {
        let mut operations = self.lock();
        let operation = &mut operations[number];
        let length = bytes.len().min(operation.buffer.len());
        for (place, byte) in operation.buffer.iter_mut().zip(bytes.drain(..length)) {
            *place = byte;
        }
        match mem::replace(&mut operation.lifecycle, Lifecycle::Completed(length)) {
            Lifecycle::Waiting(waker) => Some(waker),
            _ => {
                operations.remove(number); // and drops the buffer
                None
            }
        }
    }
    // ANCHOR_END: complete

    pub(super) fn lock(&self) -> MutexGuard<'_, Slab<Operation>> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}
