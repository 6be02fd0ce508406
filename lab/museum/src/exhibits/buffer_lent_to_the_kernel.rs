//! A read that is handed over to the kernel, whose future is dropped before the kernel has carried it out.
//!
//! In the crate this was undefined behaviour. Here the memory has numbered places in place of addresses, so the kernel may
//! write into one that is in other hands by now, and safe code can show it.

use std::{cell::RefCell, rc::Rc};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "buffer-lent-to-the-kernel",
    title: "the kernel writes into the buffer of a dropped read",
    was_in: "foyer, as foyer-rs/foyer#1286 describes it; rio, as spacejam/rio#1 does; here in safe Rust",
    breaks: "what the kernel has the address of is freed when the kernel is done, and not before",
    chapter: 9,
    fails: Fails::Prints("the balance is: hello"),
    why: "the buffer belongs to the future, and is freed with it. The kernel still has its address. The next part \
          of the program that asks for memory gets this place, and then the kernel writes what has arrived. In the \
          fixed version the buffer passes from the future to the kernel's side, which frees it after the write.",
    passes: "the balance is: 100",
    broken: || show(drop_broken),
    repaired: || show(drop_repaired),
};

// ANCHOR: broken
/// The destructor of a read that the kernel has not carried out.
fn drop_broken(buffer: Buffer, _kernel: &mut Kernel) {
    drop(buffer);
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// The destructor of a read that the kernel has not carried out.
fn drop_repaired(buffer: Buffer, kernel: &mut Kernel) {
    kernel.in_flight = Some(buffer);
}
// ANCHOR_END: repaired

/// Each place holds a few bytes. `None` is free.
type Memory = Rc<RefCell<Vec<Option<String>>>>;

/// Memory that is freed when it is dropped.
struct Buffer {
    memory: Memory,
    address: usize,
}

impl Buffer {
    /// Takes the first place that is free, as many allocators do.
    fn new(memory: &Memory, text: &str) -> Buffer {
        let mut places = memory.borrow_mut();
        let address = places.iter().position(Option::is_none).unwrap();
        places[address] = Some(text.to_owned());
        Buffer {
            memory: Rc::clone(memory),
            address,
        }
    }

    fn text(&self) -> String {
        self.memory.borrow()[self.address].clone().unwrap()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.memory.borrow_mut()[self.address] = None;
    }
}

struct Kernel {
    memory: Memory,
    /// Where the read wants its bytes. An address owns nothing.
    address: usize,
    /// Kept until the read is carried out.
    in_flight: Option<Buffer>,
}

impl Kernel {
    fn carry_out(&mut self, bytes: &str) {
        self.memory.borrow_mut()[self.address] = Some(bytes.to_owned());
        self.in_flight = None;
    }
}

fn show(drop_read: fn(Buffer, &mut Kernel)) {
    let memory = Memory::new(RefCell::new(vec![None; 2]));
    let buffer = Buffer::new(&memory, "");
    let mut kernel = Kernel {
        memory: Rc::clone(&memory),
        address: buffer.address,
        in_flight: None,
    };
    // A timeout drops the read.
    drop_read(buffer, &mut kernel);
    let balance = Buffer::new(&memory, "100");
    kernel.carry_out("hello");
    println!("the balance is: {}", balance.text());
}
