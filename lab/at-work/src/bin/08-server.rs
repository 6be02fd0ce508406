//! A server that stops on Ctrl-C or SIGTERM: it takes no more clients and no more requests, but finishes those that it has begun,
//! unless it is asked a second time.
//!
//! A request is a line with a number, from which it counts down: `cargo run -p at-work --bin 08-server`, and in another terminal
//! `nc 127.0.0.1 8080`.

use std::{env, io, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    signal,
    task::{JoinError, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

// ANCHOR: asked
/// Returns when the program is asked to stop: by Ctrl-C or, as a service manager does, by SIGTERM.
#[cfg(unix)]
async fn asked_to_stop() -> io::Result<()> {
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    tokio::select! {
        result = signal::ctrl_c() => result,
        _ = terminate.recv() => Ok(()),
    }
}
// ANCHOR_END: asked

/// Returns when the program is asked to stop: by Ctrl-C, as there is no SIGTERM on this system.
#[cfg(not(unix))]
async fn asked_to_stop() -> io::Result<()> {
    signal::ctrl_c().await
}

// ANCHOR: main
#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind(address()).await?;
    println!("listening on {}", listener.local_addr()?);

    let stop = CancellationToken::new();
    let stopping = async {
        asked_to_stop().await.expect("the system reports signals");
        stop.cancel();
    };
    tokio::join!(stopping, serve(listener, stop.clone()));
    Ok(())
}
// ANCHOR_END: main

/// Where to listen: the program's argument, if it has one.
fn address() -> String {
    env::args().nth(1).unwrap_or("127.0.0.1:8080".into())
}

// ANCHOR: serve
async fn serve(listener: TcpListener, stop: CancellationToken) {
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((client, _)) => _ = tasks.spawn(handle(client, stop.clone())),
                Err(error) => {
                    // Most likely out of file descriptors; wait for a client to leave.
                    eprintln!("accept: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            },
            Some(result) = tasks.join_next() => report(result),
        }
    }
    drop(listener);
    let the_rest = async {
        while let Some(result) = tasks.join_next().await {
            report(result);
        }
    };
    tokio::select! {
        () = the_rest => {}
        () = sleep(Duration::from_secs(10)) => {}
        _ = asked_to_stop() => {} // a second time
    }
    tasks.shutdown().await; // aborts those that are left, and waits until they are dropped
}

async fn handle(client: TcpStream, stop: CancellationToken) -> io::Result<()> {
    let (reader, mut writer) = client.into_split();
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = stop.run_until_cancelled(lines.next_line()).await {
        let Some(request) = line? else { break };
        answer(&request, &mut writer).await?; // `stop` doesn't reach into this
    }
    Ok(())
}
// ANCHOR_END: serve

/// Counts down from a number, 20 times a second.
async fn answer(request: &str, writer: &mut (impl AsyncWriteExt + Unpin)) -> io::Result<()> {
    let from: u32 = request.trim().parse().unwrap_or(0);
    for number in (0..=from).rev() {
        writer.write_all(format!("{number}\n").as_bytes()).await?;
        sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

fn report(result: Result<io::Result<()>, JoinError>) {
    match result {
        Ok(Ok(())) => println!("a client is done"),
        Ok(Err(error)) => println!("a client is lost: {error}"),
        Err(error) => println!("a task is lost: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use tokio::{
        io::AsyncReadExt,
        task::JoinHandle,
        time::{Instant, pause, timeout},
    };

    /// A server, and a client to whose request it has begun the answer.
    async fn with_a_request(from: u32) -> (JoinHandle<()>, CancellationToken, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let server = tokio::spawn(serve(listener, stop.clone()));
        let mut client = TcpStream::connect(address).await.unwrap();
        client
            .write_all(format!("{from}\n1\n").as_bytes())
            .await
            .unwrap();
        let mut first = vec![0; from.to_string().len() + 1];
        client.read_exact(&mut first).await.unwrap();
        assert_eq!(first, format!("{from}\n").as_bytes());
        (server, stop, client)
    }

    #[tokio::test]
    async fn a_request_that_has_begun_is_answered_and_the_next_one_is_not() {
        probe::within_async(Duration::from_secs(20), async {
            let (server, stop, mut client) = with_a_request(2).await;
            stop.cancel();
            let mut answer = String::new();
            // The second request is unread, so the connection may be reset after the answer.
            let _ = client.read_to_string(&mut answer).await;
            assert_eq!(answer, "1\n0\n");
            server.await.unwrap();
        })
        .await;
    }

    #[tokio::test]
    async fn a_request_that_takes_too_long_is_aborted() {
        let (server, stop, _client) = with_a_request(1_000).await;
        pause();
        let began = Instant::now();
        stop.cancel();
        let mut server = pin!(server);
        timeout(Duration::from_secs(60), &mut server)
            .await
            .expect("it gives up")
            .unwrap();
        assert_eq!(began.elapsed().as_secs(), 10);
    }
}
