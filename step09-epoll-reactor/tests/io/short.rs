//! Reads that don't fill their buffer. The next one is not tried before an event, unless there is something behind the data
//! that is not reported again.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::{self, Shutdown},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
};

use futures::{AsyncReadExt, join};
use probe::within;
use step09_epoll_reactor::{AsIo, BorrowedIo, Handle, Registered, Runtime, Trigger};

#[cfg(unix)]
use super::registered::pipe;
use super::{
    LIMIT, connection_to_peer, on_both,
    registered::pair,
    run_on_both,
    scripted::{NEITHER, READ, Script, WRITE},
};

/// A socket that is read by a function of the test.
struct ReadBy<F>(net::TcpStream, F);

#[cfg(unix)]
impl<F> AsIo for ReadBy<F> {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.0.as_fd()
    }
}

#[cfg(windows)]
impl<F> AsIo for ReadBy<F> {
    fn as_socket(&self) -> BorrowedIo<'_> {
        self.0.as_socket()
    }
}

impl<F: Fn(&net::TcpStream, &mut [u8]) -> io::Result<usize>> Read for &ReadBy<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.1)(&self.0, buffer)
    }
}

/// Polls a read with room for eight bytes.
fn poll_eight<F>(socket: &Registered<ReadBy<F>>, waker: &Waker) -> Poll<usize>
where
    F: Fn(&net::TcpStream, &mut [u8]) -> io::Result<usize> + Send + Sync + 'static,
{
    let read = socket.poll_read(&mut Context::from_waker(waker), &mut [0; 8]);
    read.map(Result::unwrap)
}

#[test]
fn after_a_short_read_no_other_is_tried_before_an_event() {
    on_both(|runtime, _| {
        let (ours, mut peer) = pair();
        let reads = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&reads);
        let read = move |mut io: &net::TcpStream, buffer: &mut [u8]| {
            counted.fetch_add(1, SeqCst);
            io.read(buffer)
        };
        let socket = runtime.handle().register(ReadBy(ours, read)).unwrap();
        let read =
            |runtime: &mut Runtime| runtime.block_on(poll_fn(|cx| poll_eight(&socket, cx.waker())));
        peer.write_all(b"39").unwrap();
        assert_eq!(read(runtime), 2);
        assert!(poll_eight(&socket, Waker::noop()).is_pending());
        assert_eq!(reads.load(SeqCst), 1);
        // A full buffer says nothing about what is left.
        peer.write_all(b"ten digits").unwrap();
        assert_eq!((read(runtime), read(runtime)), (8, 2));
        assert!(poll_eight(&socket, Waker::noop()).is_pending());
    });
}

/// Polls three reads of two bytes. During the first of them, `meanwhile` happens. Returns which of them were ready.
fn three_short_reads(
    trigger: Trigger,
    meanwhile: impl Fn(&Script) + Copy + Send + Sync + 'static,
) -> [bool; 3] {
    let mut ready = [false; 3];
    Script::run(trigger, |handle: &Handle, script: &Script| {
        let (script, reads) = (script.clone(), AtomicUsize::new(0));
        let read = move |_: &net::TcpStream, _: &mut [u8]| {
            if reads.fetch_add(1, SeqCst) == 0 {
                meanwhile(&script);
            }
            Ok(2)
        };
        let socket = handle.register(ReadBy(pair().0, read)).unwrap();
        ready = [(); 3].map(|()| poll_eight(&socket, Waker::noop()).is_ready());
    });
    ready
}

#[test]
fn an_event_while_a_short_read_returns_is_not_lost() {
    within(LIMIT, || {
        for trigger in [Trigger::OneShot, Trigger::Edge] {
            let ready = three_short_reads(trigger, |script| script.report(0, READ));
            assert_eq!(ready, [true, true, false]);
        }
    });
}

#[test]
fn an_end_while_a_short_read_returns_is_not_lost() {
    within(LIMIT, || {
        // Also if another event follows that does not mention it.
        let ready = three_short_reads(Trigger::Edge, |script| {
            script.report_end(0, NEITHER);
            script.report(0, WRITE);
        });
        assert_eq!(ready, [true; 3]);
    });
}

/// One report says both, and none follows.
#[test]
fn the_end_that_came_with_the_data_is_read_and_read_again() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        let read = async {
            let data = ours.read(&mut buffer).await.unwrap();
            let end = ours.read(&mut buffer).await.unwrap();
            [data, end, ours.read(&mut buffer).await.unwrap()]
        };
        let write = async {
            peer.write_all(b"39").unwrap();
            peer.shutdown(Shutdown::Write).unwrap();
        };
        assert_eq!(join!(read, write).0, [2, 0, 0]);
    });
}

/// For a pipe, the kernel has another word for it.
#[cfg(unix)]
#[test]
fn the_end_of_a_pipe_that_came_with_the_data_is_read() {
    on_both(|runtime, _| {
        let (reader, mut writer) = pipe();
        let reader = runtime.handle().register(reader).unwrap();
        let mut buffer = [0; 8];
        let mut poll = |cx: &mut Context<'_>| reader.poll_read(cx, &mut buffer).map(Result::unwrap);
        let read = async {
            let data = poll_fn(&mut poll).await;
            (data, poll_fn(&mut poll).await)
        };
        let write = async {
            writer.write_all(b"39").unwrap();
            drop(writer);
        };
        assert_eq!(runtime.block_on(async { join!(read, write).0 }), (2, 0));
    });
}

/// The kernel lets a read stop before an urgent byte, and leaves that byte out.
#[cfg(target_os = "linux")]
#[test]
fn what_follows_an_urgent_byte_is_read() {
    run_on_both(|| async {
        let (mut ours, mut peer) = connection_to_peer().await;
        let mut buffer = [0; 8];
        let read = async {
            let before = ours.read(&mut buffer).await.unwrap();
            (before, ours.read(&mut buffer).await.unwrap())
        };
        let write = async {
            socket2::SockRef::from(&peer)
                .send_out_of_band(b"39!")
                .unwrap();
            peer.write_all(b"more").unwrap();
        };
        assert_eq!(join!(read, write).0, (2, 4));
    });
}
