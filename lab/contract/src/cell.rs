//! One clause on one subject, in a process of its own: it may hang, abort or end the process without harm to the others.

use std::{
    collections::hash_map::RandomState,
    env, fmt,
    hash::{BuildHasher, Hasher},
    io::{self, BufRead, Read, Write},
    panic::AssertUnwindSafe,
    process::{self, Command, ExitStatus, Stdio},
    sync::{PoisonError, RwLock, mpsc},
    thread,
    time::Duration,
};

use crate::{
    Clause, Subject, Unsupported, caught,
    gap::decide_a_gap,
    panics::{self, ON_PURPOSE},
    rest,
};

const CELL: &str = "CONTRACT_CELL";
// Not 0: with that ends a program too that has tested nothing.
const KEPT: i32 = 39;
const NOT_ITS_JOB: i32 = 40;
const NOT_KEPT: i32 = 41;

/// Before the number that a process is told at its beginning. Only one whose test has run to its end prints it.
const PROOF: &str = "tested: ";

/// Each process ends itself before that, unless something keeps it from doing so.
const AT_MOST: Duration = Duration::from_secs(200);
/// Once it is killed, what it has printed is there to be read.
const TO_READ: Duration = Duration::from_secs(1);
/// No test prints so much, even if each of many tasks panics.
const MOST: u64 = 64 << 20;

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
    let mut program = Command::new(env::current_exe()?);
    program
        .args(arguments)
        .env(CELL, cell)
        .envs(environment.iter().copied());
    program.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = program.stderr(Stdio::piped()).spawn()?;
    let number = RandomState::new().build_hasher().finish();
    // One that has ended already reads nothing, and its status says so.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| writeln!(stdin, "{number}"));
    let stderr = child.stderr.take().expect("it is piped");
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.take(MOST).read_to_end(&mut said);
        let _ = tell.send(said);
    });
    // Its standard error is closed when it has ended, unless another program that it has started keeps that open.
    let said = told.recv_timeout(AT_MOST);
    let hangs = said.is_err() && child.try_wait()?.is_none();
    if hangs {
        child.kill()?;
    }
    let status = child.wait()?;
    let said = said
        .or_else(|_| told.recv_timeout(TO_READ))
        .unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let proof = format!("{PROOF}{number}");
    // A runtime that ends the process with the status of a test that has passed proves nothing by that.
    let is_proved = said.lines().any(|line| line == proof);
    Ok(verdict(status, hangs, is_proved, &said))
}

fn verdict(status: ExitStatus, hangs: bool, is_proved: bool, said: &str) -> Verdict {
    let mut lines = said.lines().rev();
    let last = lines.find_map(|line| line.strip_prefix(rest::SAYS));
    let last = last.unwrap_or_default();
    let mut lines = said.lines();
    let panicked = lines.find_map(|line| line.strip_prefix(rest::PANICKED));
    let verdict = match status.code() {
        _ if hangs => Verdict::Hung(last.to_owned()),
        Some(KEPT) if is_proved => Verdict::Kept,
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
    // Before any code of the subject runs, which could read it too.
    let mut number = String::new();
    let read = io::stdin().lock().read_line(&mut number);
    read.expect("a line, from `test`");
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
    eprintln!("\n{PROOF}{}", number.trim());
    // Threads of the runtime may still be there. They end with the process.
    process::exit(code)
}
