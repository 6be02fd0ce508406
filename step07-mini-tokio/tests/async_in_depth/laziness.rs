//! Calling an async fn opens no connection. Awaiting it does, where tokio's reactor runs.

// Miri opens no sockets.
#![cfg(not(miri))]

use std::{io, net::TcpListener, panic::AssertUnwindSafe, sync::mpsc, thread, time::Duration};

use futures::{FutureExt, channel::oneshot};
use probe::within;
use step07_mini_tokio::{MiniTokio, async_in_depth::my_async_fn};

#[tokio::test]
async fn called_it_does_not_connect_and_awaited_it_does() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let future = my_async_fn(listener.local_addr().unwrap());
    let error = listener.accept().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    future.await.unwrap();
    listener.set_nonblocking(false).unwrap();
    listener.accept().unwrap();
}

#[tokio::test]
async fn without_a_server_it_returns_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    drop(listener);
    let error = my_async_fn(server).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
}

#[test]
fn on_mini_tokio_it_panics_for_want_of_tokios_reactor() {
    within(Duration::from_secs(10), || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let (sender, outcome) = mpsc::channel();
        let mini_tokio = MiniTokio::new();
        mini_tokio.spawn(async move {
            let connected = AssertUnwindSafe(my_async_fn(server)).catch_unwind().await;
            sender.send(connected).unwrap();
        });
        mini_tokio.run();
        let panic = outcome.recv().unwrap().unwrap_err();
        let literal = panic.downcast_ref::<&str>().copied();
        let message = literal.or_else(|| panic.downcast_ref().map(String::as_str));
        assert!(message.is_some_and(|it| it.contains("there is no reactor running")));
    });
}

#[test]
fn on_mini_tokio_it_connects_if_a_tokio_reactor_runs() {
    within(Duration::from_secs(10), || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
            .unwrap();
        let handle = tokio.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        // tokio's part: its reactor waits on this thread. It polls none of our tasks.
        let reactor = thread::spawn(move || tokio.block_on(stopped));

        let _entered = handle.enter();
        let (sender, outcome) = mpsc::channel();
        let mini_tokio = MiniTokio::new();
        mini_tokio.spawn(async move { sender.send(my_async_fn(server).await).unwrap() });
        mini_tokio.run();

        outcome.recv().unwrap().unwrap();
        listener.accept().unwrap();
        stop.send(()).unwrap();
        reactor.join().unwrap().unwrap();
    });
}
