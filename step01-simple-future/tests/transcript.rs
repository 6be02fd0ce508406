//! What `cargo run -p step01-simple-future` prints.

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
    for text in kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies) {
        let [sockets, polls, in_vain] = ["\n4. ", "1, polls: ", "in vain: "].map(|before| {
            let (_, after) = text.split_once(before).unwrap();
            let digits = after.split(|c: char| !c.is_ascii_digit()).next();
            digits.unwrap().parse::<usize>().unwrap()
        });
        assert_eq!(
            (polls, in_vain),
            (sockets, sockets - 1),
            "every future is polled"
        );
    }
}
