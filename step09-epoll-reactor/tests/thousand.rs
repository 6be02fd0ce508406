//! A thousand connections on one thread, all of them open at once.
//!
//! In a process of its own, whose threads it counts.

#![cfg(not(miri))]

use std::time::Duration;

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt, future::join_all, io::copy};
use probe::within;
use step09_epoll_reactor::{
    Runtime,
    net::{TcpListener, TcpStream},
    spawn,
};

use crate::limit;

const CONNECTIONS: usize = 1_000;

fn test(runtime: &mut Runtime, connections: usize) {
    let threads = probe::threads();
    let sum = runtime.block_on(async {
        let listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = spawn(async move {
            let mut incoming = listener.incoming().take(connections);
            let mut echoes = Vec::new();
            while let Some(stream) = incoming.next().await {
                let (reader, mut writer) = stream.unwrap().split();
                echoes.push(spawn(
                    async move { copy(reader, &mut writer).await.unwrap() },
                ));
            }
            let copied = join_all(echoes).await;
            copied.into_iter().map(Result::unwrap).sum::<u64>()
        });
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(TcpStream::connect(address).await.unwrap());
        }
        // All are open. Each sends its own number, and hears it again.
        let numbers = clients
            .iter_mut()
            .zip(0_u32..)
            .map(|(client, number)| async move {
                client.write_all(&number.to_ne_bytes()).await.unwrap();
                let mut answer = [0; 4];
                client.read_exact(&mut answer).await.unwrap();
                assert_eq!(u32::from_ne_bytes(answer), number);
            });
        join_all(numbers).await;
        assert_eq!(probe::threads(), threads);
        drop(clients);
        server.await.unwrap()
    });
    assert_eq!(sum, 4 * connections as u64);
}

#[test]
fn a_thousand_connections_on_one_thread() {
    probe::alone(|| {
        within(Duration::from_secs(60), || {
            let connections = limit::connections(CONNECTIONS);
            #[cfg(target_os = "linux")]
            test(
                &mut step09_epoll_reactor::v2_epoll::Epoll::runtime().unwrap(),
                connections,
            );
            test(&mut Runtime::new().unwrap(), connections);
        });
    });
}
