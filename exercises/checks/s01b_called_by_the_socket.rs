use super::*;
use probe::{watch, within};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::Duration;

mod wait;

/// On which threads two tasks and this test were called.
static CALLS: Mutex<[Vec<ThreadId>; 3]> = Mutex::new([const { Vec::new() }; 3]);

fn call(of: usize) {
    CALLS.lock().unwrap()[of].push(thread::current().id());
}

fn calls() -> [usize; 3] {
    CALLS.lock().unwrap().each_ref().map(Vec::len)
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
    let answer = poll(&mut piece, || call(0));
    assert!(
        matches!(answer, Poll::Pending),
        "No data has been sent, so the first poll should return Pending. It returned Ready."
    );
    // Long enough to catch a version that calls `wake` after a short time, data or not.
    thread::sleep(Duration::from_millis(50));
    assert!(
        calls() == [0; 3],
        "`wake` was called although no data had arrived. A run loop would poll again, find nothing, be woken again,\n\
         and so on, which is checking in a loop. `wake` should be called when there is data.\n\
         Look at: what, besides this future, knows when data arrives?"
    );
    socket.set_readable_callback(|| call(2));
    peer.write_all(b"howdy!").unwrap();
    wait::until(
        "Data arrived, and `wake` was not called, so the run loop would sleep forever.\n\
         The first poll returned Pending, and that is a promise that `wake` will be called.\n\
         Look at: where did that poll leave its `wake`?",
        || calls()[0] > 0 && calls()[2] > 0,
    );
    let on = CALLS.lock().unwrap().clone();
    assert!(
        on[0] == on[2],
        "`wake` was called after the data had arrived, and not by the socket. So it came at that time by chance: the next \
         data may come earlier, and then it waits, or later, and then the wake is for nothing.\n\
         Look at: which method of the socket takes a `fn()`?"
    );
    let answer = poll(&mut piece, || call(0));
    assert!(
        matches!(&answer, Poll::Ready(Ok(data)) if data == b"howdy!"),
        "After the wake, the data has arrived, so the poll should be Ready with what was sent. It returned {answer:?}."
    );
    every_poll_leaves_its_wake();
}

/// Two pieces of one socket and one of another, each polled by another task.
fn every_poll_leaves_its_wake() {
    let (socket, mut peer) = Socket::pair().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    // What the peer has not read when it closes the connection makes that an error, but not on every system.
    stream.write_all(b"not read").unwrap();
    let (closes, _) = listener.accept().unwrap();
    let other = Socket::new(stream).unwrap();
    let mut pieces = [&socket, &socket, &other].map(|socket| NextPiece { socket });
    let before = calls();
    for (piece, wake) in pieces
        .iter_mut()
        .zip([|| call(0), || call(1), || call(1)] as [fn(); 3])
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
        || (0..2).all(|task| calls()[task] > before[task]),
    );
    drop(closes);
    wait::until(
        "Another socket was closed by its peer, and the `wake` that it should call was not called.\n\
         Look at: does every poll that returns Pending leave its `wake` with its own socket?",
        || calls()[1] > before[1] + 1,
    );
    // The error, if there is one, comes once, and after it the socket reads once more that there is nothing to read.
    for _ in 0..2 {
        wait::until("The socket reads no more.", || other.has_data_to_read());
        let answer = poll(&mut pieces[2], || {});
        assert!(
            matches!(&answer, Poll::Ready(Err(_)))
                || matches!(&answer, Poll::Ready(Ok(data)) if data.is_empty()),
            "The peer has closed the connection, so each poll should be Ready, with an error or with no data. It returned \
             {answer:?}."
        );
    }
}
