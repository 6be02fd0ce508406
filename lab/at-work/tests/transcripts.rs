//! What the programs print, as the pages of the book show it. `SNAPSHOTS=overwrite` in the environment writes the files.

// Miri starts no programs.
#![cfg(not(miri))]

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

#[test]
fn slow_prints_this() {
    let program = env!("CARGO_BIN_EXE_10-slow");
    kit::transcript::check("tests/10-slow.txt", program, &[40.0, 40.0, 0.0, 0.0]);
}
