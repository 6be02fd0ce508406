//! A future that collects pieces, and returns `Pending` after each of them.

use std::{
    collections::VecDeque,
    mem,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

use step01_simple_future::{Poll, SimpleFuture};

/// Ready with the next piece, and with `None` after the last. If none has arrived, it keeps `wake`.
#[derive(Default)]
struct Read {
    arrived: VecDeque<Option<&'static str>>,
    callback: Option<fn()>,
}

impl SimpleFuture for Read {
    type Output = Option<&'static str>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        let Some(piece) = self.arrived.pop_front() else {
            self.callback = Some(wake);
            return Poll::Pending;
        };
        Poll::Ready(piece)
    }
}

// ANCHOR: program
/// Ready with all pieces, once the last has arrived.
#[derive(Default)]
struct ReadToEnd {
    read: Read,
    so_far: String,
}

impl SimpleFuture for ReadToEnd {
    type Output = String;

    fn poll(&mut self, wake: fn()) -> Poll<String> {
        match self.read.poll(wake) {
            Poll::Ready(Some(piece)) => {
                self.so_far += piece;
                Poll::Pending
            }
            Poll::Ready(None) => Poll::Ready(mem::take(&mut self.so_far)),
            Poll::Pending => Poll::Pending,
        }
    }
}
// ANCHOR_END: program

#[derive(Default)]
struct Repaired(ReadToEnd);

impl SimpleFuture for Repaired {
    type Output = String;

    // ANCHOR: repair
    fn poll(&mut self, wake: fn()) -> Poll<String> {
        let Repaired(ReadToEnd { read, so_far }) = self;
        loop {
            match read.poll(wake) {
                Poll::Ready(Some(piece)) => *so_far += piece,
                Poll::Ready(None) => return Poll::Ready(mem::take(so_far)),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
    // ANCHOR_END: repair
}

#[test]
fn it_is_pending_and_left_no_callback() {
    static WAKES: AtomicUsize = AtomicUsize::new(0);
    let wake = || _ = WAKES.fetch_add(1, SeqCst);
    let arrived = || VecDeque::from([Some("how"), Some("dy!")]);

    let mut broken = ReadToEnd::default();
    broken.read.arrived = arrived();
    assert!(matches!(broken.poll(wake), Poll::Pending));
    assert_eq!(
        (WAKES.load(SeqCst), broken.read.callback.is_some()),
        (0, false)
    );

    let mut right = Repaired::default();
    right.0.read.arrived = arrived();
    assert!(matches!(right.poll(wake), Poll::Pending));
    assert!(right.0.read.callback.is_some() && right.0.read.arrived.is_empty());
    right.0.read.arrived.push_back(None);
    assert!(matches!(right.poll(wake), Poll::Ready(it) if it == "howdy!"));
}
