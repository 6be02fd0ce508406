//! What `cargo run -p step05-parker-block-on` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step05-parker-block-on");
    let figures = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &["time: [..] ms"]);
    for [by_hand, by_wake, gave_up, received, nested] in figures {
        assert!(received >= 40.0, "{received} ms is early");
        for time in [by_hand, by_wake, gave_up, nested] {
            assert!(time >= 300.0, "{time} ms is early");
        }
    }
}
