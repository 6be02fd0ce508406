//! In the document's own shape: a thread waits in epoll and calls the callback of a token, the
//! callback wakes the task, and its waker writes to the eventfd in whose `read` the executor
//! sleeps.

use std::{
    collections::HashMap,
    io,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread,
};

use futures::{StreamExt, channel::mpsc};
use rustix::{
    buffer::spare_capacity,
    event::{EventfdFlags, epoll, eventfd},
    fd::OwnedFd,
    io::{read, retry_on_intr, write},
    stdio::stdin,
};

const TOKEN: epoll::EventData = epoll::EventData::new_u64(0);
/// Reported once each time the task asks, so the thread sleeps while the task is busy, and after it.
const ONCE: epoll::EventFlags = epoll::EventFlags::IN.union(epoll::EventFlags::ONESHOT);

struct EventFd(OwnedFd);

impl Wake for EventFd {
    fn wake(self: Arc<Self>) {
        write(&self.0, &1_u64.to_ne_bytes()).expect("the eventfd is open");
    }
}

fn start_loop(epoll: Arc<OwnedFd>, callbacks: HashMap<u64, Box<dyn Fn() + Send>>) {
    thread::spawn(move || {
        loop {
            let mut events = Vec::with_capacity(10);
            let wait = || epoll::wait(&epoll, spare_capacity(&mut events), None);
            retry_on_intr(wait).expect("epoll waits");
            for event in events {
                callbacks[&event.data.u64()]();
            }
        }
    });
}

async fn stdin_future(epoll: &OwnedFd, mut ready: mpsc::UnboundedReceiver<()>) -> io::Result<()> {
    let (mut input, mut piece) = (Vec::new(), [0; 64]);
    while !input.contains(&b'\n') {
        ready.next().await;
        match read(stdin(), &mut piece)? {
            0 => break,
            count => input.extend_from_slice(&piece[..count]),
        }
        epoll::modify(epoll, stdin(), TOKEN, ONCE)?;
    }
    let input = String::from_utf8_lossy(&input);
    let line = input.lines().next().unwrap_or_default().trim();
    let number: i64 = match line.parse::<i32>() {
        Ok(number) => number.into(),
        Err(error) => return Err(io::Error::other(format!("{line:?}: {error}"))),
    };
    println!("stdin future result: {}", number + 10);
    println!("stdin future done");
    Ok(())
}

pub fn run() -> io::Result<()> {
    let event_fd = Arc::new(EventFd(eventfd(0, EventfdFlags::CLOEXEC)?));
    let epoll = Arc::new(epoll::create(epoll::CreateFlags::CLOEXEC)?);
    epoll::add(&epoll, stdin(), TOKEN, ONCE)?;
    let (set_ready, ready) = mpsc::unbounded();
    let callback: Box<dyn Fn() + Send> = Box::new(move || drop(set_ready.unbounded_send(())));
    start_loop(Arc::clone(&epoll), HashMap::from([(TOKEN.u64(), callback)]));

    let waker = Waker::from(Arc::clone(&event_fd));
    let mut task = pin!(stdin_future(&epoll, ready));
    loop {
        if let Poll::Ready(result) = task.as_mut().poll(&mut Context::from_waker(&waker)) {
            result?;
            println!("Task stdin task completed!");
            return Ok(());
        }
        retry_on_intr(|| read(&event_fd.0, &mut [0; 8]))?;
    }
}
