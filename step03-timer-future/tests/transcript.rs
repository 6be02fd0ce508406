//! What `cargo run -p step03-timer-future` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step03-timer-future");
    kit::transcript::check(env!("CARGO_PKG_NAME"), program, &["time: [..] ms"]);
}
