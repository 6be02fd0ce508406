//! Shows what the watchdog says to a mistake: `cargo run -p probe -- lock-twice`.

mod executor;
mod mistakes;

use std::process::ExitCode;
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    match mistakes::ALL.iter().find(|(known, _)| *known == name) {
        Some((_, mistake)) => probe::within(LIMIT, mistake),
        None => {
            let known: Vec<_> = mistakes::ALL.iter().map(|&(name, _)| name).collect();
            eprintln!(
                "no mistake is called {name:?}; there are: {}",
                known.join(", ")
            );
            return ExitCode::from(2);
        }
    }
    // A mistake that ends by itself is none.
    ExitCode::SUCCESS
}
