//! Files, pipes, sockets, and outputs that cannot be written.

use std::{
    fs::{self, File},
    io::{self, Write},
    net::Shutdown,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use probe::within;
use rustix::fs::{OFlags, fcntl_getfl};

use crate::program::{Program, TOO_LONG};

/// Longer than the time between two ticks of the program, which is 100 ms.
const A_TICK: Duration = Duration::from_millis(120);

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
fn a_file_is_read_from_where_it_stands_to_its_end() {
    within(TOO_LONG, || {
        let file = format!("{}/stdin-numbers", env!("CARGO_TARGET_TMPDIR"));
        fs::write(&file, "39\n40\n41").unwrap();
        let mut input = File::open(&file).unwrap();
        io::Read::read_exact(&mut input, &mut [0; 3]).unwrap();
        let (status, output, errors) = Program::start(input).end();
        assert_eq!((status, output.as_str()), (Some(0), "50\n51\n"));
        assert_eq!(errors.text(), "");
    });
}

#[test]
fn a_null_device_has_ended_and_a_folder_cannot_be_read() {
    within(TOO_LONG, || {
        let (status, output, errors) = Program::start(Stdio::null()).end();
        assert_eq!((status, output.as_str(), errors.text()), (Some(0), "", ""));
        let folder = File::open("/").unwrap();
        let (status, output, errors) = Program::start(folder).end();
        assert_eq!((status, output.as_str()), (Some(1), ""));
        let text = "line 1: it cannot be read: Is a directory (os error 21)\n";
        assert_eq!(errors.text(), text);
    });
}

#[test]
fn an_output_that_the_reader_has_closed_ends_it_without_a_word() {
    within(TOO_LONG, || {
        let mut program = Program::start(Stdio::piped());
        let mut output = program.input();
        output.write_all(b"39\n").unwrap();
        assert_eq!(program.line(), "49");
        output.write_all(b"40\n".repeat(100).as_slice()).unwrap();
        let (status, errors) = program.end_without_output();
        assert_eq!((status, errors.text()), (Some(1), ""));
        drop(output); // only now has the input ended
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

#[test]
fn an_endless_input_costs_no_memory_and_other_tasks_tick() {
    within(TOO_LONG, || {
        let mut program = Program::start(Stdio::piped());
        let mut output = program.input();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let endless = thread::spawn(move || {
            let lines = "1\n".repeat(1_000);
            while stopped.try_recv() != Err(std::sync::mpsc::TryRecvError::Disconnected) {
                output.write_all(lines.as_bytes()).unwrap();
            }
        });
        let mut lines = |count: usize| (0..count).for_each(|_| assert_eq!(program.line(), "11"));
        lines(1_000);
        let start = Instant::now();
        lines(100_000);
        #[cfg(target_os = "linux")]
        let early = most_memory(program.id());
        while start.elapsed() < 2 * A_TICK {
            (0..1_000).for_each(|_| assert_eq!(program.line(), "11"));
        }
        (0..100_000).for_each(|_| assert_eq!(program.line(), "11"));
        #[cfg(target_os = "linux")]
        {
            let grown = most_memory(program.id()) - early;
            assert!(grown < 256, "{grown} KiB more");
        }
        drop(stop);
        let (status, rest, errors) = program.end();
        assert_eq!((status, errors.text()), (Some(0), ""));
        assert!(rest.lines().all(|line| line == "11"));
        assert!(errors.ticks() >= 1);
        endless.join().unwrap();
    });
}

/// In KiB.
#[cfg(target_os = "linux")]
fn most_memory(id: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let most = status.lines().find(|line| line.starts_with("VmHWM:"));
    let most = most.and_then(|line| line.split_whitespace().nth(1));
    most.unwrap().parse().unwrap()
}
