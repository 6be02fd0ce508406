//! What the visitor sees of an exhibit.

use std::fmt::Write;

use kit::{process::Outcome, written};

use crate::{
    Exhibit, Fails, list,
    visit::{self, Visit},
};

/// No line is longer: it has to fit on a page of the book.
pub const WIDTH: usize = 96;

/// What is said of an exhibit and of its visit. Without a visit, Miri was not there.
pub fn page(exhibit: &Exhibit, visit: Option<&Visit>) -> String {
    let mut page = format!("{}: {}\n", exhibit.name, exhibit.title);
    for (label, text) in [
        ("was in", exhibit.was_in.to_owned()),
        ("breaks", exhibit.breaks.to_string()),
    ] {
        page += &fill(&text, &format!("  {label:<8}"), "          ");
    }
    page += "\nthe broken one\n";
    let broken = match visit {
        Some(visit) => quote(exhibit, &visit.broken) + &ended(exhibit, &visit.broken),
        None => format!("  {}\n  declared: {}\n", visit::NO_MIRI, exhibit.fails),
    };
    page += &broken;
    page += &fill(exhibit.why, "  why: ", "       ");
    page += "\nthe repaired one\n";
    page += &match visit {
        Some(visit) => quote(exhibit, &visit.repaired) + &twin_ended(exhibit, &visit.repaired),
        None => format!("  {}\n  declared: {}\n", visit::NO_MIRI, exhibit.passes),
    };
    page
}

/// The file of the book: the command, and what it prints.
pub fn transcript(exhibit: &Exhibit, visit: Option<&Visit>) -> String {
    format!(
        "$ cargo run -p museum -- {}\n{}",
        exhibit.name,
        page(exhibit, visit)
    )
}

/// Compares what the visitor sees with the file of the book.
///
/// # Errors
///
/// The complaint, in one line. Only on Linux: elsewhere the paths and the threads' names are others.
pub fn compare(exhibit: &Exhibit, visit: &Visit) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let seen = transcript(exhibit, Some(visit));
    written::check(&exhibit.seen_file(), &seen, false, list::HOW)
}

fn fill(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(first)
        .subsequent_indent(rest);
    textwrap::fill(text, options) + "\n"
}

fn ended(exhibit: &Exhibit, seen: &Outcome) -> String {
    let how = match (visit::status_of(seen), exhibit.fails) {
        (Some(0), Fails::Prints(_)) => "ended with status 0 and this result".to_owned(),
        (Some(1), Fails::Hangs(_)) => "hung, and the watchdog ended it".to_owned(),
        (Some(1), Fails::Miri(_)) => "was ended by Miri".to_owned(),
        (Some(101), Fails::Loom(_)) => "failed in an order that loom found".to_owned(),
        (Some(101), _) => "panicked".to_owned(),
        _ => seen.end.to_string(),
    };
    match visit::fails_as_declared(exhibit, seen) {
        true => format!("  it {how}, as declared\n"),
        false => format!("  it {how}; declared was: {}\n", exhibit.fails),
    }
}

fn twin_ended(exhibit: &Exhibit, seen: &Outcome) -> String {
    match visit::passes_as_declared(exhibit, seen) {
        true => "  it ran to its end, as declared\n".to_owned(),
        false => format!("  it {}; declared was: {}\n", seen.end, exhibit.passes),
    }
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
        quote += &fill(line.trim_start(), first.trim_end_matches('\n'), &rest);
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
        let is_end = line.starts_with("Stopped after") || line.starts_with("Watched:");
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
        let _ = writeln!(short, "{}", without_numbers(error));
        // Of the backtrace, not of the notes before it: the notes also say where the memory came from and went to.
        let place = message
            .lines()
            .filter_map(|line| line.split_once("at lab/museum/src/exhibits/"))
            .next();
        if let Some((_, place)) = place {
            let file_and_line: Vec<_> = place.splitn(3, ':').take(2).collect();
            let place = file_and_line.join(":");
            let _ = writeln!(short, "  at lab/museum/src/exhibits/{place}");
        }
    }
    short
}

/// `alloc123` is another one in each run.
fn without_numbers(line: &str) -> String {
    let mut parts = line.split("alloc");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "alloc";
        text += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    text
}
