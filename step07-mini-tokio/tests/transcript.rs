//! What `cargo run -p step07-mini-tokio` and its `--bin at_an_await` print, and that no delay is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demos_print_this_and_end() {
    let program = env!("CARGO_BIN_EXE_step07-mini-tokio");
    let earliest = [100.0, 100.0];
    kit::transcript::check("tests/transcript.txt", program, &earliest);
    let program = env!("CARGO_BIN_EXE_at_an_await");
    kit::transcript::check("tests/at_an_await.txt", program, &[]);
}
