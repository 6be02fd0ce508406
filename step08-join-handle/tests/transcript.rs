//! What `cargo run -p step08-join-handle` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    // Two workers are faster than one only if the machine has a second core that is free.
    let varies = ["takes [..] times"];
    let program = env!("CARGO_BIN_EXE_step08-join-handle");
    let runs = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for [ratio] in runs {
        assert!(ratio > 0.0, "no work takes no time, but {ratio}");
    }
}
