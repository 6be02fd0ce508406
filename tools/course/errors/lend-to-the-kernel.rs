//! To the compiler, the kernel is like a thread that uses the buffer after `submit` has returned.

use std::thread;

/// Hands a read over, and returns before it is done.
fn submit(buffer: &mut [u8]) {
    thread::spawn(move || buffer.fill(7));
}

fn main() {
    submit(&mut [0; 5]);
}
