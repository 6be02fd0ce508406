//! What the programs print, which the pages of the book show.

#[test]
fn requests() {
    let program = env!("CARGO_BIN_EXE_08-requests");
    kit::transcript::check("tests/08-requests.txt", program, &[]);
}

#[test]
fn frames() {
    kit::transcript::check("tests/09-frames.txt", env!("CARGO_BIN_EXE_09-frames"), &[]);
}

#[test]
fn slow() {
    let program = env!("CARGO_BIN_EXE_10-slow");
    kit::transcript::check("tests/10-slow.txt", program, &[40.0, 40.0, 0.0, 0.0]);
}
