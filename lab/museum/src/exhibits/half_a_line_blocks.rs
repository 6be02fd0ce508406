//! A future that reads a whole line when epoll reports that the first two bytes of it are there.
//!
//! A terminal hands over whole lines, so it hides the mistake. A pipe hands over what has been written so far.

use std::{
    future::poll_fn,
    io::{BufRead, BufReader, Read, Write},
    sync::atomic::Ordering::SeqCst,
    task::{Context, Poll},
};

use futures::{executor::block_on, future::join};
use rustix::event::epoll::EventFlags;

use crate::{
    Exhibit, Fails,
    props::{kernel::Stdin, yields},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "half-a-line-blocks",
    title: "39 without its newline blocks the executor's thread inside poll",
    was_in: "\"Inside async\", `StdinFuture::poll`",
    breaks: "a poll does not block: it takes what is there, and returns Pending for the rest",
    chapter: 9,
    fails: Fails::Hangs("is inside poll"),
    why: "epoll reports the two bytes. The poll takes them and reads again, because there is no newline. The \
          second read sleeps, so its thread does not poll the other task, which would tick and then write the \
          newline. The fixed version makes one read for each event, which cannot block, and keeps the bytes for \
          the next poll.",
    passes: "the other task has ticked 3 times; the line is 39",
    broken: || show(EventFlags::IN, poll_broken),
    repaired: || show(EventFlags::IN | EventFlags::ONESHOT, poll_repaired),
};

// ANCHOR: broken
fn poll_broken(stdin: &Stdin, line: &mut Vec<u8>, cx: &mut Context<'_>) -> Poll<()> {
    if !stdin.is_ready.load(SeqCst) {
        stdin.register(cx);
        return Poll::Pending;
    }
    BufReader::new(&stdin.pipe).read_until(b'\n', line).unwrap();
    Poll::Ready(())
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// Registered with `EventFlags::ONESHOT`, so there is no event between two calls of `arm_once`.
fn poll_repaired(stdin: &Stdin, line: &mut Vec<u8>, cx: &mut Context<'_>) -> Poll<()> {
    if stdin.is_ready.swap(false, SeqCst) {
        let mut bytes = [0; 4096];
        let length = (&stdin.pipe).read(&mut bytes).unwrap();
        line.extend(&bytes[..length]);
        if length == 0 || line.contains(&b'\n') {
            return Poll::Ready(());
        }
    }
    stdin.register(cx);
    stdin.arm_once();
    Poll::Pending
}
// ANCHOR_END: repaired

fn show(flags: EventFlags, poll: fn(&Stdin, &mut Vec<u8>, &mut Context<'_>) -> Poll<()>) {
    let (stdin, mut writer) = Stdin::new(flags);
    writer.write_all(b"39").unwrap();
    stdin.wait(None).unwrap();
    let mut line = Vec::new();
    let reads = poll_fn(|cx| poll(&stdin, &mut line, cx));
    let ticks = async {
        for _ in 0..3 {
            yields(1).await;
        }
        writer.write_all(b"\n").unwrap();
        // In the place of the reactor's thread. The event is there.
        stdin.wait(None).unwrap();
        3
    };
    let (reads, ticks) = (probe::watch("stdin", reads), probe::watch("ticks", ticks));
    let ((), ticks) = block_on(join(reads, ticks));
    let line = String::from_utf8_lossy(&line);
    println!(
        "the other task has ticked {ticks} times; the line is {}",
        line.trim()
    );
}
