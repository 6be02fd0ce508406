//! The matrix for the book: what is not kept and why, then the whole table and the clauses, folded up. It says nothing that
//! differs from run to run.

use contract::{Cell, Check, Clause, Level, SOMETIMES};

use crate::cells::{Part, notes, parts};

/// The page.
pub(crate) fn markdown(cells: &[Cell]) -> String {
    let mut out =
        String::from("<!-- Written by `cargo run -p matrix -- --write`: do not edit. -->\n");
    for part in parts(cells) {
        let title = part.title.to_lowercase();
        out += &format!("\n### What differs: {title}\n{}", differences(cells, &part));
    }
    out + "\n### Every clause\n" + &tables(cells) + &rules()
}

/// The same for the runtimes of other workspaces: only what is not kept, and the tables.
pub(crate) fn strangers(cells: &[Cell]) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo run -p matrix -- --strangers --write`: do not edit. -->\n",
    );
    for part in parts(cells) {
        out += &differences(cells, &part);
    }
    out + &tables(cells)
}

fn tables(cells: &[Cell]) -> String {
    let table = |part: Part<'_>| {
        let summary = format!("The whole matrix: {}", part.title.to_lowercase());
        folded(&summary, &whole(cells, &part))
    };
    parts(cells).into_iter().map(table).collect()
}

/// What is not kept, with the reason, and who keeps everything.
fn differences(cells: &[Cell], part: &Part<'_>) -> String {
    let mut out = String::new();
    for (number, note) in (1..).zip(notes(cells)) {
        if !part.subjects.contains(&note.subjects[0]) {
            continue;
        }
        let clauses: Vec<_> = note.clauses.iter().map(|name| linked(name)).collect();
        let (who, clauses, why) = (note.subjects.join(", "), clauses.join(", "), note.why);
        out += &format!("\n({number}) {who}\n: Not kept: {clauses}\n\n  {why}\n");
    }
    let fails = |subject: &str| {
        let mut cells = part.cells.iter();
        cells.any(|it| it.subject == subject && it.not_kept.is_some())
    };
    let mut kept = part.subjects.clone();
    kept.retain(|subject| !fails(subject));
    let kept = kept.join(", ");
    if !kept.is_empty() {
        out += &format!("\nKept in full, as far as it applies: {kept}.\n");
    }
    out
}

fn whole(cells: &[Cell], part: &Part<'_>) -> String {
    let notes = notes(cells);
    let mut out = String::from("| clause |");
    for subject in &part.subjects {
        out += &format!(" {} |", subject.replace('-', "<br>"));
    }
    out += &format!("\n|---|{}\n", ":-:|".repeat(part.subjects.len()));
    let differs = |clause: &&Clause| {
        let mut cells = part.cells.iter();
        cells.any(|it| it.clause == clause.name && it.not_kept.is_some())
    };
    let (differ, alike): (Vec<&Clause>, Vec<_>) = part.clauses.iter().copied().partition(differs);
    for clause in differ {
        out += &format!("| {} |", linked(clause.name));
        for subject in &part.subjects {
            let cell = part.cell(clause, subject).map(|cell| match &cell.not_kept {
                None => "yes".to_owned(),
                Some((seen, why)) => {
                    let number = notes.iter().position(|it| it.why == why);
                    let word = if seen == SOMETIMES {
                        "at times"
                    } else {
                        "**no**"
                    };
                    format!("{word} ({})", number.map_or(0, |it| it + 1))
                }
            });
            out += &format!(" {} |", cell.unwrap_or_default());
        }
        out += "\n";
    }
    out += "\nAn empty cell means that the clause does not apply, because the runtime or future offers no such thing.\n";
    let alike: Vec<_> = alike.iter().map(|clause| linked(clause.name)).collect();
    out + &format!("\nKept by all to which they apply: {}.\n", alike.join(", "))
}

/// What the clauses say: the part of the page that no run decides.
fn rules() -> String {
    let is_leaf = |clause: &&Clause| matches!(clause.check, Check::Leaf(..));
    let (leaves, executors): (Vec<_>, Vec<_>) = contract::all().partition(is_leaf);
    let list = |clauses: Vec<&Clause>| -> String {
        let entries: Vec<_> = clauses.into_iter().map(described).collect();
        entries.join("\n")
    };
    folded(
        "The clauses for executors, each with its reason",
        &list(executors),
    ) + &folded(
        "The clauses for leaf futures, each with its reason",
        &list(leaves),
    )
}

fn entry(name: &str, rule: &str, why: &str) -> String {
    format!("`{name}`\n: {rule}\n\n  *Why:* {why}\n")
}

/// All that there is to know of a clause.
pub(crate) fn described(clause: &Clause) -> String {
    let choice = clause.choice.map(|it| format!("\n  *A choice?* {it}\n"));
    let faults = clause.faults().into_iter();
    let faults: Vec<_> = faults.map(|(name, _)| format!("`{name}`")).collect();
    let (level, faults) = (level(clause.level), faults.join(", "));
    entry(clause.name, clause.rule, clause.why)
        + &format!("\n  *Level:* {level}\n")
        + &choice.unwrap_or_default()
        + &format!("\n  *Faults that it catches:* {faults}\n")
}

/// Who demands it, with a link to the words of the standard library.
fn level(level: Level) -> String {
    let Level::Std(says) = level else {
        return format!("{level}.");
    };
    let address = format!("https://doc.rust-lang.org/std/{}", says.at);
    format!("std demands: “{}” ([`{}`]({address}))", says.words, says.of)
}

/// A clause's name as a link to what the list of rules says about it.
fn linked(name: &str) -> String {
    format!("[`{name}`](#{name})")
}

fn folded(summary: &str, text: &str) -> String {
    format!("\n<details>\n<summary>{summary}</summary>\n\n{text}\n</details>\n")
}
