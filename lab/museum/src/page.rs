//! What a visitor sees of an exhibit.

use std::fmt::Write;

use kit::process::Outcome;

use crate::{
    Exhibit, Fails,
    visit::{self, Visit},
};

/// No line is longer: it has to fit on a page of the book.
const WIDTH: usize = 96;

/// The command that shows an exhibit, and what it prints.
pub fn page(exhibit: &Exhibit, visit: &Visit) -> String {
    let Exhibit { name, title, .. } = exhibit;
    let mut page = format!("$ cargo run -p museum -- {name}\n{name}: {title}\n");
    page += &fill(exhibit.was_in, "  was in  ", "          ");
    page += &fill(exhibit.breaks, "  breaks  ", "          ");
    page += "\nthe broken version\n";
    page += &quote(exhibit, &visit.broken);
    page += &ended(exhibit, &visit.broken);
    page += &fill(exhibit.why, "  why: ", "       ");
    page += "\nthe fixed version\n";
    page += &quote(exhibit, &visit.repaired);
    page += &if visit::passes(exhibit, &visit.repaired) {
        "  it ran to its end, as expected\n".to_owned()
    } else {
        format!(
            "  it {}; expected was: {}\n",
            visit.repaired.end, exhibit.passes
        )
    };
    page
}

fn fill(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(first)
        .subsequent_indent(rest);
    textwrap::fill(text, options) + "\n"
}

fn ended(exhibit: &Exhibit, seen: &Outcome) -> String {
    if !visit::fails(exhibit, seen) {
        return format!("  it {}; expected was: {:?}\n", seen.end, exhibit.fails);
    }
    let how = match exhibit.fails {
        Fails::Prints(_) => "ended with status 0 and this result",
        Fails::Hangs(_) => "hung, and the watchdog ended it",
        Fails::Miri(_) => "was ended by Miri",
        Fails::Loom(_) => "failed in an order that loom found",
        Fails::Panics(_) => "panicked",
    };
    format!("  it {how}, as expected\n")
}

/// What the program had to say, each line behind a bar.
fn quote(exhibit: &Exhibit, seen: &Outcome) -> String {
    let complaint = match exhibit.fails {
        Fails::Hangs(_) => without_advice(&seen.stderr),
        Fails::Miri(_) => miri_in_short(&seen.stderr),
        _ => seen.stderr.clone(),
    };
    let mut quote = String::new();
    for line in seen.stdout.lines().chain(complaint.lines()) {
        let indent = line.len() - line.trim_start().len();
        let first = format!("  | {}", &line[..indent]);
        // Under the words, where there is a label before them.
        let hanging = if line.starts_with("  lock") {
            11
        } else {
            indent + 2
        };
        let rest = format!("  | {}", " ".repeat(hanging));
        quote += &fill(line.trim_start(), &first, &rest);
    }
    quote
}

/// The watchdog's message: who is stuck, what was seen of it, which lock it waits for, and which task waits too. What it
/// advises, the exhibit says in its own words.
fn without_advice(message: &str) -> String {
    let mut kept = String::new();
    let mut label = "";
    for line in message.lines() {
        match line.strip_prefix("  ") {
            Some(rest) if !rest.starts_with(' ') => {
                label = rest.split(' ').next().unwrap_or_default();
            }
            Some(_) => {}
            None => label = "",
        }
        let ends = ["Stopped after", "Watched:", "Step by step:", "What else"];
        let is_end = ends.iter().any(|end| line.starts_with(end));
        if !line.is_empty() && !is_end && matches!(label, "" | "seen" | "lock" | "task") {
            if label == "lock" && line.starts_with("   ") {
                // One paragraph, set for a wider page.
                kept.truncate(kept.trim_end().len());
                kept += " ";
                kept += line.trim_start();
            } else {
                kept += line;
            }
            kept += "\n";
        }
    }
    kept
}

/// What Miri found, and in which line. The rest of its message changes from one nightly to the next.
fn miri_in_short(message: &str) -> String {
    let mut short = String::new();
    if let Some(error) = message.lines().find(|line| line.starts_with("error: ")) {
        // `alloc123` is another one in each run.
        let parts = error.split("alloc");
        let parts = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        let _ = writeln!(short, "{}", parts.collect::<Vec<_>>().join("alloc"));
        // Of the backtrace, not of the notes before it: the notes also say where the memory came from and went to.
        let mut places = message
            .lines()
            .filter_map(|line| line.split_once("at lab/museum/src/exhibits/"));
        if let Some((_, place)) = places.next() {
            let file_and_line: Vec<_> = place.splitn(3, ':').take(2).collect();
            let place = file_and_line.join(":");
            let _ = writeln!(short, "  at lab/museum/src/exhibits/{place}");
        }
    }
    short
}
