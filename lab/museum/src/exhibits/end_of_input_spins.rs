//! An epoll that goes on watching an input that has ended.
//!
//! At the end of input a read returns 0 bytes, and does not block. So for epoll the descriptor is readable, and it stays
//! readable. The same happens with any line that is there after the last future has finished.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use rustix::event::epoll::EventFlags;

use crate::{
    Exhibit, Fails,
    props::{
        Task,
        kernel::{self, AT_ONCE, Stdin},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "end-of-input-spins",
    title: "an input that has ended stays readable, and epoll reports it again and again",
    was_in: "\"Inside async\", `Epoll::add_fd`",
    breaks: "a reactor sleeps as long as no task waits for an event",
    chapter: 9,
    fails: Fails::Prints("the sum is 49; waits that returned at once: 10,000 of 10,000"),
    why: "the task has read its line and finished. But epoll is level-triggered by default, so each wait returns \
          at once as long as a read would not block, and at the end of input a read never blocks. The callback \
          finds no waker. The fixed version registers the descriptor as one-shot: the kernel reports one event and then \
          stops watching, until a poll that returns Pending asks for the next event.",
    passes: "the sum is 49; waits that returned at once: 1 of 10,000",
    broken: || show(watched_broken(), wait_broken),
    repaired: || show(watched_repaired(), wait_repaired),
};

/// Adds the input to epoll's list, and returns the end that is written to as well.
fn watched_broken() -> (Arc<Stdin>, File) {
    Stdin::new(EventFlags::IN)
}

/// Called by each poll that returns Pending.
fn wait_broken(stdin: &Stdin, cx: &Context<'_>) {
    stdin.register(cx);
}

fn watched_repaired() -> (Arc<Stdin>, File) {
    Stdin::new(EventFlags::IN | EventFlags::ONESHOT)
}

fn wait_repaired(stdin: &Stdin, cx: &Context<'_>) {
    stdin.register(cx);
    stdin.arm_once();
}

fn poll(stdin: &Stdin, cx: &Context<'_>, wait: fn(&Stdin, &Context<'_>)) -> Poll<i32> {
    if !stdin.is_ready.load(SeqCst) {
        wait(stdin, cx);
        return Poll::Pending;
    }
    Poll::Ready(number(&stdin.pipe) + 10)
}

fn number(pipe: &File) -> i32 {
    let mut line = String::new();
    BufReader::new(pipe).read_line(&mut line).unwrap();
    line.trim().parse().unwrap()
}

fn show((stdin, mut writer): (Arc<Stdin>, File), wait: fn(&Stdin, &Context<'_>)) {
    let input = Arc::clone(&stdin);
    let future = async move {
        let sum = std::future::poll_fn(|cx| poll(&input, cx, wait)).await;
        print!("the sum is {sum}; ");
    };
    let is_woken = Arc::new(AtomicBool::new(false));
    let woken = Arc::clone(&is_woken);
    let task = Task::new(future, move |_| woken.store(true, SeqCst));
    task.poll();
    writer.write_all(b"39\n").unwrap();
    drop(writer);
    let returned = kernel::in_10_000(|| {
        let events = stdin.wait(AT_ONCE).unwrap();
        if is_woken.swap(false, SeqCst) {
            task.poll();
        }
        events
    });
    println!("waits that returned at once: {returned} of 10,000");
}
