//! How long a task may continue if it always finds data.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Poll, ready},
};

use step10_work_stealing::{Direction, Handle, Registered, Runtime};

use super::staged::{hold_a_worker, join};

const BYTES: usize = 1_000;

/// Shows it without a budget and with one.
///
/// # Errors
///
/// If the system has no descriptors left.
pub fn show() -> io::Result<()> {
    println!(
        "4. One worker. A task reads {BYTES} bytes that have arrived, one by one. Another task waits in the queue"
    );
    reads("no budget", Runtime::without_budget(1))?;
    reads("128 reads in one poll", Runtime::new(1))
}

fn reads(name: &str, runtime: Runtime) -> io::Result<()> {
    let socket = socket_with_data(&runtime.handle())?;
    let (reads, polls) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let held = hold_a_worker(&runtime);
    let reader = runtime.spawn({
        let (reads, polls) = (Arc::clone(&reads), Arc::clone(&polls));
        poll_fn(move |cx| {
            polls.fetch_add(1, Ordering::Relaxed);
            while reads.load(Ordering::Relaxed) < BYTES {
                let read = |mut socket: &TcpStream| socket.read_exact(&mut [0]);
                ready!(socket.poll_io(Direction::Read, cx, read)).expect("the data is there");
                reads.fetch_add(1, Ordering::Relaxed);
            }
            Poll::Ready(())
        })
    });
    let reads_so_far = Arc::clone(&reads);
    let neighbour = runtime.spawn(async move { reads_so_far.load(Ordering::Relaxed) });
    drop(held);
    let before = join(neighbour);
    join(reader);
    println!(
        "   {:<22} reads before the other task's turn: {before:>4}, polls for all reads: {}",
        format!("{name}:"),
        polls.load(Ordering::Relaxed)
    );
    Ok(())
}

/// A socket that has received all of its data.
fn socket_with_data(handle: &Handle) -> io::Result<Registered<TcpStream>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let reader = TcpStream::connect(listener.local_addr()?)?;
    listener.accept()?.0.write_all(&[0; BYTES])?;
    while reader.peek(&mut [0; BYTES])? < BYTES {}
    reader.set_nonblocking(true)?;
    handle.register(reader)
}
