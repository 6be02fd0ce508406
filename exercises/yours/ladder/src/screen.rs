//! What a climb shows on the screen, as text.

use std::{collections::BTreeMap, fmt::Write as _};

use textwrap::Options;

use crate::{
    result::{Broken, Climb, NotKept, Tried},
    rungs::{RUNGS, Rung},
};

/// A line of it.
macro_rules! say {
    ($out:expr, $($line:tt)*) => {
        writeln!($out, $($line)*).expect("a string takes every line")
    };
}

/// So many failures are explained. More may well have the same cause.
const EXPLAINED: usize = 2;
/// In so many lines each.
const LINES: usize = 16;
const WIDTH: usize = 110;

/// `cargo run`.
pub(crate) fn show(climb: &Climb) -> String {
    let mut out = String::new();
    say!(out, "");
    for tried in &climb.rungs {
        rung(&mut out, tried);
    }
    for (number, later) in RUNGS.iter().enumerate().skip(climb.rungs.len()) {
        say!(out, "{:2}  {}", number + 1, later.title);
    }
    say!(
        out,
        "{:2}  the race: no pass or fail, figures",
        climb.of + 1
    );
    notes(&mut out, climb);
    let Some(next) = climb.rungs.get(climb.passed) else {
        say!(
            out,
            "\nEverything that was tried is passed. `cargo race` measures your runtime beside tokio and stage 10."
        );
        promise(&mut out, climb);
        return out;
    };
    explain(&mut out, next);
    if next.number <= climb.reached {
        say!(
            out,
            "\nYou have passed this one before. Your last change broke it, or it fails only sometimes: run it again."
        );
    } else {
        promise(&mut out, climb);
    }
    out
}

/// `cargo test`.
pub(crate) fn show_test(climb: &Climb) -> String {
    let mut out = String::new();
    if climb.reached == 0 {
        say!(
            out,
            "\nREACHED is 0 in src/runtime.rs, so there is nothing to keep yet. `cargo run` shows the first rung."
        );
        return out;
    }
    say!(out, "");
    for tried in &climb.rungs {
        rung(&mut out, tried);
    }
    notes(&mut out, climb);
    if let Some(broken) = climb.rungs.get(climb.passed) {
        explain(&mut out, broken);
        say!(
            out,
            "\nYour file says that {} rungs are reached. Your last change broke this one, or it fails only sometimes: run it again.",
            climb.reached
        );
    }
    out
}

/// `cargo run -- NAME`: what came of one test, from the first rung that has it to the first at which it isn't kept.
pub(crate) fn show_question(name: &str, came: &[(usize, Result<(), NotKept>)]) -> String {
    let mut out = String::new();
    for (number, result) in came {
        match result {
            Ok(()) => say!(out, "rung {number}  {name}  kept"),
            Err(NotKept { what, .. }) => {
                say!(out, "rung {number}  {name}\n{}", wrapped(what, usize::MAX));
            }
        }
    }
    out
}

/// `cargo run -- NUMBER`: the tests of the rung with this number.
pub(crate) fn show_rung(number: usize, rung: &Rung, names: &[&str]) -> String {
    let mut out = String::new();
    say!(out, "{number} is a rung: {}. Its tests are", rung.title);
    say!(out, "{}\n", wrapped(&names.join(", "), usize::MAX));
    say!(
        out,
        "`cargo run -- NAME` runs one of them, and `cargo run` runs all."
    );
    out
}

/// Its line in the list.
fn rung(out: &mut String, tried: &Tried) {
    let broken = tried.broken.len().min(tried.asked);
    let mark = if tried.broken.is_empty() {
        "passed"
    } else {
        "<- next"
    };
    let not_mine = match tried.not_mine.len() {
        0 => String::new(),
        count => format!(", {count} not mine"),
    };
    say!(
        out,
        "{:2}  {:42} {:3} of {:3}  {mark}{not_mine}",
        tried.number,
        tried.title,
        tried.asked - broken,
        tried.asked
    );
}

/// What is to be said of `NOT_MINE`.
fn notes(out: &mut String, climb: &Climb) {
    for name in &climb.unknown {
        say!(out, "\nNOT_MINE names {name:?}, and no rung has that test.");
    }
    // Several rungs may ask the same, and each has to be kept.
    let mut kept = BTreeMap::new();
    for listed in climb.rungs.iter().flat_map(|rung| &rung.not_mine) {
        *kept.entry(&listed.name).or_insert(true) &= listed.kept;
    }
    for (name, _) in kept.iter().filter(|(_, kept)| **kept) {
        say!(
            out,
            "\nNOT_MINE names {name:?}, which your runtime keeps. Take it off the list."
        );
    }
}

fn promise(out: &mut String, climb: &Climb) {
    if climb.passed > climb.reached {
        say!(
            out,
            "\nWrite `REACHED: usize = {}` in src/runtime.rs, and `cargo test` keeps what you have.",
            climb.passed
        );
    }
}

/// What a rung asks, and what is broken.
fn explain(out: &mut String, tried: &Tried) {
    let rung = &RUNGS[tried.number - 1];
    say!(out, "\nRung {}: {}\n", tried.number, rung.title);
    say!(
        out,
        "{}",
        wrapped(&format!("asks  {}", rung.asks), usize::MAX)
    );
    say!(
        out,
        "{}",
        wrapped(&format!("read  {}", rung.chapter), usize::MAX)
    );
    let explained = tried.broken.iter().take(EXPLAINED);
    for Broken { name, not_kept } in explained {
        say!(out, "\n{name}\n{}", wrapped(&not_kept.what, LINES));
    }
    let others: Vec<_> = tried.broken.iter().skip(EXPLAINED).collect();
    if !others.is_empty() {
        let names: Vec<_> = others.iter().map(|broken| &*broken.name).collect();
        say!(
            out,
            "\n{}",
            wrapped(&format!("also not kept: {}", names.join(", ")), LINES)
        );
    }
    if let [first, _, ..] = &tried.broken[..] {
        say!(
            out,
            "\nStart with the first. Several may have the same cause. `cargo run -- {}` asks only that, and shows all that is said of it.",
            first.name
        );
    }
}

/// Indented, and wrapped below the word with which a line begins.
fn wrapped(text: &str, most: usize) -> String {
    let lines = text.lines().flat_map(|line| {
        let options = Options::new(WIDTH)
            .initial_indent("  ")
            .subsequent_indent("        ");
        textwrap::wrap(line, options)
    });
    let lines: Vec<_> = lines.take(most).collect();
    lines.join("\n")
}
