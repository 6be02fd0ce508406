//! What `cargo run -p step03-timer-future --bin pin` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_pin");
    let earliest = [300.0; 3];
    kit::transcript::check("tests/pin.txt", program, &earliest);
}
