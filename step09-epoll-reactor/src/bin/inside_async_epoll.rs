//! The program of *Inside async* (002), on version 2: `printf '39\n' | cargo run -p step09-epoll-reactor --bin inside_async_epoll`
//! reads a number from the standard input and adds 10. Linux only.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    if let Err(error) = linux::run() {
        eprintln!("standard input: {error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("this program is for Linux, because it waits in epoll");
    ExitCode::FAILURE
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        future::Future,
        io,
        os::fd::BorrowedFd,
        pin::Pin,
        task::{Context, Poll, ready},
    };

    use rustix::{io::read, stdio::stdin};
    use step09_epoll_reactor::{Direction, Reactor, Registered, Runtime, v2_epoll::Epoll};

    /// An endless line is refused once it has filled this much memory.
    const LONGEST: usize = 64;

    // ANCHOR: future
    /// Reads a line from the standard input, takes it for a number, and adds 10.
    struct StdinFuture {
        /// `None`: epoll does not watch it. That is a file or `/dev/null`, which make no one wait.
        watched: Option<Registered<BorrowedFd<'static>>>,
        line: [u8; LONGEST],
        len: usize,
    }

    impl StdinFuture {
        fn new() -> io::Result<StdinFuture> {
            // The shell shares it, so it is not made non-blocking. One event allows for one read.
            let watched = match Registered::blocking(stdin()) {
                Ok(watched) => Some(watched),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
                Err(error) => return Err(error),
            };
            let (line, len) = ([0; LONGEST], 0);
            Ok(StdinFuture { watched, line, len })
        }
    }

    impl Future for StdinFuture {
        type Output = io::Result<i64>;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<i64>> {
            let StdinFuture { watched, line, len } = &mut *self;
            while !line[..*len].contains(&b'\n') {
                let room = &mut line[*len..];
                if room.is_empty() {
                    let error = io::Error::other("the line is too long for a number");
                    return Poll::Ready(Err(error));
                }
                let mut read = || Ok(read(stdin(), &mut *room)?);
                let count = match watched {
                    Some(stdin) => ready!(stdin.poll_io(Direction::Read, cx, |_| read()))?,
                    None => read()?,
                };
                // The end of the input ends a line, too.
                if count == 0 {
                    break;
                }
                *len += count;
            }
            Poll::Ready(add_ten(&line[..*len]))
        }
    }
    // ANCHOR_END: future

    fn add_ten(input: &[u8]) -> io::Result<i64> {
        let input = String::from_utf8_lossy(input);
        let line = input.lines().next().unwrap_or_default().trim();
        // An `i32`, as in the document, so that the sum fits into an `i64`.
        match line.parse::<i32>() {
            Ok(number) => Ok(i64::from(number) + 10),
            Err(error) => Err(io::Error::other(format!("{line:?}: {error}"))),
        }
    }

    pub(super) fn run() -> io::Result<()> {
        let mut runtime = Runtime::with_reactor(Reactor::new(Epoll::new()?));
        runtime.block_on(async {
            println!("stdin future result: {}", StdinFuture::new()?.await?);
            println!("stdin future done");
            io::Result::Ok(())
        })?;
        println!("Task stdin task completed!");
        Ok(())
    }
}
