//! The options of a tool, or in one line why they are refused. The programs that use clap include this file by path.

use std::process;

use clap::Parser;

/// Reads the arguments of the program of this name. `--help` ends it, and so does what is not understood, with status 2.
pub fn parse<Options: Parser>(name: &str) -> Options {
    Options::try_parse().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let text = error.to_string();
        // At the end, clap says in two more lines how the program is called.
        let what = text.lines().take_while(|it| !it.starts_with("Usage:"));
        let what = what.filter(|it| !it.is_empty() && !it.starts_with("For more information"));
        let what: Vec<_> = what.map(str::trim).collect();
        let what = what.join(" ");
        eprintln!(
            "{name}: {} (see --help)",
            what.trim_start_matches("error: ")
        );
        process::exit(2)
    })
}
