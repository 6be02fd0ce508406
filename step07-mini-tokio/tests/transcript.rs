//! What `cargo run -p step07-mini-tokio` prints, and that no delay is early.

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
    let runs: [[f64; 11]; 2] = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for figures in runs {
        let [busy, busy_time, per_poll, threads, per_poll_time, rest @ ..] = figures;
        let [latest, latest_time, notify, notify_time, main_time, queue] = rest;
        for time in [busy_time, per_poll_time, latest_time, notify_time] {
            assert!(time >= 120.0, "{time} ms is early");
        }
        assert!(main_time >= 10.0, "{main_time} ms is early");
        // Not two: a machine that stands still may let the time come before the first poll.
        assert!(busy >= 1.0 && queue >= 1.0);
        assert!(
            (1.0..=1.0 + threads).contains(&per_poll),
            "a thread wakes once"
        );
        for polls in [latest, notify] {
            assert!((1.0..=7.0).contains(&polls), "six delays wake once each");
        }
    }
}
