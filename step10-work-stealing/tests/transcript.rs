//! What `cargo run -p step10-work-stealing` prints.

// Miri starts no programs.
#![cfg(not(miri))]

const PROGRAM: &str = env!("CARGO_BIN_EXE_step10-work-stealing");

/// Nothing varies: what depends on the schedule is staged.
#[test]
fn the_demo_prints_this_and_ends() {
    let parts = [2, 3, 4, 5, 6];
    kit::transcript::check_in_parts("tests/transcript.txt", &parts, PROGRAM, &[]);
}
