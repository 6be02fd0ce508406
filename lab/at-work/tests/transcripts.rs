//! What the programs print, as the pages of the book show it. `SNAPSHOTS=overwrite` in the environment writes the files.

// Miri starts no programs.
#![cfg(not(miri))]

use std::process::Command;

#[test]
fn callback_prints_this() {
    let program = env!("CARGO_BIN_EXE_01-callback");
    kit::transcript::check("tests/01-callback.txt", program, &[]);
}

#[test]
fn select_prints_this() {
    let program = env!("CARGO_BIN_EXE_02-select");
    kit::transcript::check("tests/02-select.txt", program, &[]);
}

#[test]
fn timeout_prints_this() {
    let program = env!("CARGO_BIN_EXE_03-timeout");
    kit::transcript::check("tests/03-timeout.txt", program, &[]);
}

#[test]
fn idle_client_prints_this() {
    let program = env!("CARGO_BIN_EXE_06-idle-client");
    kit::transcript::check("tests/06-idle-client.txt", program, &[]);
}

#[test]
fn workers_prints_this() {
    let program = env!("CARGO_BIN_EXE_07-workers");
    kit::transcript::check("tests/07-workers.txt", program, &[]);
}

#[test]
fn requests_prints_this() {
    let program = env!("CARGO_BIN_EXE_08-requests");
    kit::transcript::check("tests/08-requests.txt", program, &[]);
}

#[test]
fn frames_prints_this() {
    let program = env!("CARGO_BIN_EXE_09-frames");
    kit::transcript::check("tests/09-frames.txt", program, &[]);
}

/// The page shows two of the lines on standard error, each with times of its own.
#[test]
fn slow_prints_spans_like_these() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_10-slow"));
    let ran = program.env("NO_COLOR", "1").env_remove("RUST_LOG").output();
    let printed = String::from_utf8(ran.unwrap().stderr).unwrap();
    for line in include_str!("10-slow-spans.txt").lines() {
        let (_, line) = line.split_once("Z ").unwrap();
        let (line, _) = line.split_once("busy=").unwrap();
        assert!(printed.contains(line), "{line}:\n{printed}");
    }
}

#[test]
fn slow_prints_this() {
    let program = env!("CARGO_BIN_EXE_10-slow");
    kit::transcript::check("tests/10-slow.txt", program, &[40.0, 40.0, 0.0, 0.0]);
}
