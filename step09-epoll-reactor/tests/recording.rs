//! The run that the book shows: a task reads from a socket, and its own executor's thread waits for the data.

use std::{io::Write, net, thread, time::Duration};

use futures::{AsyncReadExt, executor};
use probe::{Lane, Recording, Run, Wording, record, watch};
use step09_epoll_reactor::{block_on, net::TcpListener, spawn};

/// The thread that sends the data, and the future that does it there.
const PEER: &str = "peer";

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    SOCKET_READY.check();
}

const SOCKET_READY: Run = Run {
    name: "run-09-socket-ready",
    title: "A socket becomes ready",
    caption: "The first poll would block, so it leaves its waker with the socket's source. Then the executor's thread \
              sleeps in the kernel. The peer's data ends that sleep, and the same thread calls the waker and polls again.",
    threads: &["main", PEER],
    lanes: &[
        Lane::Thread("main", "main: the executor's thread"),
        Lane::SharedQueue(&["read"], "the executor's queue: 1 `read`"),
        Lane::Task("read", "`read`: a task"),
        Lane::Wakers("its waker, in the socket's source"),
        Lane::Thread(PEER, "peer: sends the data"),
    ],
    wording: Wording::Polls,
    most: usize::MAX,
    record: socket_ready,
};

fn socket_ready() -> Recording {
    record(|| {
        block_on(async {
            let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).expect("a free port");
            let address = listener.local_addr().expect("it has one");
            let mut peer = net::TcpStream::connect(address).expect("a loopback connection");
            let (mut socket, _) = listener.accept().await.expect("the peer's connection");
            let write = watch(PEER, async move { peer.write_all(b"howdy!") });
            let peer = thread::spawn(|| {
                thread::sleep(SHORT); // by then, there was nothing to read, and main sleeps
                executor::block_on(write)
            });
            let read = async move { socket.read(&mut [0; 16]).await };
            let read = spawn(watch("read", read)).await;
            let read = read.expect("the task does not panic");
            read.expect("the socket is open");
            let written = peer.join().expect("the peer does not panic");
            written.expect("the socket is open");
        });
    })
}
