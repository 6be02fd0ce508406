//! The kernel of s09g, and the memory of the program, so that a write into memory that was freed is a message here.

use probe::{Mutex, MutexGuard};
use std::sync::Arc;

/// A kernel that carries out reads, in the order in which they were submitted. It runs when the tests let it.
#[derive(Clone, Default)]
pub(crate) struct Kernel(Arc<Mutex<Machine>>);

#[derive(Default)]
struct Machine {
    /// Which buffer has the memory at each address. Its number, or `None` if that memory is free.
    owners: Vec<Option<usize>>,
    /// What is in the memory.
    contents: Vec<Vec<u8>>,
    buffers: usize,
    /// The reads that are under way: the number, the address, and the buffer that was there when it was submitted.
    reads: Vec<(usize, usize, Option<usize>)>,
    submitted: usize,
}

/// Memory of the program. Dropping it frees its memory, and a later buffer gets the same address.
pub(crate) struct Buffer {
    kernel: Kernel,
    address: usize,
}

impl Kernel {
    /// Hands a read over. From now on the kernel may write to this address, until it calls `completed` for the number that
    /// this returns, which may be before this has returned.
    pub(crate) fn submit(&self, address: usize) -> usize {
        let mut machine = self.machine();
        let number = machine.submitted;
        let owner = machine.owners[address];
        machine.submitted += 1;
        machine.reads.push((number, address, owner));
        number
    }

    /// Makes a buffer, at the lowest address that is free.
    pub(crate) fn allocate(&self) -> Buffer {
        let mut machine = self.machine();
        let free = machine.owners.iter().position(Option::is_none);
        let address = free.unwrap_or(machine.owners.len());
        if free.is_none() {
            machine.owners.push(None);
            machine.contents.push(Vec::new());
        }
        machine.buffers += 1;
        machine.owners[address] = Some(machine.buffers);
        drop(machine);
        Buffer {
            kernel: self.clone(),
            address,
        }
    }

    /// How many reads have been submitted, and how many buffers have not been freed.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let machine = self.machine();
        let buffers = machine.owners.iter().flatten().count();
        (machine.submitted, buffers)
    }

    /// Bytes arrive, and the kernel writes them to the address of the oldest read. Returns its number and their length, or
    /// what this write destroys.
    pub(crate) fn arrive(&self, bytes: &[u8]) -> Result<(usize, usize), String> {
        let mut machine = self.machine();
        let (number, address, lent) = machine.reads.remove(0);
        machine.contents[address] = bytes.to_vec();
        let owner = machine.owners[address];
        if owner == lent {
            return Ok((number, bytes.len()));
        }
        let now = match owner {
            None => "nobody's",
            Some(_) => "another buffer's",
        };
        let text = String::from_utf8_lossy(bytes);
        Err(format!(
            "The kernel wrote {text:?} to address {address}, as read {number} had asked. The buffer that was there has been \
             freed, and the memory is {now} now."
        ))
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.0.lock().expect("no code panics under this lock")
    }
}

impl Buffer {
    /// Where its memory is.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// What is in its memory.
    pub(crate) fn contents(&self) -> Vec<u8> {
        self.kernel.machine().contents[self.address].clone()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.kernel.machine().owners[self.address] = None;
    }
}
