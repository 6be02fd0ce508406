//! One clause on one subject, in a process of its own: it may hang, abort or end the process without harm to the others.

use std::{
    env, fmt, io,
    panic::AssertUnwindSafe,
    process,
    sync::{PoisonError, RwLock},
};

use crate::{
    Clause, Subject, Unsupported,
    apart::{self, Ended, Proof},
    caught,
    gap::decide_a_gap,
    panics::{self, ON_PURPOSE},
    rest,
};

const CELL: &str = "CONTRACT_CELL";
// Not 0: with that ends a program too that has tested nothing.
const KEPT: i32 = 39;
const NOT_ITS_JOB: i32 = 40;
const NOT_KEPT: i32 = 41;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The clause is kept.
    Kept,
    /// The subject does not offer what the clause is about.
    Unsupported,
    /// The test has found something wrong, and says what.
    Broken(String),
    /// The test was not over, and nothing went on in its process any more. What it was trying then, if it said so.
    Hung(String),
    /// The test was not over when its process had used far more processor time than any test needs. What it was trying then, if it said so.
    Circles(String),
    /// The test was not over after three minutes in which it neither rested nor computed much, which may be the machine's fault.
    Slow(String),
    /// The process ended before the test did: so.
    Died(String),
}

impl Verdict {
    /// Whether the clause was tested and is not kept.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Verdict::Kept | Verdict::Unsupported)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Kept => f.write_str("kept"),
            Verdict::Unsupported => f.write_str("not its job"),
            Verdict::Broken(what) if what == ON_PURPOSE => {
                f.write_str("the panic of a task came out of the runtime")
            }
            Verdict::Broken(what) => f.write_str(what),
            Verdict::Circles(trying) => {
                f.write_str("it keeps a processor busy: it has used three seconds of processor time, and is not done")?;
                match &**trying {
                    "" => Ok(()),
                    words if words.starts_with("after ") => write!(f, ", {words}"),
                    words => write!(f, ": {words}"),
                }
            }
            Verdict::Hung(trying) if trying.is_empty() => f.write_str("it hangs"),
            Verdict::Hung(trying) if trying.starts_with("after ") => write!(f, "it hangs {trying}"),
            Verdict::Hung(trying) => write!(f, "it hangs: {trying}"),
            Verdict::Slow(trying) => write!(f, "not finished in three minutes: {trying}"),
            Verdict::Died(how) => write!(f, "the process ended: {how}"),
        }
    }
}

/// What this program has under test. Clauses share it, but for one that [is tested alone](Clause::is_tested_alone).
static TESTING: RwLock<()> = RwLock::new(());

/// Tests a clause by starting this very program again, which must call [`serve()`] first of all. With `arguments`, a program
/// can be told which of its parts does so. It may have to wait until others are tested.
///
/// # Errors
///
/// If the program cannot be started.
pub fn test(
    arguments: &[&str],
    environment: &[(&str, &str)],
    subject: &str,
    clause: &Clause,
) -> io::Result<Verdict> {
    let is_alone = clause.is_tested_alone();
    let _alone = is_alone.then(|| TESTING.write().unwrap_or_else(PoisonError::into_inner));
    let _shared = (!is_alone).then(|| TESTING.read().unwrap_or_else(PoisonError::into_inner));
    let cell = format!("{} {subject}", clause.name);
    let mut program = apart::again()?;
    program
        .args(arguments)
        .env(CELL, cell)
        .envs(environment.iter().copied());
    apart::run(&mut program).map(verdict)
}

fn verdict(ended: Ended) -> Verdict {
    let Ended { status, said, .. } = ended;
    let mut lines = said.lines().rev();
    let last = lines.find_map(|line| line.strip_prefix(rest::SAYS));
    let last = last.unwrap_or_default();
    let mut lines = said.lines();
    let panicked = lines.find_map(|line| line.strip_prefix(rest::PANICKED));
    let verdict = match status.code() {
        _ if ended.was_killed => Verdict::Hung(last.to_owned()),
        // A runtime that ends the process with the status of a test that has passed proves nothing by that.
        Some(KEPT) if ended.is_proved => Verdict::Kept,
        Some(NOT_ITS_JOB) => Verdict::Unsupported,
        Some(NOT_KEPT) => Verdict::Broken(last.to_owned()),
        Some(rest::RESTS) => Verdict::Hung(last.to_owned()),
        Some(rest::CIRCLES) => Verdict::Circles(last.to_owned()),
        Some(rest::SLOW) => Verdict::Slow(last.to_owned()),
        _ => Verdict::Died(status.to_string()),
    };
    // The panic is the cause: what its thread was to do, no other thread does.
    match (panicked, &verdict) {
        (Some(panicked), Verdict::Hung(_) | Verdict::Circles(_) | Verdict::Slow(_)) => {
            Verdict::Broken(format!(
                "a thread panicked at {panicked}, and then {verdict}"
            ))
        }
        _ => verdict,
    }
}

/// If this process was started by [`test()`], tests that clause and ends the process. Otherwise it does nothing.
pub fn serve(find: impl Fn(&str, &Clause) -> Option<Subject>) {
    let Ok(cell) = env::var(CELL) else {
        return;
    };
    let (clause, subject) = cell.split_once(' ').expect("two words, from `test`");
    let clause = crate::clause(clause).expect("a clause, from `test`");
    let subject = find(subject, clause).expect("a subject, from `test`");
    let proof = Proof::begin();
    panics::watch();
    rest::watch();
    decide_a_gap();
    let tested = caught(AssertUnwindSafe(|| clause.test(&subject)));
    let code = match (tested, panics::first_stray()) {
        (Ok(Ok(())), None) => KEPT,
        (Ok(Ok(())), Some(stray)) => {
            let panicked = "a thread panicked, and not because of the test";
            rest::says(&format!("{panicked}: {}", stray.message));
            NOT_KEPT
        }
        (Ok(Err(Unsupported)), _) => NOT_ITS_JOB,
        (Err(message), _) => {
            rest::says(&message);
            NOT_KEPT
        }
    };
    proof.give();
    // Threads of the runtime may still be there. They end with the process.
    process::exit(code)
}
