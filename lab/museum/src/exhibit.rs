//! What an exhibit declares of itself.

use std::{fmt, path::PathBuf};

use kit::files;

/// One mistake, and its repaired twin.
#[derive(Debug)]
pub struct Exhibit {
    /// What it is called on the command line. Its file has underscores in place of the dashes.
    pub name: &'static str,
    /// What is wrong, in one line.
    pub title: &'static str,
    /// Where it was: a document and its defect, or a project and its release or issue.
    pub was_in: &'static str,
    /// What it does not keep.
    pub breaks: Breaks,
    /// The chapter of the book that has what it takes to see the mistake.
    pub chapter: u8,
    /// How the broken program must fail.
    pub fails: Fails,
    /// Why it fails so, and what the twin does instead.
    pub why: &'static str,
    /// The line that the repaired program must print before it ends with status 0.
    pub passes: &'static str,
    /// The broken program.
    pub broken: fn(),
    /// Its twin.
    pub repaired: fn(),
}

/// What an exhibit does not keep.
#[derive(Debug, Clone, Copy)]
pub enum Breaks {
    /// A clause of `lab/contract`.
    Clause(&'static str),
    /// A rule that is no clause, in words.
    Rule(&'static str),
}

/// How a broken program must fail.
#[derive(Debug, Clone, Copy)]
pub enum Fails {
    /// It does not end, and the watchdog says this of it.
    Hangs(&'static str),
    /// It ends with status 0, and this line shows what is wrong.
    Prints(&'static str),
    /// It panics, and the message holds this.
    Panics(&'static str),
    /// Natively anything may happen. Miri says this.
    Miri(&'static str),
    /// Hardly any run shows it. loom finds the run that panics with this.
    Loom(&'static str),
}

impl Exhibit {
    /// Whether it is run by Miri, and not natively.
    pub fn needs_miri(&self) -> bool {
        matches!(self.fails, Fails::Miri(_))
    }

    /// The file that the book includes: what a visitor sees.
    pub fn seen_file(&self) -> PathBuf {
        files::root().join(format!("lab/museum/seen/{}.txt", self.name))
    }
}

impl fmt::Display for Breaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Breaks::Clause(name) => match contract::clause(name) {
                Some(clause) => write!(f, "clause `{name}`: {}", clause.rule),
                None => write!(f, "clause `{name}`, which does not exist"),
            },
            Breaks::Rule(rule) => f.write_str(rule),
        }
    }
}

impl fmt::Display for Fails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fails::Hangs(text) => write!(f, "hangs: {text}"),
            Fails::Prints(text) => write!(f, "prints: {text}"),
            Fails::Panics(text) => write!(f, "panics: {text}"),
            Fails::Miri(text) => write!(f, "Miri: {text}"),
            Fails::Loom(text) => write!(f, "loom: {text}"),
        }
    }
}
