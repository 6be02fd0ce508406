//! Where the bytes come from: a descriptor that the kernel watches, or a thread that blocks.

use std::{
    fmt,
    io::{self, Read},
    pin::Pin,
    sync::mpsc::{self, Sender},
    task::{Context, Poll, ready},
    thread,
};

use futures::channel::oneshot;

#[cfg(unix)]
use rustix::fs::{FileType, fstat};

use crate::contain::contain;
#[cfg(unix)]
use crate::{AsIo, Direction, Registered};

/// How many bytes are read with one call.
const CHUNK: usize = 8_192;

// ANCHOR: input
pub(super) enum Input {
    /// A descriptor, which may be a blocking one. The runtime says when to read.
    #[cfg(unix)]
    Watched(Registered<Box<dyn AsIo + Send + Sync>>),
    /// What the kernel does not watch: a file, and on Windows every standard input.
    Thread(Reader),
}
// ANCHOR_END: input

/// A thread that reads when it is asked to.
pub(super) struct Reader {
    requests: Sender<oneshot::Sender<Chunk>>,
    /// The request that has not been answered.
    answer: Option<oneshot::Receiver<Chunk>>,
}

type Chunk = io::Result<Vec<u8>>;

impl Input {
    /// The standard input, unless it is something that the system does not watch.
    // ANCHOR: watch_stdin
    #[cfg(unix)]
    pub(super) fn watch_stdin() -> Option<Input> {
        let stdin = rustix::stdio::stdin();
        let kind = FileType::from_raw_mode(fstat(stdin).ok()?.st_mode);
        // Linux refuses to watch a file. macOS agrees, and then never reports its end.
        if kind.is_file() {
            return None;
        }
        Input::watch(stdin).ok()
    }
    // ANCHOR_END: watch_stdin

    /// Windows watches sockets only.
    #[cfg(windows)]
    pub(super) fn watch_stdin() -> Option<Input> {
        None
    }

    #[cfg(unix)]
    pub(super) fn watch(io: impl AsIo + Send + Sync + 'static) -> io::Result<Input> {
        let io: Box<dyn AsIo + Send + Sync> = Box::new(io);
        Ok(Input::Watched(Registered::blocking(io)?))
    }

    /// Ready with bytes, of which there are none at the end of the input.
    // ANCHOR: poll
    pub(super) fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Chunk> {
        match self {
            #[cfg(unix)]
            Input::Watched(registered) => registered.poll_io(Direction::Read, cx, |io| {
                let mut chunk = vec![0; CHUNK];
                let read = rustix::io::read(io, &mut chunk)?;
                chunk.truncate(read);
                Ok(chunk)
            }),
            Input::Thread(reader) => reader.poll_chunk(cx),
        }
    }
    // ANCHOR_END: poll
}

impl Reader {
    pub(super) fn start(mut from: impl Read + Send + 'static) -> io::Result<Reader> {
        let (requests, received) = mpsc::channel::<oneshot::Sender<Chunk>>();
        let thread = thread::Builder::new().name("stdin".into());
        thread.spawn(move || {
            for request in received {
                let chunk = read_chunk(&mut from);
                // An error: the input has been dropped meanwhile. The waker may panic, and there is more to read.
                contain(|| request.send(chunk));
            }
        })?;
        Ok(Reader {
            requests,
            answer: None,
        })
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Chunk> {
        let requests = &self.requests;
        let answer = self.answer.get_or_insert_with(|| {
            let (request, answer) = oneshot::channel();
            // An error: the thread has panicked, which the answer says too.
            let _ = requests.send(request);
            answer
        });
        let result = ready!(Pin::new(answer).poll(cx));
        self.answer = None;
        let panicked = |_| Err(io::Error::other("the thread that reads has panicked"));
        Poll::Ready(result.unwrap_or_else(panicked))
    }
}

fn read_chunk(from: &mut impl Read) -> Chunk {
    let mut chunk = vec![0; CHUNK];
    loop {
        match from.read(&mut chunk) {
            Ok(read) => {
                chunk.truncate(read);
                return Ok(chunk);
            }
            // By a signal. It has read nothing.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(unix)]
            Input::Watched(_) => "Watched",
            Input::Thread(_) => "Thread",
        })
    }
}
