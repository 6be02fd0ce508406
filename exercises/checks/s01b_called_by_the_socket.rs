use super::*;
use probe::{watch, within};
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

mod wait;

static WAKES: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];

/// How many of the wakes did not come from the thread that watches the socket.
static FROM_ELSEWHERE: AtomicU32 = AtomicU32::new(0);

fn woken(task: usize) {
    if thread::current().name() != Some("socket watcher") {
        FROM_ELSEWHERE.fetch_add(1, SeqCst);
    }
    WAKES[task].fetch_add(1, SeqCst);
}

fn wakes() -> [u32; 2] {
    WAKES.each_ref().map(|wakes| wakes.load(SeqCst))
}

fn poll(piece: &mut NextPiece<'_>, wake: fn()) -> Poll<io::Result<Vec<u8>>> {
    within(Duration::from_secs(2), || {
        let poll = async { piece.poll(wake) };
        futures::executor::block_on(watch("NextPiece", poll))
    })
}

#[test]
fn wake_is_called_when_data_arrives() {
    let (socket, mut peer) = Socket::pair().unwrap();
    let mut piece = NextPiece { socket: &socket };
    let answer = poll(&mut piece, || woken(0));
    assert!(
        matches!(answer, Poll::Pending),
        "No data has been sent, so the first poll should return Pending. It returned Ready."
    );
    // Long enough to catch a version that calls `wake` after a short time, data or not.
    thread::sleep(Duration::from_millis(50));
    assert!(
        wakes() == [0, 0],
        "`wake` was called although no data had arrived. A run loop would poll again, find nothing, be woken again,\n\
         and so on, which is checking in a loop. `wake` should be called when there is data.\n\
         Look at: what, besides this future, knows when data arrives?"
    );
    peer.write_all(b"howdy!").unwrap();
    wait::until(
        "Data arrived, and `wake` was not called, so the run loop would sleep forever.\n\
         The first poll returned Pending, and that is a promise that `wake` will be called.\n\
         Look at: where did that poll leave its `wake`?",
        || wakes()[0] > 0,
    );
    assert!(
        FROM_ELSEWHERE.load(SeqCst) == 0,
        "`wake` was called after the data had arrived, and not by the socket. So it came at that time by chance: the next \
         data may come earlier, and then it waits, or later, and then the wake is for nothing.\n\
         Look at: which method of the socket takes a `fn()`?"
    );
    let answer = poll(&mut piece, || woken(0));
    assert!(
        matches!(&answer, Poll::Ready(Ok(data)) if data == b"howdy!"),
        "After the wake, the data has arrived, so the poll should be Ready with what was sent. It returned {answer:?}."
    );
    every_poll_leaves_its_wake();
}

/// Two pieces of one socket and one of another, each polled by another task.
fn every_poll_leaves_its_wake() {
    let (socket, mut peer) = Socket::pair().unwrap();
    let (other, closes) = Socket::pair().unwrap();
    let mut pieces = [&socket, &socket, &other].map(|socket| NextPiece { socket });
    let before = wakes();
    for (piece, wake) in pieces
        .iter_mut()
        .zip([|| woken(0), || woken(1), || woken(1)] as [fn(); 3])
    {
        let answer = poll(piece, wake);
        assert!(
            matches!(answer, Poll::Pending),
            "Ready, without data: {answer:?}"
        );
    }
    peer.write_all(b"howdy!").unwrap();
    wait::until(
        "Two tasks had polled, each with a `wake` of its own. Data arrived, and not both of them were called.\n\
         Look at: does every poll that returns Pending leave the `wake` that it got?",
        || (0..2).all(|task| wakes()[task] > before[task]),
    );
    drop(closes);
    wait::until(
        "Another socket was closed by its peer, and the `wake` that it should call was not called.\n\
         Look at: does every poll that returns Pending leave its `wake` with its own socket?",
        || wakes()[1] > before[1] + 1,
    );
    let answer = poll(&mut pieces[2], || {});
    assert!(
        matches!(&answer, Poll::Ready(Ok(data)) if data.is_empty()),
        "The peer has closed the connection, so nothing more will arrive, and the poll should be Ready with no data. It \
         returned {answer:?}."
    );
}
