//! What `cargo run -p step07-mini-tokio` and its `--bin at_an_await` print.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demos_print_this_and_end() {
    let program = env!("CARGO_BIN_EXE_step07-mini-tokio");
    kit::transcript::check_in_parts("tests/transcript.txt", &[3, 4], program, &[]);
    let program = env!("CARGO_BIN_EXE_at_an_await");
    kit::transcript::check_in_parts("tests/at_an_await.txt", &[2, 3, 4], program, &[]);
}
