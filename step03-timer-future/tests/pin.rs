//! What `cargo run -p step03-timer-future --bin pin` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_pin");
    let package = env!("CARGO_PKG_NAME");
    for figures in kit::transcript::check_bin::<3>(package, "pin", program, &["time: [..] ms"]) {
        assert!(figures.iter().all(|it| *it >= 300.0), "a timer was early");
    }
}
