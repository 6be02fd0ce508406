//! The figures as tables: for a terminal, and for the book.

use std::fmt::Write;

use crate::{
    machine,
    rounds::{Plan, Results, Row},
    runtimes::Subject,
    workloads::{About, Workload},
};

const WRITTEN: &str = "a String takes everything";

/// What there is, with what each runtime can do.
pub(crate) fn list(workloads: &[Workload], subjects: &[Subject]) -> String {
    let mut out = String::from("One operation of each workload is:\n");
    for workload in workloads {
        writeln!(out, "  {:17}{}", workload.name, workload.operation).expect(WRITTEN);
    }
    out.push_str("\nThe runtimes, and what they can do:\n");
    for subject in subjects {
        let can = |it: &&Workload| subject.measure(it.name).is_some();
        let names: Vec<_> = workloads.iter().filter(can).map(|it| it.name).collect();
        writeln!(out, "  {:17}{}", subject.name, names.join(" ")).expect(WRITTEN);
    }
    out
}

/// For a terminal: a line for each measurement.
pub(crate) fn text(plan: &Plan, results: &Results) -> String {
    let mut out = String::new();
    writeln!(
        out,
        "{:14}{:16}{:>10}{:>8}{:>10}{:>8}{:>9}{:>8}{:>8}",
        "workload", "runtime", "ns/op", "±", "CPU ns", "±", "to multi", "CPU", "to best"
    )
    .expect(WRITTEN);
    let mut before = "";
    for row in &results.rows {
        if before != row.workload && !before.is_empty() {
            out.push('\n');
        }
        before = row.workload;
        writeln!(
            out,
            "{:14}{:16}{:>10}{:>8}{:>10}{:>8}{:>9}{:>8}{:>8}  {}",
            row.workload,
            row.runtime,
            number(row.figures.ns_per_op),
            percent(row.spread),
            number(row.figures.cpu_ns_per_op),
            percent(row.cpu_spread),
            ratio(row.ratio_to_multi),
            ratio(row.cpu_ratio_to_multi),
            ratio(row.ratio_to_best),
            extras(row, " ").join(", "),
        )
        .expect(WRITTEN);
    }
    let lines: Vec<_> = out.lines().map(str::trim_end).collect();
    let mut out = lines.join("\n");
    write!(out, "\n\n{}\n", notes(plan, results).join("\n")).expect(WRITTEN);
    out
}

/// For the book: a row for each workload, a column for each runtime.
pub(crate) fn markdown(plan: &Plan, results: &Results) -> String {
    let mut out = String::from("| ns per operation |");
    for subject in &plan.subjects {
        write!(out, " {} |", subject.name).expect(WRITTEN);
    }
    write!(out, "\n|---|{}\n", "--:|".repeat(plan.subjects.len())).expect(WRITTEN);
    for workload in &plan.workloads {
        write!(out, "| `{}` |", workload.name).expect(WRITTEN);
        for subject in &plan.subjects {
            let cell = match results.row(workload.name, subject.name) {
                Some(row) => cell(workload, row),
                None if subject.measure(workload.name).is_some() => "failed".to_owned(),
                None => String::new(),
            };
            write!(out, " {cell} |").expect(WRITTEN);
        }
        out.push('\n');
    }
    write!(out, "\n{}\n", notes(plan, results).join("\n")).expect(WRITTEN);
    out
}

fn cell(workload: &Workload, row: &Row) -> String {
    let lines = match workload.about {
        About::Time => vec![
            number(row.figures.ns_per_op),
            format!("<small>{}</small>", number(row.figures.cpu_ns_per_op)),
        ],
        About::Lateness | About::Memory => extras(row, "\u{a0}"),
    };
    lines.join("<br>")
}

/// What a row has besides times. `glue` goes between a number and its unit.
fn extras(row: &Row, glue: &str) -> Vec<String> {
    let late = row.figures.lateness_us;
    let late = late.map(|it| format!("{}{glue}µs late", number(it)));
    let threads = row.figures.threads;
    let threads = threads.map(|it| format!("{it:.0}{glue}threads"));
    let bytes = row.figures.bytes.map(|it| format!("{it:.0}{glue}bytes"));
    let resident = row.figures.resident_bytes;
    let resident = resident.map(|it| format!("{it:.0}{glue}resident"));
    [late, threads, bytes, resident]
        .into_iter()
        .flatten()
        .collect()
}

/// What stands below the table.
fn notes(plan: &Plan, results: &Results) -> Vec<String> {
    let (rounds, size) = (plan.rounds, format!("{:?}", plan.size).to_lowercase());
    let load = results.load;
    let load = load.map_or(String::new(), |it| format!(" The load before was {it:.1}."));
    vec![
        machine::described(),
        format!(
            "Medians of {rounds} rounds of {size} size: time on the wall, and time of all processors together.{load}"
        ),
    ]
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
    format!("{:.0} %", share * 100.0)
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |it| format!("{it:.2}"))
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
