//! Rung 7.

use std::{
    future::poll_fn,
    io::{Read, Write},
    net,
    sync::Arc,
    thread,
    time::Instant,
};

use futures::{AsyncReadExt, AsyncWriteExt};
use probe::watch;
use yours::{
    Direction, Source,
    net::{TcpListener, TcpStream},
    sleep, spawn,
};

use super::{Check, MOMENT, moments, run};

pub(super) const CHECKS: &[Check] = &[
    Check::new("a_hundred_connections", a_hundred_connections),
    Check::new("more_than_the_buffers_hold", more_than_the_buffers_hold),
    Check::new("read_and_written_at_once", read_and_written_at_once).look(
        "each `ask` replaces the one before. Does it name both directions if a reader and a writer wait, and is there a waker for each?",
    ),
    Check::new("timers_beside_a_socket", timers_beside_a_socket),
    Check::new("a_number_of_its_own", a_number_of_its_own),
    Check::new(
        "socket_ready_at_any_moment",
        moments::socket_ready_at_any_moment,
    ),
];

/// Both ends of a connection: the client's and the server's.
pub(super) async fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it listens");
    let client = TcpStream::connect(address).await.expect("a connection");
    let (server, _) = watch("accept", listener.accept())
        .await
        .expect("a connection");
    (client, server)
}

fn a_hundred_connections() {
    run(async {
        let before = probe::threads().unwrap_or(0);
        let mut clients = Vec::new();
        for number in 0..100u8 {
            let (mut client, mut server) = connection().await;
            spawn(watch("an echo server", async move {
                let mut byte = [0];
                while server.read_exact(&mut byte).await.is_ok()
                    && server.write_all(&byte).await.is_ok()
                {}
            }));
            clients.push(spawn(watch("a client", async move {
                for trip in 0..20 {
                    let (sent, mut got) = ([number ^ trip], [0]);
                    client.write_all(&sent).await.expect("written");
                    client.read_exact(&mut got).await.expect("read");
                    assert_eq!(got, sent, "what the echo server sent back");
                }
            })));
        }
        for client in clients {
            assert!(client.await.is_ok(), "each client got its bytes");
        }
        let started = probe::threads().unwrap_or(0).saturating_sub(before);
        assert_eq!(started, 0, "threads that were started for 200 sockets");
    });
}

fn more_than_the_buffers_hold() {
    const LENGTH: usize = 4 << 20;
    let got = run(async {
        let (mut client, mut server) = connection().await;
        spawn(watch("a writer", async move {
            client.write_all(&vec![7; LENGTH]).await.expect("written");
        }));
        sleep(MOMENT / 3).await;
        let mut all = Vec::new();
        let read = watch("a reader", server.read_to_end(&mut all)).await;
        read.expect("read");
        all.len()
    });
    assert_eq!(got, LENGTH, "bytes that arrived");
}

/// A task that waits to write, because the buffers are full, must not take the place of one that waits to read.
fn read_and_written_at_once() {
    const LENGTH: usize = 16 << 20;
    run(async {
        let listener = net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it listens");
        let mine = net::TcpStream::connect(address).expect("a connection");
        let (mut peer, _) = listener.accept().expect("a connection");
        mine.set_nonblocking(true).expect("a socket");
        let mine = Arc::new(Source::new(mine).expect("it can be watched"));
        let (reads, writes) = (mine.clone(), mine);
        let read = |mut socket: &net::TcpStream| socket.read(&mut [0]);
        let reader = spawn(watch(
            "a reader, of a socket that another task writes to",
            async move { poll_fn(|cx| reads.poll_io(Direction::Read, cx, read)).await },
        ));
        sleep(MOMENT / 3).await;
        let writer = spawn(watch(
            "a writer, of a socket that another task reads",
            async move {
                let mut left = LENGTH;
                while left > 0 {
                    let some = vec![0; left.min(1 << 20)];
                    let write = |mut socket: &net::TcpStream| socket.write(&some);
                    let written = poll_fn(|cx| writes.poll_io(Direction::Write, cx, write)).await;
                    left -= written.expect("written");
                }
            },
        ));
        sleep(MOMENT / 3).await;
        peer.write_all(&[1]).expect("written");
        assert!(
            matches!(reader.await, Ok(Ok(1))),
            "the reader gets its byte while a writer waits"
        );
        let drained = thread::spawn(move || peer.read_exact(&mut vec![0; LENGTH]));
        assert!(writer.await.is_ok(), "the writer wrote everything");
        let drained = drained.join().expect("no panic");
        drained.expect("all that was written");
    });
}

fn timers_beside_a_socket() {
    let used = run(async {
        let (client, mut server) = connection().await;
        spawn(watch("a reader", async move {
            let _ = server.read(&mut [0]).await;
        }));
        sleep(MOMENT / 3).await;
        let (start, cpu) = (Instant::now(), probe::cpu_time());
        watch("a sleep while a socket is waited for", sleep(4 * MOMENT)).await;
        assert!(
            start.elapsed() >= 4 * MOMENT,
            "a sleep while a socket is waited for took {:?} in place of {:?}",
            start.elapsed(),
            4 * MOMENT
        );
        drop(client);
        probe::cpu_time().saturating_sub(cpu)
    });
    assert!(
        used < MOMENT,
        "{used:?} of processor time in a wait of {:?}: the thread looks again and again, in place of sleeping in the poller",
        4 * MOMENT
    );
}

/// Sockets come and go. Each number belongs to one socket at a time.
fn a_number_of_its_own() {
    run(async {
        let first = connection().await;
        let (mut client, mut server) = connection().await;
        drop(first);
        let third = connection().await;
        let reader = spawn(watch(
            "a reader, while other sockets come and go",
            async move { server.read_exact(&mut [0]).await.is_ok() },
        ));
        sleep(MOMENT / 3).await;
        drop(third);
        client.write_all(&[1]).await.expect("written");
        assert!(matches!(reader.await, Ok(true)), "the reader gets its byte");
    });
}
