//! The document's own program, with each kind of standard input.

// Miri starts no programs.
#![cfg(all(target_os = "linux", not(miri)))]

use std::{
    fs::File,
    io::{Seek, Write},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use probe::within;
use rustix::{
    fs::{Mode, OFlags, open},
    pipe::{PipeFlags, pipe_with},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_inside_async_epoll");

/// A standard input, and its other end, which is closed when the program has ended.
type Input = (Stdio, Option<File>);

fn pipe(bytes: &[u8]) -> Input {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
    File::from(writer).write_all(bytes).unwrap();
    (reader.into(), None)
}

/// A pipe through which half a line comes late, and the rest of it later.
fn in_halves() -> Input {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
    thread::spawn(|| {
        let mut writer = File::from(writer);
        for half in [b"3", b"9"] {
            thread::sleep(Duration::from_millis(10));
            writer.write_all(half).unwrap();
        }
    });
    (reader.into(), None)
}

fn file(bytes: &[u8]) -> Input {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    (file.into(), None)
}

fn terminal(bytes: &[u8]) -> Input {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = open(
        name,
        OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .unwrap();
    let mut ours = File::from(ours);
    ours.write_all(bytes).unwrap();
    (theirs.into(), Some(ours))
}

/// Returns the status, what is printed, and what is said on standard error.
fn run(command: &mut Command, (stdin, _other_end): Input) -> (Option<i32>, String, String) {
    let ran = command.stdin(stdin).output().unwrap();
    let [said, printed] = [ran.stderr, ran.stdout].map(|it| String::from_utf8(it).unwrap());
    (ran.status.code(), printed, said)
}

const TOO_LARGE: &str = "\"2147483648\": number too large";
const BAD_BYTES: &str = "\"3\u{fffd}\\u{1b}9\": invalid digit";

#[test]
fn each_input_is_answered_with_a_sum_or_one_line() {
    let folder = || (File::open("/").unwrap().into(), None);
    let null = || (Stdio::null(), None);
    let inputs: [(&str, Input, Result<i64, &str>); 16] = [
        ("a pipe", pipe(b"39\n"), Ok(49)),
        ("two lines", pipe(b"39\n40\n"), Ok(49)),
        ("no newline", pipe(b"39"), Ok(49)),
        ("in halves", in_halves(), Ok(49)),
        ("spaces", pipe(b" -5\t\r\n"), Ok(5)),
        ("the greatest", pipe(b"2147483647\n"), Ok(2_147_483_657)),
        ("a file", file(b"39\n"), Ok(49)),
        ("a terminal", terminal(b"39\n"), Ok(49)),
        ("Ctrl-D", terminal(b"\x04"), Err("\"\": cannot parse")),
        ("the null device", null(), Err("\"\": cannot parse")),
        ("an empty file", file(b""), Err("\"\": cannot parse")),
        ("a word", pipe(b"abc\n"), Err("\"abc\": invalid digit")),
        ("too large", pipe(b"2147483648\n"), Err(TOO_LARGE)),
        ("bad bytes", pipe(b"3\xff\x1b9\n"), Err(BAD_BYTES)),
        ("endless", pipe(&[b'0'; 2_000]), Err("the line is too long")),
        ("a folder", folder(), Err("Is a directory")),
    ];
    let kept = include_str!("documents/inside_async_epoll.txt");
    let (_command, kept) = kept.split_once('\n').unwrap();
    within(Duration::from_secs(30), move || {
        for (name, input, expected) in inputs {
            let (status, printed, said) = run(&mut Command::new(PROGRAM), input);
            match expected {
                Ok(sum) => {
                    let expected = (Some(0), kept.replace("49", &sum.to_string()));
                    assert_eq!((status, printed), expected, "{name}: {said}");
                }
                Err(why) => {
                    let start = format!("standard input: {why}");
                    assert!(said.starts_with(&start), "{name}: {said}");
                    assert_eq!(status, Some(2), "{name}: {said}");
                    assert_eq!(said.lines().count(), 1, "{name}: {said}");
                }
            }
        }
        // The shell closes it, and Rust's runtime opens the null device in its place.
        let mut shell = Command::new("sh");
        let closed = run(shell.args(["-c", "exec \"$0\" <&-", PROGRAM]), null());
        assert_eq!(closed.0, Some(2), "{closed:?}");
    });
}
