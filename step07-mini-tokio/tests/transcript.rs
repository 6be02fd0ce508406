//! What `cargo run -p step07-mini-tokio` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    // How often a busy future is polled, and how often a delay whose time may have come, is no more than a matter of
    // speed. `delay.rs`, `threads.rs` and `mini_tokio.rs` count what is certain.
    let varies = [
        "busy: polls: [..],",
        "a thread per poll: polls: [..],",
        "a thread per poll: polls: [..], threads: [..],",
        "the latest waker: polls: [..],",
        "Notify: polls: [..],",
        "time: [..] ms",
        "on a queue: polls: [..]\n",
    ];
    let program = env!("CARGO_BIN_EXE_step07-mini-tokio");
    kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
}
