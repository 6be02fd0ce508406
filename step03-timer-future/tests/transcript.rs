//! What `cargo run -p step03-timer-future` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step03-timer-future");
    let figures = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &["time: [..] ms"]);
    for [_, _, nap, expanded, by_hand] in figures {
        let never_early = [nap, expanded, by_hand].iter().all(|it| *it >= 300.0);
        assert!(never_early, "a timer was early");
    }
}
