//! Connections: echo, half-close, reset, peers that go or never read, and connecting.

use std::{
    io::{self, ErrorKind, Write},
    net::SocketAddr,
    pin::pin,
    time::Duration,
};

use futures::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, channel::oneshot, future::join_all,
    io::copy, join, poll,
};
use socket2::{Domain, SockRef, Socket, Type};
use step09_epoll_reactor::{
    net::{TcpListener, TcpStream},
    spawn, timeout,
};

use super::{ANY, connection, connection_to_peer, kind, on_both, run_on_both, watched};

/// More than the kernel holds for a connection.
fn much() -> Vec<u8> {
    (0..=250).collect::<Vec<u8>>().repeat(1 << 16)
}

/// Writes all of it, and closes. In parts, because Windows takes a single write as a whole, however long it is.
async fn send(mut writer: impl AsyncWrite + Unpin, data: &[u8]) -> io::Result<()> {
    for part in data.chunks(1 << 16) {
        writer.write_all(part).await?;
    }
    writer.close().await
}

/// Reads to the end. `read_to_end` would clear the rest of its buffer again with each poll that finds nothing.
async fn receive(mut reader: impl AsyncRead + Unpin) -> Vec<u8> {
    let (mut received, mut part) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match reader.read(&mut part).await.unwrap() {
            0 => return received,
            length => received.extend_from_slice(&part[..length]),
        }
    }
}

#[test]
fn an_echo_returns_every_byte_and_then_the_end() {
    run_on_both(|| async {
        let (client, server) = connection().await;
        let echo = spawn(async move {
            let (reader, mut writer) = server.split();
            let copied = copy(reader, &mut writer).await.unwrap();
            writer.close().await.unwrap();
            copied
        });
        let (reader, writer) = client.split();
        let sent = much();
        let expected = sent.clone();
        let write = async move {
            send(writer, &sent).await.unwrap();
        };
        let ((), received) = join!(write, receive(reader));
        assert!(received == expected);
        assert_eq!(echo.await.unwrap(), expected.len() as u64);
    });
}

/// Neither the side that connects nor the one that accepts blocks the thread of the other.
#[test]
fn a_read_of_nothing_blocks_no_thread() {
    run_on_both(|| async {
        let (mut client, mut server) = connection().await;
        let (mut buffer, mut other) = ([0; 8], [0; 8]);
        assert!(poll!(client.read(&mut buffer)).is_pending());
        assert!(poll!(server.read(&mut other)).is_pending());
        client.write_all(b"39").await.unwrap();
        assert_eq!(server.read(&mut other).await.unwrap(), 2);
    });
}

#[test]
fn after_half_a_close_the_other_half_goes_on() {
    run_on_both(|| async {
        let (mut client, mut server) = connection().await;
        client.write_all(b"question").await.unwrap();
        client.close().await.unwrap();
        let mut text = String::new();
        server.read_to_string(&mut text).await.unwrap(); // to the end
        assert_eq!(text, "question");
        assert!(client.write(b"more").await.is_err());

        // The end is behind it, and the server still writes.
        let mut answer = [0; 6];
        let mut read = pin!(client.read_exact(&mut answer));
        assert!(poll!(&mut read).is_pending());
        server.write_all(b"answer").await.unwrap();
        read.await.unwrap();
        assert_eq!(&answer, b"answer");
        drop(server);
        assert_eq!(client.read(&mut [0]).await.unwrap(), 0);
    });
}

#[test]
fn a_reset_wakes_the_reader_with_an_error() {
    run_on_both(|| async {
        let (mut ours, peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        {
            let mut read = pin!(ours.read(&mut buffer));
            assert!(poll!(&mut read).is_pending());
            SockRef::from(&peer)
                .set_linger(Some(Duration::ZERO))
                .unwrap();
            drop(peer);
            assert_eq!(kind(read.await), Some(ErrorKind::ConnectionReset));
        }
        // Linux says it once. Then there is nothing more to read, and no peer to write to.
        if cfg!(target_os = "linux") {
            assert_eq!(ours.read(&mut buffer).await.unwrap(), 0);
        }
        assert!(ours.write(b"39").await.is_err());
        ours.close().await.unwrap();
    });
}

#[test]
fn a_reset_wakes_the_writer_with_an_error() {
    run_on_both(|| async {
        let (ours, peer) = connection_to_peer().await;
        let data = much();
        let mut write = pin!(send(ours, &data));
        assert!(poll!(&mut write).is_pending());
        SockRef::from(&peer)
            .set_linger(Some(Duration::ZERO))
            .unwrap();
        drop(peer);
        let error = kind(write.await).unwrap();
        let gone = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
        assert!(gone.contains(&error), "{error:?}");
    });
}

#[test]
fn a_peer_that_falls_silent_is_noticed_by_a_timeout_alone() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        let limit = Duration::from_millis(10);
        assert!(timeout(limit, ours.read(&mut buffer)).await.is_err());
        // Nothing is lost if it speaks after all.
        peer.write_all(b"39").unwrap();
        assert_eq!(ours.read(&mut buffer).await.unwrap(), 2);
    });
}

