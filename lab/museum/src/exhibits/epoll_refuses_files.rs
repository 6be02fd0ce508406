//! Standard input that is a file, or `/dev/null`, and an epoll that is asked to watch it.
//!
//! A file is never "not ready yet", so the kernel has nothing to report of it, and epoll refuses it. Terminals, pipes and
//! sockets are accepted. Which one standard input is, the shell decides: `program < numbers.txt`.

use std::{
    fs::File,
    io::{BufRead, BufReader, Seek, Write},
    os::fd::OwnedFd,
    thread,
};

use futures::{channel::oneshot, executor::block_on};
use rustix::{
    event::epoll::{self, EventData, EventFlags},
    fs::{MemfdFlags, memfd_create},
    io::Errno,
    pipe::{PipeFlags, pipe_with},
};

use crate::{Breaks, Exhibit, Fails, props::kernel};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "epoll-refuses-files",
    title: "input from a file ends the program at its start",
    was_in: "document 002, `Epoll::add_fd` (D26)",
    breaks: Breaks::Rule("a program reads its numbers from a file as it does from a pipe"),
    chapter: 9,
    fails: Fails::Panics("Operation not permitted"),
    why: "epoll_ctl answers EPERM for what is always ready, such as a file or /dev/null, and the program unwraps \
          that. The twin reads such an input on a thread, which sends the line to the task.",
    passes: "a pipe: 38; a file: 39, by a thread; /dev/null: the end of input, by a thread",
    broken: || show(line_broken),
    repaired: || show(line_repaired),
};

// ANCHOR: broken
async fn line_broken(epoll: &OwnedFd, input: File) -> String {
    epoll::add(epoll, &input, EventData::new_u64(0), EventFlags::IN).unwrap();
    watched_line(epoll, input).await
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn line_repaired(epoll: &OwnedFd, input: File) -> String {
    match epoll::add(epoll, &input, EventData::new_u64(0), EventFlags::IN) {
        Ok(()) => watched_line(epoll, input).await,
        Err(Errno::PERM) => {
            let (sender, line) = oneshot::channel();
            thread::spawn(move || {
                // If nothing waits any more, the line is not needed.
                let _ = sender.send(read_line(input));
            });
            line.await.unwrap() + ", by a thread"
        }
        Err(error) => error.to_string(),
    }
}
// ANCHOR_END: repaired

/// The task's thread is the reactor's too.
async fn watched_line(epoll: &OwnedFd, input: File) -> String {
    kernel::wait(epoll, None).unwrap();
    read_line(input)
}

fn read_line(input: File) -> String {
    let mut line = String::new();
    match BufReader::new(input).read_line(&mut line) {
        Ok(0) => "the end of input".to_owned(),
        Ok(_) => line.trim().to_owned(),
        Err(error) => error.to_string(),
    }
}

fn show(line: impl AsyncFn(&OwnedFd, File) -> String) {
    let (pipe, writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
    File::from(writer).write_all(b"38\n").unwrap();
    // A file without a name.
    let mut file: File = memfd_create("numbers", MemfdFlags::CLOEXEC).unwrap().into();
    file.write_all(b"39\n").unwrap();
    file.rewind().unwrap();
    let null = File::open("/dev/null").unwrap();
    let epoll = kernel::new_epoll();
    print!("a pipe: {}", block_on(line(&epoll, pipe.into())));
    print!("; a file: {}", block_on(line(&epoll, file)));
    println!("; /dev/null: {}", block_on(line(&epoll, null)));
}
