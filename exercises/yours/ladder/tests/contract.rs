//! All clauses about what `SUBJECT` names, with the contract's own options.

fn main() -> std::process::ExitCode {
    ladder::contract()
}
