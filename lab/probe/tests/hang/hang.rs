//! Shows what the watchdog says to a mistake: `cargo run -p why-pending -- lock-twice`.

mod executor;
mod mistakes;

use std::{process::ExitCode, time::Duration};

const LIMIT: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    let known = mistakes::ALL.iter().map(|it| it.0.replace('_', "-"));
    let known = known.collect::<Vec<_>>().join(", ");
    let names = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    if ["", "--help", "-h"].contains(&names.as_str()) {
        println!("Name one of these mistakes to see what the watchdog says to it: {known}");
        return ExitCode::SUCCESS;
    }
    let called = names.replace('-', "_");
    let Some((_, mistake)) = mistakes::ALL.iter().find(|it| it.0 == called) else {
        eprintln!("no mistake is called {names:?}; there are: {known}");
        return ExitCode::from(2);
    };
    why_pending::within(LIMIT, mistake);
    // A mistake that ends by itself is none.
    ExitCode::SUCCESS
}
