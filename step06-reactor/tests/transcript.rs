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
    let runs: [[f64; 10]; 2] = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for figures in runs {
        // Seconds, and a part's milliseconds.
        let [in_turn @ .., polls_1, thousand_1, polls_2, thousand_2] = figures;
        for (time, earliest) in in_turn
            .into_iter()
            .zip([1.0, 3.0, 3000.0, 1.0, 2.0, 2000.0])
        {
            assert!(time >= earliest, "{time} is before {earliest}");
        }
        assert!(thousand_1 >= 100.0 && thousand_2 >= 100.0, "never early");
        for polls in [polls_1, polls_2] {
            assert!(
                (2.0..=2000.0).contains(&polls),
                "no timer is polled more than twice"
            );
        }
    }
}
