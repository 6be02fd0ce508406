//! An echo server.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt};
use step09_epoll_reactor::{
    block_on,
    net::{TcpListener, TcpStream},
    spawn,
};

/// Serves on loopback, at a free port that it prints, until it is stopped.
pub fn serve() -> ExitCode {
    match block_on(accept_all()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the server cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

// ANCHOR: accept_all
async fn accept_all() -> io::Result<()> {
    let listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
    let mut stdout = io::stdout();
    writeln!(stdout, "listening on {}", listener.local_addr()?)?;
    stdout.flush()?;
    let mut incoming = listener.incoming();
    let mut printed = None; // the code of the last error that was printed
    while let Some(accepted) = incoming.next().await {
        match accepted {
            // What goes wrong on a connection ends its task, and concerns no other one.
            Ok(stream) => drop(spawn(echo(stream))),
            // The same error once, and not each time that it tries again.
            Err(error) if printed == error.raw_os_error() => {}
            Err(error) => {
                eprintln!("a connection cannot be accepted: {error}");
                printed = error.raw_os_error();
            }
        }
    }
    Ok(())
}
// ANCHOR_END: accept_all

/// Sends back what it receives, until the peer sends no more.
// ANCHOR: echo
pub async fn echo(mut stream: TcpStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer).await? {
            0 => return stream.close().await,
            length => stream.write_all(&buffer[..length]).await?,
        }
    }
}
// ANCHOR_END: echo
