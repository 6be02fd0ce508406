use super::*;
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

static WAKES: AtomicU32 = AtomicU32::new(0);

/// How many of the wakes did not come from the thread that watches the socket.
static FROM_ELSEWHERE: AtomicU32 = AtomicU32::new(0);

fn wake() {
    if thread::current().name() != Some("socket watcher") {
        FROM_ELSEWHERE.fetch_add(1, SeqCst);
    }
    WAKES.fetch_add(1, SeqCst);
}

#[test]
fn wake_is_called_when_data_arrives() {
    probe::within(Duration::from_secs(2), || {
        let test = async { data_arrives_after_the_first_poll() };
        futures::executor::block_on(probe::watch("NextPiece", test));
    });
}

fn data_arrives_after_the_first_poll() {
    let (socket, mut peer) = Socket::pair().unwrap();
    let mut piece = NextPiece { socket: &socket };
    assert!(
        matches!(piece.poll(wake), Poll::Pending),
        "No data has been sent, so the first poll should return Pending. It returned Ready."
    );
    // Long enough to catch a version that calls `wake` after a short time, data or not.
    thread::sleep(Duration::from_millis(50));
    assert!(
        WAKES.load(SeqCst) == 0,
        "`wake` was called although no data had arrived. A run loop would poll again, find nothing, be woken again,\n\
         and so on, which is checking in a loop. `wake` should be called when there is data.\n\
         Look at: what, besides this future, knows when data arrives?"
    );
    peer.write_all(b"howdy!").unwrap();
    let sent = Instant::now();
    while WAKES.load(SeqCst) == 0 {
        assert!(
            sent.elapsed() < Duration::from_secs(1),
            "Data arrived, and `wake` was not called, so the run loop would sleep forever.\n\
             The first poll returned Pending, and that is a promise that `wake` will be called.\n\
             Look at: where did that poll leave its `wake`?"
        );
        thread::sleep(Duration::from_millis(1));
    }
    assert!(
        FROM_ELSEWHERE.load(SeqCst) == 0,
        "`wake` was called after the data had arrived, and not by the socket. So it came at that time by chance: the next \
         data may come earlier, and then it waits, or later, and then the wake is for nothing.\n\
         Look at: which method of the socket takes a `fn()`?"
    );
    let answer = piece.poll(wake);
    assert!(
        matches!(&answer, Poll::Ready(Ok(data)) if data == b"howdy!"),
        "After the wake, the data has arrived, so the poll should be Ready with what was sent. It returned {answer:?}."
    );
}
