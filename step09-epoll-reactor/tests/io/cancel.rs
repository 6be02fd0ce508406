//! Which futures lose something when they are dropped before they are ready.

use std::{
    io::{Read, Write},
    net,
    pin::pin,
    time::{Duration, Instant},
};

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt, poll};
use step09_epoll_reactor::{interval, net::TcpListener, sleep, timeout};

use super::{ANY, connection_to_peer, run_on_both};

const SHORT: Duration = Duration::from_millis(10);

/// Polls a future once, which is not ready, and drops it.
macro_rules! give_up {
    ($future:expr) => {
        assert!(poll!(pin!($future)).is_pending())
    };
}

#[test]
fn read_loses_nothing() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        give_up!(ours.read(&mut buffer));
        peer.write_all(b"39").unwrap();
        // The event of the read that was given up may come first, or not.
        sleep(SHORT).await;
        assert_eq!(ours.read(&mut buffer).await.unwrap(), 2);
        assert_eq!(&buffer[..2], b"39");
    });
}

#[test]
fn write_loses_nothing_and_sends_nothing() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        // Until the kernel takes no more.
        let mut sent = 0;
        while let std::task::Poll::Ready(written) = poll!(ours.write(&[0; 1 << 16])) {
            sent += written.unwrap();
        }
        give_up!(ours.write(&[1]));
        drop(ours);
        let mut received = Vec::new();
        peer.read_to_end(&mut received).unwrap();
        assert_eq!(received.len(), sent);
        assert!(received.iter().all(|byte| *byte == 0));
    });
}

#[test]
fn accept_loses_no_connection() {
    run_on_both(|| async {
        let mut listener = TcpListener::bind(ANY).unwrap();
        give_up!(listener.accept());
        let client = net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        sleep(SHORT).await;
        let (_, peer) = listener.accept().await.unwrap();
        assert_eq!(peer, client.local_addr().unwrap());
    });
}

#[test]
fn next_of_incoming_loses_no_connection() {
    run_on_both(|| async {
        let listener = TcpListener::bind(ANY).unwrap();
        let address = listener.local_addr().unwrap();
        let mut incoming = listener.incoming();
        give_up!(incoming.next());
        let client = net::TcpStream::connect(address).unwrap();
        sleep(SHORT).await;
        let server = incoming.next().await.unwrap().unwrap();
        assert_eq!(server.peer_addr().unwrap(), client.local_addr().unwrap());
    });
}

#[test]
fn next_of_an_interval_loses_no_tick_and_no_time() {
    run_on_both(|| async {
        let start = Instant::now();
        let mut interval = interval(2 * SHORT);
        let _ = poll!(interval.next());
        sleep(2 * SHORT).await;
        // A tick has come meanwhile, and is ready at once.
        assert!(poll!(interval.next()).is_ready());
        let _ = poll!(interval.next());
        interval.next().await.unwrap();
        assert!(start.elapsed() >= 4 * SHORT);
    });
}

#[test]
fn sleep_loses_no_time_if_it_is_borrowed() {
    run_on_both(|| async {
        let mut pause = sleep(2 * SHORT);
        let _ = poll!(&mut pause);
        sleep(2 * SHORT).await;
        assert!(poll!(&mut pause).is_ready()); // it has not begun again
    });
}

#[test]
fn timeout_loses_nothing_if_its_future_loses_nothing() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        assert!(timeout(SHORT, ours.read(&mut buffer)).await.is_err());
        peer.write_all(b"39").unwrap();
        assert_eq!(ours.read(&mut buffer).await.unwrap(), 2);
        // The timeout itself is dropped.
        give_up!(timeout(Duration::MAX, ours.read(&mut buffer)));
        peer.write_all(b"49").unwrap();
        assert_eq!(ours.read(&mut buffer).await.unwrap(), 2);
        assert_eq!(&buffer[..2], b"49");
    });
}

#[test]
fn read_exact_loses_what_it_has_read() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        peer.write_all(b"0").unwrap();
        ours.read_exact(&mut [0; 1]).await.unwrap(); // so the socket counts as readable until a read finds nothing
        peer.write_all(b"123").unwrap();
        give_up!(ours.read_exact(&mut [0; 5]));
        peer.write_all(b"45").unwrap();
        let mut rest = [0; 8];
        assert_eq!(ours.read(&mut rest).await.unwrap(), 2);
        assert_eq!(&rest[..2], b"45"); // of five bytes, the first three are not read again
    });
}

// Windows takes a single write as a whole, however long it is.
#[cfg(not(windows))]
#[test]
fn write_all_does_not_say_how_much_it_has_sent() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let message = vec![7; 16 << 20];
        give_up!(ours.write_all(&message));
        drop(ours);
        let mut received = Vec::new();
        peer.read_to_end(&mut received).unwrap();
        // A part has arrived, and a second attempt sends this part twice.
        assert!((1..message.len()).contains(&received.len()));
    });
}
