//! What the programs print, which the pages of the book show.

#[test]
fn frames() {
    kit::transcript::check("tests/09-frames.txt", env!("CARGO_BIN_EXE_09-frames"), &[]);
}
