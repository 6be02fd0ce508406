//! The two futures on a socket: what they return, and which `wake` is called.

// Miri opens no sockets.
#![cfg(not(miri))]

use std::{
    cell::RefCell,
    io::Write,
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use probe::within;
use step01_simple_future::{Poll, RunLoop, SimpleFuture, Socket, SocketRead, check_every};

use read_to_end::ReadToEnd;

/// A part of the demo.
#[path = "../src/demo/read_to_end.rs"]
mod read_to_end;

const LIMIT: Duration = Duration::from_secs(10);

/// Polls until the future is ready, without waiting for a wake.
fn ready<F: SimpleFuture>(future: &mut F) -> F::Output {
    loop {
        match future.poll(|| {}) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::yield_now(),
        }
    }
}

fn wait_for(calls: &AtomicUsize, count: usize) {
    probe::wait_until(|| calls.load(Ordering::SeqCst) == count);
}

/// The watcher calls back before it reads again. So once it has read two more pieces, no call for the first is due.
fn let_the_watcher_finish(socket: &Socket, peer: &mut impl Write) {
    for _ in 0..2 {
        peer.write_all(b"one more").unwrap();
        check_every(Duration::from_millis(1), || socket.read_buf()).unwrap();
    }
}

#[test]
fn two_reads_of_one_socket_are_both_woken() {
    static FIRST: AtomicUsize = AtomicUsize::new(0);
    static SECOND: AtomicUsize = AtomicUsize::new(0);
    fn wake_first() {
        FIRST.fetch_add(1, Ordering::SeqCst);
    }
    fn wake_second() {
        SECOND.fetch_add(1, Ordering::SeqCst);
    }
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        let (mut first, mut second) = (SocketRead::new(&socket), SocketRead::new(&socket));
        assert!(matches!(first.poll(wake_first), Poll::Pending));
        assert!(matches!(second.poll(wake_second), Poll::Pending));

        peer.write_all(b"for one of them").unwrap();
        wait_for(&SECOND, 1);
        wait_for(&FIRST, 1);
        assert_eq!(ready(&mut first).unwrap(), b"for one of them");
        assert!(matches!(second.poll(wake_second), Poll::Pending));

        peer.write_all(b"for the other").unwrap();
        wait_for(&SECOND, 2);
        assert_eq!(ready(&mut second).unwrap(), b"for the other");
        let_the_watcher_finish(&socket, &mut peer);
        assert_eq!(FIRST.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_read_that_is_polled_many_times_is_woken_once() {
    static WAKES: AtomicUsize = AtomicUsize::new(0);
    fn wake() {
        WAKES.fetch_add(1, Ordering::SeqCst);
    }
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        let mut read = SocketRead::new(&socket);
        for _ in 0..1_000 {
            assert!(matches!(read.poll(wake), Poll::Pending));
        }
        peer.write_all(b"x").unwrap();
        assert_eq!(ready(&mut read).unwrap(), b"x");
        let_the_watcher_finish(&socket, &mut peer);
        assert_eq!(WAKES.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn data_between_read_and_callback_is_found_by_the_next_poll() {
    /// Does what `SocketRead` does, and has the data arrive halfway through its first poll.
    struct Halfway<'a>(&'a Socket, TcpStream, &'a Events);
    type Events = RefCell<Vec<&'static str>>;
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    fn wake() {
        CALLS.fetch_add(1, Ordering::SeqCst);
        step01_simple_future::wake();
    }
    impl SimpleFuture for Halfway<'_> {
        type Output = Vec<u8>;

        fn poll(&mut self, _: fn()) -> Poll<Vec<u8>> {
            let note = |event| self.2.borrow_mut().push(event);
            if let Ok(data) = self.0.read_buf() {
                note("poll returns Ready");
                return Poll::Ready(data);
            }
            note("read_buf finds nothing");
            self.1.write_all(b"howdy!").unwrap();
            probe::wait_until(|| self.0.has_data_to_read());
            note("the data arrives");
            self.0.set_readable_callback(wake);
            assert_eq!(CALLS.load(Ordering::SeqCst), 1);
            note("the socket calls wake");
            note("poll returns Pending");
            Poll::Pending
        }
    }
    let _alone = crate::run_loop::alone();
    within(LIMIT, || {
        let (socket, peer) = Socket::pair().unwrap();
        let events = Events::default();
        let mut run_loop = RunLoop::new([Halfway(&socket, peer, &events)]);
        run_loop.poll_all();
        events.borrow_mut().push("sleep is called");
        run_loop.sleep();
        events.borrow_mut().push("sleep returns");
        assert_eq!(run_loop.poll_all(), [b"howdy!"]);
        let expected = [
            "read_buf finds nothing",
            "the data arrives",
            "the socket calls wake",
            "poll returns Pending",
            "sleep is called",
            "sleep returns",
            "poll returns Ready",
        ];
        assert_eq!(*events.borrow(), expected);
    });
}

#[test]
fn read_to_end_waits_for_the_end_and_returns_every_byte() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        let mut to_end = ReadToEnd::new(&socket);
        let sent: Vec<u8> = (0..50_000_u32).map(|i| i as u8).collect();
        thread::scope(|scope| {
            scope.spawn(|| {
                for piece in sent.chunks(700) {
                    peer.write_all(piece).unwrap();
                }
                drop(peer);
            });
            assert!(
                ready(&mut to_end).unwrap() == sent,
                "what arrived is not what was sent"
            );
        });
    });
}

// A peer that closes without reading what was sent to it resets the connection; Linux says so at once.
#[cfg(target_os = "linux")]
#[test]
fn read_to_end_returns_the_error_of_a_broken_connection() {
    use std::{io::ErrorKind, net::TcpListener};

    within(LIMIT, || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (peer, _) = listener.accept().unwrap();
        let socket = Socket::new(stream.try_clone().unwrap()).unwrap();
        stream.write_all(b"never read").unwrap();
        while peer.peek(&mut [0]).unwrap() == 0 {}
        drop(peer);
        let error = ready(&mut ReadToEnd::new(&socket)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    });
}
