//! A stream of connections.

use futures::{FutureExt, StreamExt, future::join_all};
use step09_epoll_reactor::net::{TcpListener, TcpStream};

use super::{ANY, run_on_both};

#[test]
fn it_yields_each_connection_once() {
    run_on_both(|| async {
        let listener = TcpListener::bind(ANY).unwrap();
        let address = listener.local_addr().unwrap();
        let clients = join_all((0..20).map(|_| TcpStream::connect(address)));
        let mut incoming = listener.incoming();
        let (clients, servers) =
            futures::join!(clients, incoming.by_ref().take(20).collect::<Vec<_>>());
        let mut theirs: Vec<_> = clients.iter().map(|it| it.as_ref().unwrap()).collect();
        let mut ours: Vec<_> = servers.iter().map(|it| it.as_ref().unwrap()).collect();
        theirs.sort_by_key(|it| it.local_addr().unwrap());
        ours.sort_by_key(|it| it.peer_addr().unwrap());
        for (theirs, ours) in theirs.iter().zip(&ours) {
            assert_eq!(theirs.local_addr().unwrap(), ours.peer_addr().unwrap());
        }
        assert!(incoming.next().now_or_never().is_none());
    });
}
