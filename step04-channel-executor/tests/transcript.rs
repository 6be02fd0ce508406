//! What `cargo run -p step04-channel-executor` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "checks: [..]\n",
        // Version 2 alone polls as often as it can.
        "2. It sends every pending task again\nhowdy!\ndone!\n   polls: [..],",
        "time: [..] ms",
    ];
    let program = env!("CARGO_BIN_EXE_step04-channel-executor");
    let figures = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for [checks, checking, polls, sending, woken, two_tasks, local] in figures {
        assert!(
            checking >= 300.0 && sending >= 300.0 && woken >= 300.0,
            "never early"
        );
        assert!(two_tasks >= 400.0 && local >= 10.0, "never early");
        assert!(
            checks >= 2.0 && (checks - 1.0) * 10.0 <= checking,
            "it sleeps between two checks"
        );
        assert!(polls >= 2.0, "it is pending first");
    }
}
