//! What `cargo run -p step06-reactor` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "at time: [..].",
        "time: [..] ms",
        // Of a thousand wakes, those that come together share a poll.
        "share a poll)\n   polls: [..],",
        "4. Version 2, 1000 timers of 100 ms\n   polls: [..],",
    ];
    let program = env!("CARGO_BIN_EXE_step06-reactor");
    for text in kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies) {
        let times = text.lines().filter_map(|line| line.split_once("at time: "));
        // How late depends on the machine.
        for ((_, time), earliest) in times.zip([1.0, 3.0, 1.0, 2.0]) {
            let time: f64 = time.trim_end_matches('.').parse().unwrap();
            assert!(time >= earliest, "{time} is before {earliest}");
        }
    }
}
