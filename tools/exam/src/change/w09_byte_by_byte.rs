//! A reader that asks the socket for one byte at a time.

use std::{
    cell::Cell,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use futures::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt,
    executor::block_on,
    io::{BufReader, Cursor},
};

// ANCHOR: program
/// Reads a line, up to its end or that of the input.
async fn read_line(mut socket: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while socket.read(&mut byte).await? == 1 && byte != *b"\n" {
        line.extend(byte);
    }
    Ok(line)
}
// ANCHOR_END: program

// ANCHOR: change
/// The caller makes the `BufReader` once for each socket, because it may hold the beginning of the next line.
async fn changed(socket: &mut BufReader<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    socket.read_until(b'\n', &mut line).await?;
    if line.ends_with(b"\n") {
        line.pop();
    }
    Ok(line)
}
// ANCHOR_END: change

/// Input that counts the reads, each of which would be a system call on a socket.
struct Socket<'a>(Cursor<Vec<u8>>, &'a Cell<usize>);

impl AsyncRead for Socket<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.1.set(self.1.get() + 1);
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

#[test]
fn a_buffer_makes_one_read_of_a_thousand() {
    let line = [b'x'; 999];
    let input = [&line[..], b"\n", &line[..], b"\n"].concat();
    let (reads, buffered) = (Cell::new(0), Cell::new(0));
    let got = block_on(read_line(Socket(Cursor::new(input.clone()), &reads)));
    assert_eq!(got.unwrap(), line);
    let mut socket = BufReader::new(Socket(Cursor::new(input), &buffered));
    for _ in 0..2 {
        assert_eq!(block_on(changed(&mut socket)).unwrap(), line);
    }
    assert_eq!((reads.get(), buffered.get()), (1_000, 1));

    // With a buffer for each line, the second line is lost.
    let mut socket = Socket(Cursor::new(b"howdy!\n".repeat(2)), &reads);
    let lines = [(); 2].map(|()| block_on(changed(&mut BufReader::new(&mut socket))).unwrap());
    assert_eq!(lines, [b"howdy!".to_vec(), vec![]]);
}
