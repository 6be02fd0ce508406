//! Reads that don't fill their buffer. The next one is not tried before an event, unless there is something behind the data
//! that is not reported again.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    mem,
    net::{self, Shutdown},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
};

use futures::{AsyncReadExt, join};
use step09_epoll_reactor::{AsIo, BorrowedIo, Parker, Registered, Runtime};

#[cfg(unix)]
use super::registered::pipe;
use super::{connection_to_peer, on_both, registered::pair, run_on_both};

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
    on_both(|runtime, calls| {
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
        // One-shot, each wait begins with a read.
        assert_eq!(reads.load(SeqCst), 1 + calls.so_far().arms);
        // A full buffer says nothing about what is left.
        peer.write_all(b"ten digits").unwrap();
        assert_eq!((read(runtime), read(runtime)), (8, 2));
        assert!(poll_eight(&socket, Waker::noop()).is_pending());
    });
}

/// Around the first read there are four moments: before its poll, in it before and after the kernel's answer, and after it. At
/// one of them the peer goes on, and at any of them the kernel may report what there is.
#[test]
fn in_every_order_around_a_read_all_is_read_and_then_the_end() {
    for order in 0..2 * 3 * 4 * 16 {
        let first = [2, 8][order % 2];
        let (more, ends) = [(2, false), (0, true), (2, true)][order / 2 % 3];
        let (goes_on, reports) = (order / 6 % 4, order / 24);
        println!("{first}, at {goes_on} {more} more, the end: {ends}; reports: {reports:04b}");
        on_both(|runtime, calls| {
            let other = Runtime::with_park(Parker::default());
            let runtime = Arc::new(Mutex::new(mem::replace(runtime, other)));
            let (there, calls, moment) = (runtime.clone(), calls.clone(), AtomicUsize::new(0));
            let (ours, mut peer) = pair();
            peer.write_all(&[39; 8][..first]).unwrap();
            let last = peer.try_clone().unwrap();
            let moment = Arc::new(move || {
                let moment = moment.fetch_add(1, SeqCst);
                if moment == goes_on {
                    (&peer).write_all(&[39; 8][..more]).unwrap();
                    if ends {
                        peer.shutdown(Shutdown::Write).unwrap();
                    }
                }
                if moment < 4 && reports >> moment & 1 == 1 {
                    let before = calls.so_far().waits;
                    there.lock().unwrap().block_on(poll_fn(|cx| {
                        cx.waker().wake_by_ref();
                        let has_waited = calls.so_far().waits > before;
                        has_waited.then_some(()).map_or(Poll::Pending, Poll::Ready)
                    }));
                }
            });
            let in_read = Arc::clone(&moment);
            let read = move |mut io: &net::TcpStream, buffer: &mut [u8]| {
                in_read();
                let count = io.read(buffer);
                in_read();
                count
            };
            let handle = runtime.lock().unwrap().handle();
            let socket = handle.register(ReadBy(ours, read)).unwrap();
            moment();
            let mut count = match poll_eight(&socket, Waker::noop()) {
                Poll::Ready(count) => count,
                Poll::Pending => 0,
            };
            moment();
            let read = || poll_fn(|cx| poll_eight(&socket, cx.waker()));
            runtime.lock().unwrap().block_on(async {
                while count < first + more {
                    count += read().await;
                }
                if !ends {
                    last.shutdown(Shutdown::Write).unwrap();
                }
                assert_eq!([count, read().await, read().await], [first + more, 0, 0]);
            });
        });
    }
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
