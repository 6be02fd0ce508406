//! A web server: hyper on the runtime of this stage.
//!
//! `cargo run --release -p step10-work-stealing --example http [ADDRESS]` prints where it listens: on a free port of this
//! machine, if no address is given. Ctrl-C lets the requests that are being answered finish, and a second one does not.
//! The example `http_tokio` is the same server on tokio.

mod hyper_rt;
pub(crate) mod shared;

use std::{
    env,
    future::Future,
    io::{self, Write},
    process::ExitCode,
    thread,
};

use futures::{StreamExt, channel::oneshot};
use hyper::rt::Executor as _;
use hyper_rt::{Executor, Io, Timer};
use shared::{Platform, options::Options, server::serve, stop::asked_to_stop};
use step10_work_stealing::{Runtime, net::TcpListener};

struct Step10;

impl Platform for Step10 {
    type Connection = Io;
    type Timer = Timer;

    fn spawn(task: impl Future<Output = ()> + Send + 'static) {
        Executor.execute(task);
    }

    async fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        let (send, done) = oneshot::channel();
        thread::spawn(|| send.send(work()));
        done.await.expect("it does not panic")
    }
}

/// Runs the server, and returns how many connections were not finished.
// ANCHOR: run
pub(crate) fn serve_on_step10(options: Options) -> io::Result<usize> {
    let stop = asked_to_stop()?;
    let runtime = Runtime::default();
    let server = runtime.spawn(async move {
        let listener = TcpListener::bind(options.address)?;
        writeln!(io::stdout(), "http://{}/", listener.local_addr()?)?;
        let connections = listener.incoming().map(|accepted| {
            let stream = accepted?;
            stream.set_nodelay(true)?;
            Ok(Io::new(stream))
        });
        Ok(serve::<Step10>(connections, &options, stop).await)
    });
    runtime.block_on(server).map_err(io::Error::other)?
}
// ANCHOR_END: run

fn main() -> ExitCode {
    shared::run(env::args().skip(1), serve_on_step10).into()
}
