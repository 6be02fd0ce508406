//! The page of the book: what is not kept and why, then the table and the clauses, folded up. It says nothing that differs from
//! run to run.

use contract::{Cell, Check, Clause, Level, SOMETIMES};

pub(crate) fn is_of_a_leaf(cell: &Cell) -> bool {
    contract::clause(cell.clause).is_some_and(|it| matches!(it.check, Check::Leaf(..)))
}

/// For a terminal, where nothing is linked.
pub(crate) fn text(cells: &[Cell], clause: Option<&str>) -> String {
    let page = markdown(cells) + &clause.map_or_else(String::new, |it| rules(Some(it)));
    let plain = |page: String, it: &Clause| {
        page.replace(&linked(it.name), it.name)
            .replace(&anchored(it.name), it.name)
    };
    let page = contract::all().fold(page, plain);
    page.replace(BREAK, "\n  ").replace("<br>", "-")
}

/// What is not kept, with the reasons, and the tables.
pub(crate) fn markdown(cells: &[Cell]) -> String {
    let reasons = unique(cells.iter().filter_map(reason));
    let (mut differences, mut tables) = (String::new(), String::new());
    for (title, leaves) in [("executors", false), ("leaf futures", true)] {
        let cells: Vec<_> = cells
            .iter()
            .filter(|it| is_of_a_leaf(it) == leaves)
            .collect();
        if cells.is_empty() {
            continue;
        }
        differences += &format!("\n### What differs: {title}\n");
        for (number, why) in (1..).zip(&reasons) {
            let cells = cells.iter().filter(|it| reason(it) == Some(why));
            let who = unique(cells.clone().map(|it| &*it.subject)).join(", ");
            let clauses: Vec<_> = unique(cells.map(|it| linked(it.clause)));
            if !clauses.is_empty() {
                let clauses = clauses.join(", ");
                differences += &format!(
                    "\n**({number})** {who}{BREAK}Not kept: {clauses}{BREAK}*Why:* {why}\n"
                );
            }
        }
        let mut kept = unique(cells.iter().map(|it| &*it.subject));
        kept.retain(|who| {
            !cells
                .iter()
                .any(|it| it.subject == *who && it.not_kept.is_some())
        });
        if !kept.is_empty() {
            differences += &format!(
                "\nKept in full, as far as it applies: {}.\n",
                kept.join(", ")
            );
        }
        tables += &folded(
            &format!("The whole matrix: {title}"),
            &table(&cells, &reasons),
        );
    }
    differences + &tables
}

fn reason(cell: &Cell) -> Option<&str> {
    cell.not_kept.as_ref().map(|(_, why)| &**why)
}

/// A row for each clause that not all keep, and a column for each subject. The numbers are those of the reasons.
fn table(cells: &[&Cell], reasons: &[&str]) -> String {
    let subjects = unique(cells.iter().map(|it| &*it.subject));
    let names: Vec<_> = subjects.iter().map(|it| it.replace('-', "<br>")).collect();
    let mut out = format!(
        "| clause | {} |\n|---|{}\n",
        names.join(" | "),
        ":-:|".repeat(names.len())
    );
    let mut alike = Vec::new();
    for clause in contract::all().map(|it| it.name) {
        let row = || cells.iter().filter(|it| it.clause == clause);
        if row().all(|it| it.not_kept.is_none()) {
            alike.extend(row().next().map(|_| linked(clause)));
            continue;
        }
        out += &format!("| {} |", linked(clause));
        for subject in &subjects {
            let cell = row()
                .find(|it| it.subject == *subject)
                .map(|cell| match &cell.not_kept {
                    None => "yes".to_owned(),
                    Some((seen, why)) => {
                        let number = 1 + reasons.iter().take_while(|it| *it != why).count();
                        let no = if seen == SOMETIMES {
                            "at times"
                        } else {
                            "**no**"
                        };
                        format!("{no} ({number})")
                    }
                });
            out += &format!(" {} |", cell.unwrap_or_default());
        }
        out += "\n";
    }
    out + &format!("\nKept by all to which they apply: {}.\n", alike.join(", "))
}

/// What all clauses say, or one: the part of the page that no run decides.
pub(crate) fn rules(clause: Option<&str>) -> String {
    let is_leaf = |it: &&Clause| matches!(it.check, Check::Leaf(..));
    let clauses = contract::all().filter(|it| clause.is_none_or(|name| name == it.name));
    let (leaves, executors): (Vec<_>, Vec<_>) = clauses.partition(is_leaf);
    let mut out = String::new();
    for (about, clauses) in [("executors", executors), ("leaf futures", leaves)] {
        let clauses: Vec<_> = clauses.into_iter().map(described).collect();
        if !clauses.is_empty() {
            let title = format!("The clauses for {about}, each with its reason");
            out += &folded(&title, &clauses.join("\n"));
        }
    }
    out
}

fn described(clause: &Clause) -> String {
    let (name, rule, why) = (clause.name, clause.rule, clause.why);
    let level = match clause.level {
        Level::Std(says) => format!(
            "std demands: “{}” ([`{}`](https://doc.rust-lang.org/std/{}))",
            says.words, says.of, says.at
        ),
        level => format!("{level}."),
    };
    let choice = clause.choice.map(|it| format!("{BREAK}*A choice?* {it}"));
    let choice = choice.unwrap_or_default();
    let faults = clause.faults().into_iter();
    let faults: Vec<_> = faults.map(|(name, _)| format!("`{name}`")).collect();
    let faults = faults.join(", ");
    let name = anchored(name);
    format!(
        "{name}{BREAK}{rule}{BREAK}*Why:* {why}{BREAK}*Level:* {level}{choice}{BREAK}*Faults that it catches:* {faults}\n"
    )
}

/// The end of a line within a paragraph. A paragraph is one message for a translator, and a definition list would be none.
const BREAK: &str = "\\\n";

/// A clause's name where the list of rules has it.
fn anchored(name: &str) -> String {
    format!("<b id=\"{name}\">`{name}`</b>")
}

/// A clause's name as a link to what the list of rules says about it.
fn linked(name: &str) -> String {
    format!("[`{name}`](#{name})")
}

fn folded(summary: &str, text: &str) -> String {
    format!("\n<details>\n<summary>\n\n{summary}\n\n</summary>\n\n{text}\n</details>\n")
}

/// Each of them once, in their order.
fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = Vec::new();
    for it in all {
        if !out.contains(&it) {
            out.push(it);
        }
    }
    out
}
