//! What the demo does with arguments, and when its output is closed. The other demos share the code: `lab/demo.rs`.

// Miri starts no programs.
#![cfg(not(miri))]

use std::{
    io::{BufRead, BufReader},
    process::{Command, Output, Stdio},
};

fn demo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_step01-simple-future"));
    command.args(arguments).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn help_says_what_it_shows() {
    let output = demo(&["--help"]).output().unwrap();
    let (stdout, stderr) = text(&output);
    assert!(output.status.success());
    assert!(
        stdout.starts_with(env!("CARGO_PKG_DESCRIPTION")),
        "{stdout}"
    );
    assert!(
        stdout.ends_with("\nUsage: step01-simple-future [--help]\n"),
        "{stdout}"
    );
    assert_eq!(stderr, "");
}

#[test]
fn an_unknown_argument_is_refused_in_one_line_with_status_2() {
    let output = demo(&["--nonsense"]).output().unwrap();
    let (stdout, stderr) = text(&output);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout, "");
    let line =
        "step01-simple-future: unexpected argument \"--nonsense\": step01-simple-future [--help]\n";
    assert_eq!(stderr, line);
}

#[test]
fn closed_output_ends_it_quietly() {
    let mut demo = demo(&[]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(demo.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("1. "));
    drop(lines);
    let output = demo.wait_with_output().unwrap();
    assert_eq!(text(&output).1, "");
    assert!(output.status.success(), "{}", output.status);
}
