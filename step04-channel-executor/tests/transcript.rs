//! What `cargo run -p step04-channel-executor` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "looks: [..]\n",
        // Version 2 alone polls as often as it can.
        "2. It sends every pending task again\nhowdy!\ndone!\n   polls: [..],",
        "time: [..] ms",
    ];
    let program = env!("CARGO_BIN_EXE_step04-channel-executor");
    kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
}
