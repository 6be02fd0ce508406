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
fn sign_in_prints_this() {
    let program = env!("CARGO_BIN_EXE_04-sign-in");
    kit::transcript::check("tests/04-sign-in.txt", program, &[]);
}

/// Its second part panics on purpose, which standard error shows.
#[test]
fn sync_calls_async_prints_this() {
    let program = env!("CARGO_BIN_EXE_05-sync-calls-async");
    kit::transcript::check("tests/05-sync-calls-async.txt", program, &[]);
}

#[test]
fn idle_client_prints_this() {
    let program = env!("CARGO_BIN_EXE_06-idle-client");
    kit::transcript::check("tests/06-idle-client.txt", program, &[]);
}

#[test]
fn retry_prints_this() {
    let program = env!("CARGO_BIN_EXE_06-retry");
    kit::transcript::check("tests/06-retry.txt", program, &[]);
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
fn stop_one_prints_this() {
    let program = env!("CARGO_BIN_EXE_08-stop-one");
    kit::transcript::check("tests/08-stop-one.txt", program, &[]);
}

#[test]
fn frames_prints_this() {
    let program = env!("CARGO_BIN_EXE_09-frames");
    kit::transcript::check("tests/09-frames.txt", program, &[]);
}

/// What the program of chapter 10 logs on standard error.
fn log_of_slow() -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_10-slow"));
    let ran = program.env("NO_COLOR", "1").env_remove("RUST_LOG").output();
    String::from_utf8(ran.unwrap().stderr).unwrap()
}

/// The page shows two of the lines, each with times of its own.
#[test]
fn slow_logs_spans_like_these() {
    let log = log_of_slow();
    for line in include_str!("10-slow-spans.txt").lines() {
        let (_, line) = line.split_once("Z ").unwrap();
        let (line, _) = line.split_once("busy=").unwrap();
        assert!(log.contains(line), "{line}:\n{log}");
    }
}

/// How many milliseconds a heartbeat is late, if the line is of one: `INFO 10_slow: late=31.6ms busy=42.2ms tasks=11`.
fn late(line: &str) -> Option<f64> {
    let (_, late) = line.split_once("Z  INFO 10_slow: late=")?;
    let (late, _) = late
        .split_once(" busy=")
        .filter(|it| it.1.contains(" tasks="))?;
    let (number, unit) = late.split_at(late.find(char::is_alphabetic)?);
    let milliseconds = match unit {
        "s" => 1_000.0,
        "ms" => 1.0,
        _ => 0.0, // microseconds
    };
    Some(number.parse::<f64>().unwrap() * milliseconds)
}

/// The page shows two of the lines. The first heartbeat is behind a poll of 40 ms, and was due in the first 10 ms of that.
#[test]
fn slow_logs_heartbeats_like_these() {
    let shown = include_str!("10-slow-heartbeats.txt").lines();
    let shown: Vec<_> = shown.map(|line| late(line).expect(line)).collect();
    assert!(shown[0] >= 30.0 && shown[1] < 2.0, "{shown:?}");
    let log = log_of_slow();
    let latest = log.lines().filter_map(late).reduce(f64::max);
    assert!(latest >= Some(30.0), "{latest:?}:\n{log}");
}

#[test]
fn slow_prints_this() {
    let program = env!("CARGO_BIN_EXE_10-slow");
    kit::transcript::check("tests/10-slow.txt", program, &[40.0, 40.0, 0.0, 0.0]);
}
