//! Reads by completion: who owns the buffer, and what becomes of the bytes.

#[path = "../src/carried/contain.rs"]
mod contain;
#[path = "../src/bin/completion/kernel.rs"]
mod kernel;
#[path = "../src/bin/completion/ring.rs"]
pub(super) mod ring;

use std::{
    mem,
    pin::pin,
    sync::{Mutex, mpsc},
    task::{Poll, Waker},
    time::Duration,
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    poll, within,
};
use ring::Ring;

/// The bytes that a read returns at its second poll, because they have arrived.
fn next(ring: &Ring) -> Vec<u8> {
    let mut read = pin!(ring.read(vec![0; 16]));
    let waker = CountingWaker::new();
    assert!(poll(&mut read.as_mut(), &waker.waker()).is_pending());
    ring.arrive(b""); // the kernel has taken the order before it
    let Poll::Ready((length, buffer)) = poll(&mut read.as_mut(), Waker::noop()) else {
        panic!("the read is not done");
    };
    assert_eq!(buffer.len(), 16, "the buffer comes back whole");
    buffer[..length].to_vec()
}

#[test]
fn a_completed_read_gives_the_buffer_back() {
    let ring = Ring::new().unwrap();
    ring.arrive(b"hello");
    assert_eq!(next(&ring), b"hello");
    assert_eq!(ring.buffers(), 0);
}

#[test]
fn a_dropped_read_leaves_its_buffer_to_the_ring() {
    let ring = Ring::new().unwrap();
    let mut read = Box::pin(ring.read(vec![0; 16]));
    assert_eq!(ring.buffers(), 0, "nothing happens before the first poll");
    assert!(poll(&mut read.as_mut(), Waker::noop()).is_pending());
    drop(read);
    assert_eq!(ring.buffers(), 1, "the kernel may still write into it");
    ring.arrive(b"hello");
    assert_eq!(ring.buffers(), 0);
}

#[test]
fn a_completed_read_that_is_dropped_frees_its_buffer() {
    let ring = Ring::new().unwrap();
    let mut read = Box::pin(ring.read(vec![0; 16]));
    assert!(poll(&mut read.as_mut(), Waker::noop()).is_pending());
    ring.arrive(b"hello");
    assert_eq!(ring.buffers(), 1);
    drop(read);
    assert_eq!(ring.buffers(), 0);
}

#[test]
fn a_dropped_read_takes_the_bytes_with_it() {
    let ring = Ring::new().unwrap();
    let mut read = Box::pin(ring.read(vec![0; 16]));
    assert!(poll(&mut read.as_mut(), Waker::noop()).is_pending());
    drop(read);
    ring.arrive(b"hello");
    ring.arrive(b"world");
    assert_eq!(next(&ring), b"world");
}

#[test]
fn the_waker_of_the_latest_poll_is_woken_once() {
    let ring = Ring::new().unwrap();
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    let mut read = pin!(ring.read(vec![0; 16]));
    assert!(poll(&mut read.as_mut(), &first.waker()).is_pending());
    assert!(poll(&mut read.as_mut(), &second.waker()).is_pending());
    ring.arrive(b"hello");
    assert_eq!((first.wakes(), second.wakes()), (0, 1));
    assert!(poll(&mut read.as_mut(), Waker::noop()).is_ready());
}

#[test]
fn reads_are_carried_out_in_the_order_of_submission() {
    let ring = Ring::new().unwrap();
    let mut reads = [(); 3].map(|()| Box::pin(ring.read(vec![0])));
    for read in &mut reads {
        assert!(poll(&mut read.as_mut(), Waker::noop()).is_pending());
    }
    ring.arrive(b"abc");
    let read = reads.map(|mut read| poll(&mut read.as_mut(), Waker::noop()));
    assert_eq!(
        read,
        [b'a', b'b', b'c'].map(|byte| Poll::Ready((1, vec![byte])))
    );
}

#[test]
fn what_does_not_fit_into_the_buffer_is_left_for_the_next_read() {
    let ring = Ring::new().unwrap();
    ring.arrive(&[7; 20]);
    assert_eq!(next(&ring), [7; 16]);
    assert_eq!(next(&ring), [7; 4]);
}

#[test]
fn a_dropped_ring_cancels_and_frees_what_is_under_way() {
    for _ in 0..20 {
        let ring = Ring::new().unwrap();
        let waker = CountingWaker::new();
        let mut read = ring.read(vec![0; 16]);
        assert!(poll(&mut read, &waker.waker()).is_pending());
        mem::forget(read); // its operation stays under way, and keeps the waker
        drop(ring);
        assert_eq!((waker.wakes(), waker.live()), (0, 0));
    }
}

#[test]
fn a_waker_may_drop_the_ring_on_the_thread_of_its_kernel() {
    within(Duration::from_secs(10), || {
        let ring = Box::new(Ring::new().unwrap());
        ring.arrive(b"hello");
        let hostile = Hostile::new();
        let (given, taken) = mpsc::channel::<Box<Ring>>();
        let taken = Mutex::new(taken);
        let (dropped, wait) = mpsc::channel();
        hostile.arm(Moment::Wake, move || {
            drop(taken.lock().unwrap().recv().unwrap());
            dropped.send(()).unwrap();
        });
        let mut read = ring.read(vec![0; 16]);
        assert!(poll(&mut read, &hostile.waker()).is_pending());
        mem::forget(read);
        given.send(ring).unwrap();
        wait.recv().unwrap();
    });
}

// Miri starts no programs.
#[cfg(not(miri))]
#[test]
fn the_program_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_completion");
    kit::transcript::check("tests/completion.txt", program, &[]);
}
