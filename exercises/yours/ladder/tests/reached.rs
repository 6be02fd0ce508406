//! `cargo test`: the rungs that `REACHED` promises.

fn main() -> std::process::ExitCode {
    ladder::test()
}
