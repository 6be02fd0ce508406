//! What `cargo run -p step02-join` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let varies = ["\n [..] ms  a", "\n [..] ms  b", "time: [..] ms"];
    let program = env!("CARGO_BIN_EXE_step02-join");
    for text in kit::transcript::check(env!("CARGO_PKG_NAME"), program, &varies) {
        let times = text.lines().filter_map(|line| line.split_once("time: "));
        for ((_, time), shortest) in times.zip([400, 600]) {
            let time: u64 = time.trim_end_matches(" ms").parse().unwrap();
            assert!(time >= shortest, "never early");
        }
    }
}
