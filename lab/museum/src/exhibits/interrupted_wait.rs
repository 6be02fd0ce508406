//! A reactor that unwraps what `epoll_wait` returns, in a process that is stopped and continued.
//!
//! Ctrl-Z stops it, and `fg` continues it. After that `epoll_wait` fails with EINTR, even if the program handles no signal
//! at all. The error means only that the wait was cut short, so the call can be made again.

use std::{
    future::poll_fn,
    io::{BufRead, BufReader, Write},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
    thread,
};

use futures::executor::block_on;
use rustix::{event::epoll::EventFlags, io::Errno};

use crate::{Breaks, Exhibit, Fails, props::kernel::Stdin};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "interrupted-wait",
    title: "after Ctrl-Z and fg, no event reaches the program any more",
    was_in: "document 002, `Epoll::start_loop` (D31)",
    breaks: Breaks::Rule("a call that a signal has interrupted is made again"),
    chapter: 9,
    fails: Fails::Hangs("returned Pending, and its waker was not called after that"),
    why: "the stop interrupts epoll_wait, whose EINTR is unwrapped. That panic ends the reactor's thread alone. The \
          program runs on, and no event reaches it any more. The twin makes the call again.",
    passes: "the line after the interruption: 39",
    broken: || show(start_loop_broken),
    repaired: || show(start_loop_repaired),
};

// ANCHOR: broken
fn start_loop_broken(stdin: &Stdin, _interrupted: &AtomicBool) {
    loop {
        stdin.wait(None).unwrap();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn start_loop_repaired(stdin: &Stdin, interrupted: &AtomicBool) {
    loop {
        match stdin.wait(None) {
            Ok(_) => {}
            Err(Errno::INTR) => interrupted.store(true, SeqCst),
            Err(error) => panic!("{error}"),
        }
    }
}
// ANCHOR_END: repaired

/// The line is the only one, so the poll that reads it is the last.
fn poll(stdin: &Stdin, cx: &mut Context<'_>) -> Poll<String> {
    if !stdin.is_ready.load(SeqCst) {
        stdin.register(cx);
        stdin.arm_once();
        return Poll::Pending;
    }
    let mut line = String::new();
    BufReader::new(&stdin.pipe).read_line(&mut line).unwrap();
    Poll::Ready(line)
}

fn show(start_loop: fn(&Stdin, &AtomicBool)) {
    let (stdin, mut writer) = Stdin::new(EventFlags::IN | EventFlags::ONESHOT);
    let interrupted = Arc::new(AtomicBool::new(false));
    let reactor = {
        let (stdin, interrupted) = (Arc::clone(&stdin), Arc::clone(&interrupted));
        let thread = thread::Builder::new().name("reactor".to_owned());
        let start_loop = move || start_loop(&stdin, &interrupted);
        thread.spawn(start_loop).unwrap()
    };
    // More than once only if the thread had not come to its wait yet.
    while !interrupted.load(SeqCst) && !reactor.is_finished() {
        let stop_and_continue = "kill -STOP $PPID; kill -CONT $PPID";
        let mut shell = Command::new("sh");
        shell.args(["-c", stop_and_continue]).status().unwrap();
    }
    writer.write_all(b"39\n").unwrap();
    let line = block_on(probe::watch("stdin", poll_fn(|cx| poll(&stdin, cx))));
    println!("the line after the interruption: {}", line.trim());
}
