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
    /// What has been read and not been returned.
    read: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    fn new(input: R) -> Frames<R> {
        let read = Vec::new();
        Frames { input, read }
    }

    /// The next frame. `None` at the end of the input.
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(frame) = self.take_frame()? {
                return Ok(Some(frame));
            }
            // Whole frames are taken out first, so these bytes are a part of one.
            if self.input.read_buf(&mut self.read).await? == 0 {
                return match self.read.is_empty() {
                    true => Ok(None),
                    false => Err(ErrorKind::UnexpectedEof.into()),
                };
            }
        }
    }

    /// Takes a frame out of what has been read, if a whole one is there.
    fn take_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some((length, rest)) = self.read.split_first_chunk() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*length) as usize;
        if length > LONGEST {
            return Err(ErrorKind::InvalidData.into());
        }
        let Some(frame) = rest.get(..length).map(<[u8]>::to_vec) else {
            return Ok(None);
        };
        self.read.drain(..4 + length);
        Ok(Some(frame))
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09h_frames.rs"]
mod tests;
