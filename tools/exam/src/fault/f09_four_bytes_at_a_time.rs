//! A reader that waits for a report of the kernel before each read, on a kernel that reports each arrival once.

use std::{
    cell::RefCell,
    collections::VecDeque,
    future::poll_fn,
    io::{self, ErrorKind::WouldBlock},
    task::{Poll, Waker},
};

use probe::{CountingWaker, poll};

/// A socket that is watched edge-triggered: each arrival is reported once.
#[derive(Default)]
struct Socket(RefCell<State>);

#[derive(Default)]
struct State {
    bytes: VecDeque<u8>,
    reported: bool,
    waker: Option<Waker>,
}

impl Socket {
    /// Waits for the next report.
    async fn readable(&self) {
        poll_fn(|cx| {
            let mut state = self.0.borrow_mut();
            if std::mem::take(&mut state.reported) {
                return Poll::Ready(());
            }
            state.waker = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Takes four bytes at most, or returns `WouldBlock`.
    fn read(&self) -> io::Result<Vec<u8>> {
        let bytes = &mut self.0.borrow_mut().bytes;
        let count = bytes.len().min(4);
        if count == 0 {
            return Err(WouldBlock.into());
        }
        Ok(bytes.drain(..count).collect())
    }
}

// ANCHOR: program
/// Returns the first `count` bytes.
async fn read_exact(socket: &Socket, count: usize) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    while all.len() < count {
        socket.readable().await;
        match socket.read() {
            Ok(bytes) => all.extend(bytes),
            Err(error) if error.kind() == WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}
// ANCHOR_END: program

async fn repaired(socket: &Socket, count: usize) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    // ANCHOR: repair
    while all.len() < count {
        match socket.read() {
            Ok(bytes) => all.extend(bytes),
            Err(error) if error.kind() == WouldBlock => socket.readable().await,
            Err(error) => return Err(error),
        }
    }
    // ANCHOR_END: repair
    Ok(all)
}

#[test]
fn what_one_read_leaves_is_not_reported_again() {
    let arrive = |socket: &Socket, bytes: &[u8]| {
        let waker = {
            let mut state = socket.0.borrow_mut();
            state.bytes.extend(bytes);
            state.reported = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    };
    let (socket, waker) = (Socket::default(), CountingWaker::new());
    let mut broken = Box::pin(read_exact(&socket, 6));
    assert!(poll(&mut broken, &waker.waker()).is_pending());
    arrive(&socket, b"howdy!");
    assert_eq!(waker.wakes(), 1);
    assert!(poll(&mut broken, &waker.waker()).is_pending());
    assert_eq!((socket.0.borrow().bytes.len(), waker.wakes()), (2, 1));
    drop(broken);

    let socket = Socket::default();
    let mut right = Box::pin(repaired(&socket, 6));
    assert!(poll(&mut right, &waker.waker()).is_pending());
    arrive(&socket, b"how");
    assert!(poll(&mut right, &waker.waker()).is_pending());
    arrive(&socket, b"dy!");
    assert!(matches!(poll(&mut right, &waker.waker()), Poll::Ready(Ok(it)) if it == b"howdy!"));
}
