//! The socket: every way in which data, or its end, can arrive.

// Miri opens no sockets.
#![cfg(not(miri))]

use std::{
    io::{ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use probe::within;
use step01_simple_future::{Socket, check_every};

const LIMIT: Duration = Duration::from_secs(10);

/// Checks until there is something to take.
fn next_piece(socket: &Socket) -> std::io::Result<Vec<u8>> {
    check_every(Duration::from_millis(1), || socket.read_buf())
}

/// Waits for data without taking it.
fn wait_for_data(socket: &Socket) {
    probe::wait_until(|| socket.has_data_to_read());
}

/// Both ends of a connection, neither of them watched.
fn connected() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (peer, _) = listener.accept().unwrap();
    (stream, peer)
}

#[test]
fn nothing_has_arrived_yet() {
    let (socket, _peer) = Socket::pair().unwrap();
    assert!(!socket.has_data_to_read());
    let error = socket.read_buf().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
}

#[test]
fn a_check_that_finds_data_is_the_only_one() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        peer.write_all(b"howdy!").unwrap();
        wait_for_data(&socket);
        let data = check_every(Duration::MAX, || socket.read_buf()).unwrap();
        assert_eq!(data, b"howdy!");
    });
}

#[test]
fn a_check_that_finds_nothing_is_no_error() {
    // Another thread may take a piece right before a check, and then the check finds nothing.
    let (socket, mut peer) = Socket::pair().unwrap();
    let mut checks = 0;
    let data = within(LIMIT, || {
        check_every(Duration::from_millis(1), || {
            checks += 1;
            peer.write_all(b"howdy!").unwrap();
            wait_for_data(&socket);
            if checks < 3 {
                thread::scope(|scope| scope.spawn(|| socket.read_buf().unwrap()).join().unwrap());
            }
            socket.read_buf()
        })
    });
    assert_eq!((&data.unwrap()[..], checks), (&b"howdy!"[..], 3));
}

#[test]
fn two_pieces_are_read_one_after_the_other() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        for piece in ["how", "dy!"] {
            peer.write_all(piece.as_bytes()).unwrap();
            assert_eq!(next_piece(&socket).unwrap(), piece.as_bytes());
            assert!(!socket.has_data_to_read());
        }
    });
}

#[test]
fn the_end_is_an_empty_piece_however_often_it_is_read() {
    within(LIMIT, || {
        let (socket, peer) = Socket::pair().unwrap();
        drop(peer);
        for _ in 0..3 {
            assert_eq!(next_piece(&socket).unwrap(), b"");
        }
    });
}

#[test]
fn data_sent_before_the_end_is_not_lost() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        peer.write_all(b"last words").unwrap();
        drop(peer);
        assert_eq!(next_piece(&socket).unwrap(), b"last words");
        assert_eq!(next_piece(&socket).unwrap(), b"");
    });
}

#[test]
fn much_data_comes_in_pieces_of_8_kib_at_most() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        let count = 1_000_000;
        let sent: Vec<u8> = (0..count).map(|i| i as u8).collect();
        let writer = thread::spawn({
            let sent = sent.clone();
            move || peer.write_all(&sent)
        });
        let mut received = Vec::new();
        loop {
            let piece = next_piece(&socket).unwrap();
            assert!(piece.len() <= 8 * 1024);
            if piece.is_empty() {
                break;
            }
            received.extend(piece);
        }
        assert!(received == sent, "what arrived is not what was sent");
        writer.join().unwrap().unwrap();
    });
}

// A peer that closes without reading what was sent to it resets the connection; Linux says so at once.
#[cfg(target_os = "linux")]
#[test]
fn a_broken_connection_is_an_error_and_then_the_end() {
    within(LIMIT, || {
        let (mut stream, peer) = connected();
        let socket = Socket::new(stream.try_clone().unwrap()).unwrap();
        stream.write_all(b"never read").unwrap();
        while peer.peek(&mut [0]).unwrap() == 0 {}
        drop(peer);
        let error = next_piece(&socket).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        assert_eq!(next_piece(&socket).unwrap(), b"");
    });
}

#[test]
fn the_callback_is_called_once_for_each_time_it_is_set() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        for calls in 1..=2 {
            socket.set_readable_callback(|| {
                CALLS.fetch_add(1, Ordering::SeqCst);
            });
            peer.write_all(b"x").unwrap();
            probe::wait_until(|| CALLS.load(Ordering::SeqCst) >= calls);
            next_piece(&socket).unwrap();
        }
        // The watcher calls back before it reads again. So with the second piece, no call for the first is due.
        for piece in ["no callback is set", "nor for this"] {
            peer.write_all(piece.as_bytes()).unwrap();
            next_piece(&socket).unwrap();
        }
        assert_eq!(CALLS.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn set_when_data_is_there_it_is_called_before_set_returns() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    fn count() {
        CALLS.fetch_add(1, Ordering::SeqCst);
    }
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        peer.write_all(b"x").unwrap();
        wait_for_data(&socket);
        socket.set_readable_callback(count);
        assert_eq!(CALLS.load(Ordering::SeqCst), 1, "for a piece");
        next_piece(&socket).unwrap();
        drop(peer);
        wait_for_data(&socket);
        assert_eq!(CALLS.load(Ordering::SeqCst), 1, "for that piece alone");
        socket.set_readable_callback(count);
        assert_eq!(CALLS.load(Ordering::SeqCst), 2, "for the end");
    });
}

#[test]
fn a_callback_that_panics_does_not_make_the_socket_deaf() {
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        socket.set_readable_callback(|| panic!("this panic belongs to the test"));
        for _ in 0..3 {
            peer.write_all(b"x").unwrap();
            assert_eq!(next_piece(&socket).unwrap(), b"x");
        }
    });
}

#[test]
fn a_dropped_socket_closes_its_connection_and_calls_no_callback() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        socket.set_readable_callback(|| {
            CALLS.fetch_add(1, Ordering::SeqCst);
        });
        drop(socket);
        assert_eq!(peer.read(&mut [0]).unwrap(), 0);
        // Writing fails once the other side refuses data. (`threads.rs` waits for the watcher too.)
        probe::wait_until(|| peer.write_all(b"anyone?").is_err());
        assert_eq!(CALLS.load(Ordering::SeqCst), 0);
    });
}
