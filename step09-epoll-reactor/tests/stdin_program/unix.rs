//! What only Unix has: sockets, folders and closed outputs as descriptors.

use std::{
    fs::File,
    io::Write,
    net::Shutdown,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Command, Stdio},
    thread,
};

use probe::within;
use rustix::fs::{OFlags, fcntl_getfl};

use super::program::{A_TICK, Program, TOO_LONG};

#[test]
fn a_socket_is_watched_and_other_tasks_tick_while_it_is_silent() {
    within(TOO_LONG, || {
        let (input, mut output) = UnixStream::pair().unwrap();
        let mut program = Program::start(OwnedFd::from(input.try_clone().unwrap()));
        output.write_all(b"39\n3").unwrap();
        assert_eq!(program.line(), "49");
        thread::sleep(A_TICK);
        let flags = fcntl_getfl(&input).unwrap();
        assert!(!flags.contains(OFlags::NONBLOCK), "it is shared with us");
        output.write_all(b"0\n").unwrap();
        assert_eq!(program.line(), "40");
        output.shutdown(Shutdown::Write).unwrap();
        let (status, rest, errors) = program.end();
        assert_eq!((status, rest.as_str(), errors.text()), (Some(0), "", ""));
        assert!(errors.ticks() >= 1);
    });
}

#[test]
fn a_folder_cannot_be_read() {
    within(TOO_LONG, || {
        let folder = File::open("/").unwrap();
        let (status, output, errors) = Program::start(folder).end();
        assert_eq!((status, output.as_str()), (Some(1), ""));
        let text = "line 1: it cannot be read: Is a directory (os error 21)\n";
        assert_eq!(errors.text(), text);
    });
}

#[test]
fn nothing_panics_when_both_outputs_are_closed() {
    within(TOO_LONG, || {
        let (closed, writer) = UnixStream::pair().unwrap();
        drop(closed);
        let writer = OwnedFd::from(writer);
        let mut child = Command::new(env!("CARGO_BIN_EXE_step09-epoll-reactor"))
            .arg("stdin")
            .stdin(Stdio::piped())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"39\n").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
    });
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_ends_it_with_one_line() {
    within(TOO_LONG, || {
        let full = "yes 1 | \"$0\" stdin > /dev/full";
        let program = env!("CARGO_BIN_EXE_step09-epoll-reactor");
        let mut shell = Command::new("sh");
        let shell = Program::start_command(shell.args(["-c", full, program]), Stdio::null());
        let (status, output, errors) = shell.end();
        assert_eq!((status, output.as_str()), (Some(1), ""));
        let text = "the output cannot be written: No space left on device (os error 28)\n";
        assert_eq!(errors.text(), text);
    });
}
