//! s09h · complete · 20 minutes · chapter 09, "Epoll and the reactor"
//!
//! This runs on tokio's traits. A protocol sends *frames*: four bytes say how long a frame is, the highest first, and then come
//! that many bytes. A socket knows nothing of frames. One read returns half a frame, or three and a half.
//!
//! Write `next`, so that it keeps four rules:
//!
//! 1. It returns the next frame without its length, and doesn't read as long as a whole frame is there already.
//! 2. It's cancel safe: its future may be dropped at each `.await`, for example by `select!`, and no byte gets lost.
//! 3. At the end of the input it returns `Ok(None)`, but an error of the kind `UnexpectedEof` if the end is in the middle of a frame.
//! 4. A frame of more than `LONGEST` bytes is an error of the kind `InvalidData`, as soon as its length is there. And since each read is a
//!    system call, one read may take more than one frame: a hundred short ones need at most twenty-five.
//!
//! What half a frame has left has to be somewhere. You may add fields to `Frames`, and set them in `new`.
//!
//! Run: `cargo test --bin s09h_frames`, or save this file while `rustlings` runs.
//! Red: a test says which bytes had arrived, and what `next` returned.

use std::io::{self, ErrorKind};
use tokio::io::{AsyncRead, AsyncReadExt};

/// So many bytes a frame has at most.
const LONGEST: usize = 1 << 16;

/// Reads frames from an input.
struct Frames<R> {
    input: R,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    fn new(input: R) -> Frames<R> {
        Frames { input }
    }

    /// The next frame. `None` at the end of the input.
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        // TODO: each `.await` may be the last one of this future. What has it taken out of the input by then?
        let length = self.input.read_u32().await?;
        let mut frame = vec![0; length as usize];
        self.input.read_exact(&mut frame).await?;
        Ok(Some(frame))
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09h_frames.rs"]
mod tests;
