//! The figures as tables: for a terminal, and for the book.

use std::{
    env::consts::{ARCH, OS},
    fs,
    num::NonZero,
    process::Command,
    thread,
};

use crate::{
    measure::Figures,
    rounds::{Results, Row},
    workloads::About,
};

/// For a terminal: a line for each measurement.
pub(crate) fn text(results: &Results) -> String {
    let mut out = String::new();
    for workload in &results.plan.workloads {
        out += &format!("{}: {}\n", workload.name, workload.operation);
        let rows = results.rows.iter();
        for row in rows.filter(|it| it.workload.name == workload.name) {
            let ratios = results.ratios(row);
            let ratios = ratios.map(|(time, cpu)| format!("  to tokio {time:.2}, CPU {cpu:.2}"));
            let line = format!(
                "  {:16}{:>9} ns ±{:>4}{:>9} CPU ±{:>4}{}  {}",
                row.runtime,
                number(row.figures.ns_per_op),
                percent(row.spread),
                number(row.figures.cpu_ns_per_op),
                percent(row.cpu_spread),
                ratios.unwrap_or_default(),
                extra(row, " "),
            );
            out += line.trim_end();
            out += "\n";
        }
        out += "\n";
    }
    out + &notes(results)
}

/// For the book: a row for each workload, a column for each runtime.
pub(crate) fn markdown(results: &Results) -> String {
    let runtimes = &results.plan.runtimes;
    let rule = "--:|".repeat(runtimes.len());
    let mut out = format!(
        "| ns per operation | {} |\n|---|{rule}\n",
        runtimes.join(" | ")
    );
    for workload in &results.plan.workloads {
        let row = |runtime: &&str| results.row(workload.name, runtime).map(cell);
        let cells: Vec<_> = runtimes
            .iter()
            .map(|it| row(it).unwrap_or_default())
            .collect();
        out += &format!("| `{}` | {} |\n", workload.name, cells.join(" | "));
    }
    out + "\n" + &notes(results)
}

fn cell(row: &Row) -> String {
    let Figures {
        ns_per_op,
        cpu_ns_per_op,
        ..
    } = row.figures;
    let (time, spread, cpu) = (
        number(ns_per_op),
        percent(row.spread),
        number(cpu_ns_per_op),
    );
    match row.workload.about {
        About::Time => format!("{time} ±{spread}<br><small>{cpu}</small>"),
        About::Lateness | About::Memory => extra(row, "\u{a0}"),
    }
}

/// What a row has besides times. `glue` goes between a number and its unit.
fn extra(row: &Row, glue: &str) -> String {
    let figures = row.figures;
    match row.workload.about {
        About::Time => String::new(),
        About::Lateness => format!("{}{glue}µs late", number(figures.late)),
        About::Memory => format!("{:.0}{glue}bytes", figures.bytes),
    }
}

/// Where and how it was measured.
fn notes(results: &Results) -> String {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let allocator = match cfg!(feature = "mimalloc") {
        true => "mimalloc",
        false if cfg!(target_env = "gnu") => "glibc's malloc",
        false => "the system's malloc",
    };
    let processor = value_in("/proc/cpuinfo", "model name").unwrap_or(ARCH.into());
    let system = value_in("/etc/os-release", "PRETTY_NAME").unwrap_or(OS.into());
    let rustc = Command::new("rustc").arg("--version").output().ok();
    let rustc = rustc.map_or_else(String::new, |it| String::from_utf8_lossy(&it.stdout).into());
    let profile = if cfg!(debug_assertions) {
        "dev"
    } else {
        "release"
    };
    let (rounds, size) = (results.plan.rounds, results.plan.size);
    let size = format!("{size:?}").to_lowercase();
    let load = results.load.as_deref();
    let load = load.map_or(String::new(), |it| format!(" The load before was {it}."));
    format!(
        "Measured on {cores} cores ({processor}), {system}, {}, {profile} profile, {allocator}.\n\
         Medians of {rounds} rounds of {size} size, ± half the distance between the quartiles.{load}\n",
        rustc.trim()
    )
}

/// The value of the first line `key: value` or `key=value` of a file, if there is one.
fn value_in(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|it| it.starts_with(key))?;
    let (_, value) = line.split_once([':', '='])?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// With three digits or more, and a comma between thousands.
fn number(figure: f64) -> String {
    if figure < 9.95 {
        return format!("{figure:.1}");
    }
    let digits = format!("{figure:.0}");
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_commas() {
        let numbers = [0.04, 9.94, 9.96, 402.4, 1234.0, 1_234_567.8].map(number);
        assert_eq!(numbers, ["0.0", "9.9", "10", "402", "1,234", "1,234,568"]);
    }
}
