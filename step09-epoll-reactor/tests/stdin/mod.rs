//! Lines and numbers from an input that is watched, and from one that a thread reads.

#[cfg(unix)]
use std::fs::File as End;
#[cfg(windows)]
use std::net::TcpStream as End;
use std::time::Duration;

use futures::StreamExt;
use probe::within;
use step09_epoll_reactor::{block_on, interval, stdin::Stdin};

mod lines;
#[cfg(target_os = "linux")]
mod linux;
mod numbers;
#[cfg(unix)]
mod unix;

const TOO_LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(2);

/// The ends of a pipe: where to read, and where to write.
#[cfg(unix)]
fn pipe() -> (End, End) {
    let (input, output) = rustix::pipe::pipe().unwrap();
    (End::from(input), End::from(output))
}

#[cfg(windows)]
fn pipe() -> (End, End) {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let output = End::connect(listener.local_addr().unwrap()).unwrap();
    (listener.accept().unwrap().0, output)
}

/// Runs a test on a pipe that a thread reads, and on one that is watched, unless this is Windows.
fn on_both(test: impl AsyncFn(Stdin, End)) {
    within(TOO_LONG, || {
        block_on(async {
            let (input, output) = pipe();
            test(Stdin::on_thread(input).unwrap(), output).await;
            #[cfg(unix)]
            {
                let (input, output) = pipe();
                test(Stdin::watch(input).unwrap(), output).await;
            }
        });
    });
}

async fn next(stdin: &mut Stdin) -> Option<String> {
    let line = stdin.read_line().await;
    line.unwrap_or_else(|error| Some(error.to_string()))
}

/// Completes after five ticks, which have to wait for the executor.
async fn five_ticks() {
    interval(SHORT).take(5).for_each(async |()| ()).await;
}
