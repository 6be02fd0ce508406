//! An echo server on loopback, at a free port that it prints. It serves until it is stopped.

use std::io::{self, Write};

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt, io::copy};
use step09_epoll_reactor::{
    block_on,
    net::{TcpListener, TcpStream},
    spawn,
};

fn main() -> io::Result<()> {
    block_on(accept_all())
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
            // What goes wrong on a connection ends its own task, and no other one.
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

async fn echo(stream: TcpStream) -> io::Result<()> {
    let (reader, mut writer) = stream.split();
    copy(reader, &mut writer).await?;
    writer.close().await
}
