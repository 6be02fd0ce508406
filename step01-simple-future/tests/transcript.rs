//! What `cargo run -p step01-simple-future` prints, and that nothing comes early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "looks: [..],",
        "time: [..] ms",
        "polls: [..] (what comes together",
        // As many as the system allows.
        "\n4. [..] sockets",
        "polls: [..], ready: 1",
        "asked in vain: [..]\n",
    ];
    let program = env!("CARGO_BIN_EXE_step01-simple-future");
    let figures = kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies);
    for [looks, looked, told, pieces, sockets, polls, in_vain] in figures {
        assert!(looked >= 300.0 && told >= 300.0, "never early");
        assert!(
            looks >= 1.0 && (looks - 1.0) * 50.0 <= looked,
            "it sleeps between two looks"
        );
        assert!(
            (1.0..=4.0).contains(&pieces),
            "two pieces and the end are three wakes at most"
        );
        assert_eq!(
            (polls, in_vain),
            (sockets, sockets - 1.0),
            "every future is polled"
        );
    }
}
