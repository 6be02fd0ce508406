//! The socket: every way in which data, or its end, can come.

use std::{
    io::{ErrorKind, Read, Write},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use probe::within;
use step01_simple_future::{Socket, look_every};

const LIMIT: Duration = Duration::from_secs(10);

/// Waits, by looking, until there is something to take.
fn next_piece(socket: &Socket) -> std::io::Result<Vec<u8>> {
    look_every(socket, Duration::from_millis(1)).map(|looked| looked.data)
}

#[test]
fn nothing_has_come_yet() {
    let (socket, _peer) = Socket::pair().unwrap();
    assert!(!socket.has_data_to_read());
    let error = socket.read_buf().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
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
        let count = if cfg!(miri) { 20_000 } else { 1_000_000 };
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
        assert!(received == sent, "what came is not what was sent");
        writer.join().unwrap().unwrap();
    });
}

// A peer that closes without reading what was sent to it resets the connection; Linux says so at once.
#[cfg(target_os = "linux")]
#[test]
fn a_broken_connection_is_an_error_and_then_the_end() {
    use std::net::{TcpListener, TcpStream};

    within(LIMIT, || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (peer, _) = listener.accept().unwrap();
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
fn the_callback_comes_once_for_each_time_it_is_set() {
    static CALLS: Mutex<Option<mpsc::Sender<()>>> = Mutex::new(None);
    fn callback() {
        if let Some(calls) = &*CALLS.lock().unwrap() {
            calls.send(()).unwrap();
        }
    }
    within(LIMIT, || {
        let (sender, calls) = mpsc::channel();
        *CALLS.lock().unwrap() = Some(sender);
        let (socket, mut peer) = Socket::pair().unwrap();
        for _ in 0..2 {
            socket.set_readable_callback(callback);
            peer.write_all(b"x").unwrap();
            calls.recv().unwrap();
            next_piece(&socket).unwrap();
        }
        peer.write_all(b"nobody asked").unwrap();
        next_piece(&socket).unwrap();
        *CALLS.lock().unwrap() = None;
        assert_eq!(calls.iter().count(), 0);
    });
}

#[test]
fn set_when_data_is_there_the_callback_is_called_before_set_returns() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let (socket, peer) = Socket::pair().unwrap();
        drop(peer);
        next_piece(&socket).unwrap();
        socket.set_readable_callback(|| {
            CALLS.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(CALLS.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn the_latest_callback_is_the_one_that_is_called() {
    static EARLIER: AtomicUsize = AtomicUsize::new(0);
    static LATER: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        socket.set_readable_callback(|| {
            EARLIER.fetch_add(1, Ordering::SeqCst);
        });
        socket.set_readable_callback(|| {
            LATER.fetch_add(1, Ordering::SeqCst);
        });
        peer.write_all(b"x").unwrap();
        while LATER.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        assert_eq!(EARLIER.load(Ordering::SeqCst), 0);
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
fn a_dropped_socket_closes_its_connection_and_calls_nobody() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        socket.set_readable_callback(|| {
            CALLS.fetch_add(1, Ordering::SeqCst);
        });
        drop(socket);
        assert_eq!(peer.read(&mut [0]).unwrap(), 0);
        // Writing fails once the other side is closed for good, which is when its watcher is gone.
        while peer.write_all(b"anyone?").is_ok() {
            thread::yield_now();
        }
        assert_eq!(CALLS.load(Ordering::SeqCst), 0);
    });
}