#[test]
fn a_peer_that_never_reads_stops_one_writer_and_no_other_task() {
    run_on_both(|| async {
        let (ours, peer) = connection().await;
        let data = much();
        let expected = data.clone();
        let (started, starts) = oneshot::channel();
        let writer = spawn(async move {
            let mut write = pin!(send(ours, &data));
            assert!(poll!(&mut write).is_pending());
            started.send(()).unwrap();
            write.await.unwrap();
        });
        starts.await.unwrap();

        // Other connections are served meanwhile.
        let echoes = (0..10).map(|number: u8| async move {
            let (mut client, mut server) = connection().await;
            let echo = async {
                let mut byte = [0];
                server.read_exact(&mut byte).await.unwrap();
                server.write_all(&byte).await.unwrap();
            };
            let mut byte = [0];
            client.write_all(&[number]).await.unwrap();
            let ((), read) = join!(echo, client.read_exact(&mut byte));
            read.unwrap();
            assert_eq!(byte, [number]);
        });
        join_all(echoes).await;

        // When the peer reads after all, the write comes to its end, and so does the connection.
        assert!(receive(peer).await == expected);
        writer.await.unwrap();
    });
}

/// One task waits to read from a connection and another one to write to it. The peer lets them go on in both orders.
#[test]
fn a_reader_and_a_writer_of_one_socket_are_both_woken() {
    for reader_first in [true, false] {
        run_on_both(|| async {
            let (ours, peer) = connection().await;
            let (mut reader, writer) = ours.split();
            let (from_us, mut to_us) = peer.split();
            let data = much();
            let length = data.len();

            let mut byte = [0];
            let (read_waits, reads) = oneshot::channel();
            let reader = spawn(async move {
                let mut read = pin!(reader.read_exact(&mut byte));
                assert!(poll!(&mut read).is_pending());
                read_waits.send(()).unwrap();
                read.await.unwrap();
            });
            let (write_waits, writes) = oneshot::channel();
            let writer = spawn(async move {
                let mut write = pin!(send(writer, &data));
                assert!(poll!(&mut write).is_pending());
                write_waits.send(()).unwrap();
                write.await.unwrap();
            });
            let (read_waits, write_waits) = join!(reads, writes);
            read_waits.and(write_waits).unwrap();

            let feed = async {
                to_us.write_all(&[1]).await.unwrap();
                reader.await.unwrap();
            };
            let drain = async {
                assert_eq!(receive(from_us).await.len(), length);
                writer.await.unwrap();
            };
            if reader_first {
                feed.await;
                drain.await;
            } else {
                drain.await;
                feed.await;
            }
        });
    }
}

/// An address at which no process listens, and that no other process is given meanwhile.
fn refusing() -> (SocketAddr, Socket) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&ANY.into()).unwrap();
    (socket.local_addr().unwrap().as_socket().unwrap(), socket)
}

#[test]
fn a_refused_connection_is_an_error_and_leaves_nothing_behind() {
    on_both(|runtime, counts| {
        runtime.block_on(async {
            let (address, _socket) = refusing();
            let refused = TcpStream::connect(address).await;
            assert_eq!(kind(refused), Some(ErrorKind::ConnectionRefused));
        });
        assert_eq!(watched(counts), 0);
    });
}

#[test]
fn a_connect_that_is_dropped_gives_the_connection_up() {
    on_both(|runtime, counts| {
        runtime.block_on(async {
            let listener = TcpListener::bind(ANY).unwrap();
            {
                let connect = TcpStream::connect(listener.local_addr().unwrap());
                let mut connect = pin!(connect);
                assert!(poll!(&mut connect).is_pending());
                assert_eq!(watched(counts), 2);
            }
            assert_eq!(watched(counts), 1);
        });
        assert_eq!(watched(counts), 0);
    });
}
