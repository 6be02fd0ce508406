//! Sockets and other descriptors: on version 2, where there is epoll, and on version 3.

#[cfg(target_os = "linux")]
mod by_hand;
mod cancel;
mod fault;
mod incoming;
mod registered;
mod scripted;
mod short;
mod tcp;
mod wake;

use std::{
    future::Future,
    io,
    net::{self, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use probe::within;
use step09_epoll_reactor::{
    Runtime,
    net::{TcpListener, TcpStream},
    v3_polling::Polling,
};

use super::counted::{Calls, Counted};

const LIMIT: Duration = Duration::from_secs(30);
const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Runs a test on a runtime of version 2, if there is epoll, and then on one of version 3. Both count what they ask of the
/// kernel.
fn on_both(test: impl Fn(&mut Runtime, &Arc<Calls>)) {
    within(LIMIT, || {
        #[cfg(target_os = "linux")]
        {
            let epoll = step09_epoll_reactor::v2_epoll::Epoll::new().unwrap();
            println!("version 2");
            let (mut runtime, calls) = Counted::runtime(epoll);
            test(&mut runtime, &calls);
        }
        println!("version 3");
        let (mut runtime, calls) = Counted::runtime(Polling::new().unwrap());
        test(&mut runtime, &calls);
    });
}

/// The same for a test that is all one future.
fn run_on_both<F: Future<Output = ()>>(test: impl Fn() -> F) {
    on_both(|runtime, _| runtime.block_on(test()));
}

/// The two ends of a connection.
async fn connection() -> (TcpStream, TcpStream) {
    let mut listener = TcpListener::bind(ANY).unwrap();
    let address = listener.local_addr().unwrap();
    let client = TcpStream::connect(address).await.unwrap();
    (client, listener.accept().await.unwrap().0)
}

/// The two ends of a connection, of which one belongs to the test itself, and blocks.
async fn connection_to_peer() -> (TcpStream, net::TcpStream) {
    let listener = net::TcpListener::bind(ANY).unwrap();
    let address = listener.local_addr().unwrap();
    let ours = TcpStream::connect(address).await.unwrap();
    (ours, listener.accept().unwrap().0)
}

fn kind<T>(result: io::Result<T>) -> Option<io::ErrorKind> {
    result.err().map(|error| error.kind())
}

/// How many descriptors are watched.
fn watched(calls: &Calls) -> usize {
    let asked = calls.so_far();
    asked.adds - asked.deletes
}
