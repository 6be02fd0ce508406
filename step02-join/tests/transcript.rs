//! What `cargo run -p step02-join` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step02-join");
    let earliest = [
        0.0, 0.0, 100.0, 100.0, 200.0, 200.0, // side by side
        0.0, 100.0, 100.0, 300.0, 300.0, // one after the other
        0.0, 0.0, 100.0, 100.0, 100.0, // a race
    ];
    kit::transcript::check("tests/transcript.txt", program, &earliest);
}
