//! Runs the contract programs, and reads what they report.

use std::{
    env,
    process::{Command, Stdio},
};

use contract::{Cell, Check, Clause};
use kit::files;

/// A workspace of its own.
const STRANGERS: [&str; 4] = [
    "--manifest-path",
    "tools/matrix/strangers/Cargo.toml",
    "--target-dir",
    "target/strangers",
];

/// The cells that are not empty: those of executors, then those of leaf futures. In both, the stages come first.
///
/// # Errors
///
/// Why they could not all be tested. What a program says about that is on standard error by then.
pub(crate) fn run(
    strangers: bool,
    clause: Option<&str>,
    runtime: Option<&str>,
) -> Result<Vec<Cell>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut program = Command::new(cargo);
    program.args(["test", "--quiet", "--test", "contract"]);
    // The name of a stage's runtime begins as the stage's does: `step05-by-hand` is in `step05-parker-block-on`.
    match runtime.map(|name| name.get(..6).unwrap_or(name)) {
        _ if strangers => program.args(STRANGERS).current_dir(files::root()),
        None => program.args(["-p", "step*", "-p", "matrix"]),
        Some(stage) if is_of_a_stage(stage) => program.args(["-p", &format!("{stage}*")]),
        Some(_) => program.args(["-p", "matrix"]),
    };
    program.args(["--", "--report"]).stderr(Stdio::inherit());
    // A filter is a part of a name, which is `runtime::clause`. The rest is left out below.
    program.args(runtime.or(clause));
    let output = program
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the contract is not kept as promised".to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut cells: Vec<_> = text.lines().filter_map(Cell::read).collect();
    cells.retain(|cell| {
        let is = |wanted: Option<&str>, name| wanted.is_none_or(|wanted| wanted == name);
        is(clause, cell.clause) && is(runtime, &cell.subject)
    });
    cells.sort_by_key(|cell| (is_of_a_leaf(cell), !is_of_a_stage(&cell.subject)));
    Ok(cells)
}

fn is_of_a_stage(name: &str) -> bool {
    name.starts_with("step")
}

fn is_of_a_leaf(cell: &Cell) -> bool {
    contract::clause(cell.clause).is_some_and(|it| matches!(it.check, Check::Leaf(..)))
}

/// Executors or leaf futures, with the clauses that are about them.
pub(crate) struct Part<'a> {
    pub(crate) title: &'static str,
    /// In the order of the contract.
    pub(crate) clauses: Vec<&'static Clause>,
    pub(crate) subjects: Vec<&'a str>,
    pub(crate) cells: Vec<&'a Cell>,
}

impl Part<'_> {
    pub(crate) fn cell(&self, clause: &Clause, subject: &str) -> Option<&Cell> {
        let is = |cell: &&&Cell| cell.clause == clause.name && cell.subject == subject;
        self.cells.iter().find(is).copied()
    }
}

/// One part for executors and one for leaf futures, or only one of the two.
pub(crate) fn parts(cells: &[Cell]) -> Vec<Part<'_>> {
    let both = [("Executors", false), ("Leaf futures", true)].into_iter();
    let parts = both.map(|(title, leaves)| {
        let cells = cells.iter().filter(|it| is_of_a_leaf(it) == leaves);
        let cells: Vec<_> = cells.collect();
        let mut clauses: Vec<_> = contract::all().collect();
        clauses.retain(|clause| cells.iter().any(|it| it.clause == clause.name));
        let mut subjects: Vec<_> = cells.iter().map(|it| it.subject.as_str()).collect();
        subjects.dedup();
        Part {
            title,
            clauses,
            subjects,
            cells,
        }
    });
    parts.filter(|part| !part.cells.is_empty()).collect()
}

/// Why clauses are not kept: each reason once, with the subjects and the clauses that it is for.
#[derive(Default)]
pub(crate) struct Note<'a> {
    pub(crate) why: &'a str,
    pub(crate) subjects: Vec<&'a str>,
    pub(crate) clauses: Vec<&'static str>,
}

/// All notes, in the order of the cells. The table gives them the numbers in which they are here.
pub(crate) fn notes(cells: &[Cell]) -> Vec<Note<'_>> {
    let mut notes: Vec<Note<'_>> = Vec::new();
    for cell in cells {
        let Some((_, why)) = &cell.not_kept else {
            continue;
        };
        let place = notes.iter().position(|note| note.why == why);
        let place = place.unwrap_or_else(|| {
            notes.push(Note {
                why,
                ..Note::default()
            });
            notes.len() - 1
        });
        let note = &mut notes[place];
        if !note.subjects.contains(&cell.subject.as_str()) {
            note.subjects.push(&cell.subject);
        }
        if !note.clauses.contains(&cell.clause) {
            note.clauses.push(cell.clause);
        }
    }
    notes
}
