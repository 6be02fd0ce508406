//! The machine that was measured on, as the line below the table names it.

use std::fs;

use crate::allocations;

/// Its cores, its system, the compiler and the profile.
pub(crate) fn described() -> String {
    let cores = kit::pool::cores();
    let cores = match cores {
        1 => "1 core".to_owned(),
        _ => format!("{cores} cores"),
    };
    let processor =
        value_in("/proc/cpuinfo", "model name").unwrap_or(std::env::consts::ARCH.into());
    let system = value_in("/etc/os-release", "PRETTY_NAME").unwrap_or(std::env::consts::OS.into());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease");
    let kernel = kernel.map_or(String::new(), |it| format!(" (kernel {})", it.trim()));
    let (rustc, profile) = (env!("BENCH_RUSTC"), env!("BENCH_PROFILE"));
    let allocator = allocations::NAME;
    format!(
        "Measured on {cores} ({processor}), {system}{kernel}, {rustc}, {profile} profile, {allocator}."
    )
}

/// How many threads wanted a core in the last minute, where the system says so.
pub(crate) fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The value of the first line `key: value` or `key=value` of a file, if there is one.
fn value_in(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|it| it.starts_with(key))?;
    let (_, value) = line.split_once([':', '='])?;
    Some(value.trim().trim_matches('"').to_owned())
}
