//! x
fn main() -> std::process::ExitCode {
    if let Some(code) = contract::cell::serve(|name, _| {
        contract::subjects::all()
            .into_iter()
            .find(|s| s.name == name)
    }) {
        return code;
    }
    std::process::ExitCode::SUCCESS
}
