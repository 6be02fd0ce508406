//! Calling an async fn connects to nobody; awaiting it does.

use std::{io, net::TcpListener};

use step07_mini_tokio::my_async_fn;

#[tokio::test]
async fn called_it_does_not_connect_and_awaited_it_does() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let future = my_async_fn(listener.local_addr().unwrap());
    let nobody = listener.accept().unwrap_err();
    assert_eq!(nobody.kind(), io::ErrorKind::WouldBlock);
    future.await.unwrap();
    listener.set_nonblocking(false).unwrap();
    listener.accept().unwrap();
}

#[tokio::test]
async fn where_nobody_listens_it_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    drop(listener);
    let error = my_async_fn(server).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
}
