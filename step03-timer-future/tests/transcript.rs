//! What `cargo run -p step03-timer-future` and its `--bin pin` print, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step03-timer-future");
    let earliest = [300.0, 300.0, 300.0, 0.0, 0.0];
    kit::transcript::check_in_parts("tests/transcript.txt", &[4, 6], program, &earliest);
}

#[test]
fn the_demo_of_pin_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_pin");
    kit::transcript::check("tests/pin.txt", program, &[300.0; 3]);
}
