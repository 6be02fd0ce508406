//! Registering: what is refused, and descriptors that outlive their runtime or are used on another.

use std::{
    future::poll_fn,
    io::{self, ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures::{channel::oneshot, join};
use probe::{CountingWaker, within};
use step09_epoll_reactor::{Direction, Parker, Registered, Runtime, sleep};

use super::{ANY, LIMIT, kind, on_both, watched};

/// Two ends of a connection, of which the first one does not block.
pub fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind(ANY).unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    ours.set_nonblocking(true).unwrap();
    (ours, listener.accept().unwrap().0)
}

fn poll_read(ours: &Registered<TcpStream>, waker: &Waker) -> Poll<std::io::Result<usize>> {
    let read = |mut stream: &TcpStream| stream.read(&mut [0; 8]);
    ours.poll_io(Direction::Read, &mut Context::from_waker(waker), read)
}

#[cfg(target_os = "linux")]
#[test]
fn a_regular_file_is_refused() {
    on_both(|runtime, counts| {
        let program = std::fs::File::open("/proc/self/exe").unwrap();
        let refused = kind(runtime.handle().register(program));
        assert_eq!(refused, Some(ErrorKind::PermissionDenied));
        assert_eq!(watched(counts), 0);
    });
}

#[test]
fn a_runtime_without_a_reactor_refuses() {
    let runtime = Runtime::with_park(Parker::default());
    let refused = kind(runtime.handle().register(pair().0));
    assert_eq!(refused, Some(ErrorKind::Unsupported));
}

#[test]
fn a_runtime_that_has_been_dropped_refuses() {
    within(LIMIT, || {
        let runtime = Runtime::new().unwrap();
        let handle = runtime.handle();
        drop(runtime);
        assert_eq!(kind(handle.register(pair().0)), Some(ErrorKind::Other));
    });
}

/// In both directions, whether a task waits there or has found it ready.
#[test]
fn when_its_runtime_ends_tasks_are_woken_and_operations_fail() {
    within(LIMIT, || {
        for direction in [Direction::Read, Direction::Write] {
            let runtime = Runtime::new().unwrap();
            let [waits, ready] = [(); 2].map(|()| runtime.handle().register(pair().0).unwrap());
            let counts = CountingWaker::new();
            let waker = counts.waker();
            let mut cx = Context::from_waker(&waker);
            let would_block =
                |_: &TcpStream| -> io::Result<()> { Err(ErrorKind::WouldBlock.into()) };
            assert!(waits.poll_io(direction, &mut cx, would_block).is_pending());
            assert!(ready.poll_io(direction, &mut cx, |_| Ok(())).is_ready());
            drop(runtime);
            assert_eq!((counts.wakes(), counts.live()), (1, 1)); // only `waker` itself is left
            for registered in [&waits, &ready] {
                for direction in [Direction::Read, Direction::Write] {
                    let tried = registered.poll_io(direction, &mut cx, |_| -> io::Result<()> {
                        panic!("nothing will be reported, so it is not tried")
                    });
                    assert!(matches!(tried, Poll::Ready(Err(_))));
                }
            }
        }
    });
}

#[test]
fn a_socket_of_one_runtime_is_used_on_another() {
    on_both(|runtime, _| {
        let (ours, mut peer) = pair();
        let (send, handle) = mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let owner = thread::spawn(move || {
            let mut runtime = Runtime::new().unwrap();
            send.send(runtime.handle()).unwrap();
            let _ = runtime.block_on(ended);
        });
        let ours = handle.recv().unwrap().register(ours).unwrap();
        let handle = runtime.handle();
        let read = runtime.block_on(async {
            let waits = CountingWaker::new();
            assert!(poll_read(&ours, &waits.waker()).is_pending());
            let read = handle.spawn(poll_fn(move |cx| poll_read(&ours, cx.waker())));
            peer.write_all(b"39").unwrap();
            read.await.unwrap()
        });
        assert_eq!(read.unwrap(), 2);
        drop(end);
        owner.join().unwrap();
    });
}

#[test]
fn a_descriptor_that_is_dropped_is_no_longer_watched() {
    on_both(|runtime, counts| {
        let (ours, mut peer) = pair();
        let still_open = ours.try_clone().unwrap(); // so that closing it is not enough for the kernel
        let ours = runtime.handle().register(ours).unwrap();
        assert_eq!(watched(counts), 1);
        drop(ours);
        assert_eq!(watched(counts), 0);
        peer.write_all(b"39").unwrap();
        let before = counts.so_far();
        runtime.block_on(async { sleep(Duration::from_millis(1)).await });
        assert_eq!((counts.so_far() - before).events, 0);
        drop(still_open);
    });
}

/// The two ends of a pipe, neither of which blocks.
#[cfg(unix)]
pub fn pipe() -> (std::fs::File, std::fs::File) {
    let (reader, writer) = rustix::pipe::pipe().unwrap();
    for end in [&reader, &writer] {
        rustix::fs::fcntl_setfl(end, rustix::fs::OFlags::NONBLOCK).unwrap();
    }
    (reader.into(), writer.into())
}

/// The kernel says neither "readable" nor "writable" in this case, but that the other end has gone.
#[cfg(unix)]
#[test]
fn the_end_of_a_pipe_whose_writer_has_gone() {
    on_both(|runtime, _| {
        let (reader, writer) = pipe();
        let reader = runtime.handle().register(reader).unwrap();
        let read = |mut file: &std::fs::File| file.read(&mut [0; 8]);
        let read = poll_fn(|cx| reader.poll_io(Direction::Read, cx, read));
        let (read, ()) = runtime.block_on(async { join!(read, async { drop(writer) }) });
        assert_eq!(read.unwrap(), 0);
    });
}
