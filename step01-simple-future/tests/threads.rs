//! One thread for each socket, until the socket is dropped.
//!
//! In a process of its own, whose threads it counts.

// Miri opens no sockets. On Windows a watcher may stay until the peer closes the connection.
#![cfg(not(any(miri, windows)))]

use std::{
    io::Write,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use probe::{wait_until, within};
use step01_simple_future::Socket;

static CALLS: AtomicUsize = AtomicUsize::new(0);

fn count() {
    CALLS.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn every_watcher_ends_with_its_socket() {
    probe::alone(|| {
        within(Duration::from_secs(10), || {
            let before = probe::threads();
            let no_watcher = || probe::threads() == before;

            // The socket is dropped after the end of the stream, which has been read or not.
            for read in [false, true] {
                let (socket, peer) = Socket::pair().unwrap();
                assert_eq!(probe::threads(), before.map(|threads| threads + 1));
                drop(peer);
                wait_until(|| socket.has_data_to_read());
                if read {
                    assert_eq!(socket.read_buf().unwrap(), b"");
                }
                drop(socket);
                wait_until(no_watcher);
            }

            // The socket is dropped while its watcher waits for data. No callback is called. Several times, for different orders of events.
            for _ in 0..50 {
                let (socket, _peer) = Socket::pair().unwrap();
                socket.set_readable_callback(count);
                drop(socket);
            }
            wait_until(no_watcher);
            assert_eq!(CALLS.load(Ordering::SeqCst), 0);

            // The socket is dropped while its watcher waits for a piece to be taken, or is about to.
            for calls in 1..=50 {
                let (socket, mut peer) = Socket::pair().unwrap();
                socket.set_readable_callback(count);
                peer.write_all(b"never taken").unwrap();
                wait_until(|| CALLS.load(Ordering::SeqCst) == calls);
                if calls % 2 == 0 {
                    thread::sleep(Duration::from_millis(1));
                }
                drop(socket);
            }
            wait_until(no_watcher);
        });
    });
}
