//! The server of `main.rs`, on tokio.

mod shared;

use std::{
    env,
    future::Future,
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use futures::{Stream, stream};
use hyper_util::rt::{TokioIo, TokioTimer};
use shared::{Platform, options::Options, server::serve, stop::asked_to_stop};
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Runtime,
    spawn, task, time,
};

struct Tokio;

impl Platform for Tokio {
    type Connection = TokioIo<TcpStream>;
    type Timer = TokioTimer;

    fn spawn(task: impl Future<Output = ()> + Send + 'static) {
        drop(spawn(task));
    }

    async fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        task::spawn_blocking(work).await.expect("it does not panic")
    }
}

/// Runs the server, and returns how many connections were not finished.
fn serve_on_tokio(options: Options) -> io::Result<usize> {
    let stop = asked_to_stop()?;
    let runtime = Runtime::new()?;
    let server = runtime.spawn(async move {
        let listener = TcpListener::bind(options.address).await?;
        writeln!(io::stdout(), "http://{}/", listener.local_addr()?)?;
        Ok(serve::<Tokio>(incoming(listener), &options, stop).await)
    });
    runtime.block_on(server)?
}

/// As `TcpListener::incoming` of this stage, it waits after an error, because no descriptor may be left.
fn incoming(listener: TcpListener) -> impl Stream<Item = io::Result<TokioIo<TcpStream>>> {
    stream::unfold(listener, async |listener| {
        let accepted = async {
            let (stream, _peer) = listener.accept().await?;
            stream.set_nodelay(true)?;
            Ok(TokioIo::new(stream))
        };
        let accepted = accepted.await;
        if accepted.is_err() {
            time::sleep(Duration::from_millis(50)).await;
        }
        Some((accepted, listener))
    })
}

fn main() -> ExitCode {
    shared::run(env::args().skip(1), serve_on_tokio).into()
}
