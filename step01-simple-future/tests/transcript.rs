//! What `cargo run -p step01-simple-future` prints, and that nothing is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "checks: [..],",
        "time: [..] ms",
        "polls: [..] (4 if",
        // As many as the system allows.
        "\n4. [..] sockets",
        "polls: [..], ready: 1",
        "found nothing: [..]\n",
    ];
    let program = env!("CARGO_BIN_EXE_step01-simple-future");
    let figures = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for [checks, checked, notified, pieces, sockets, polls, wasted] in figures {
        assert!(checked >= 325.0 && notified >= 325.0, "never early");
        assert!(
            checks >= 1.0 && (checks - 1.0) * 50.0 <= checked,
            "it sleeps between two checks"
        );
        assert!(
            (1.0..=4.0).contains(&pieces),
            "two pieces and the end are three wakes at most"
        );
        assert_eq!(
            (polls, wasted),
            (sockets, sockets - 1.0),
            "every future is polled"
        );
    }
}
