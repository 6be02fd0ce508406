//! One thing that a rung asks, tried in a process of its own: it may hang, or end the process, without harm to the others.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    io::{self, BufRead, Write},
    process::{self, Command, Stdio},
    time::Duration,
};

use contract::{
    Clause,
    cell::{self, Verdict},
};

use crate::{
    adapter,
    checks::{self, Check},
    referee,
};

/// In the environment of a process that makes one counted check: its name.
const CHECK: &str = "LADDER_CHECK";

/// Four times as long as the longest check of what works. The watchdog allows more on a busy machine.
const LIMIT: Duration = Duration::from_secs(12);

/// Begins what the watchdog says where it knows of no future.
const UNWATCHED: &str = "no future is watched";

/// One clause on one subject, or one counted check.
#[derive(Clone, Copy)]
pub(crate) enum Job {
    Clause(&'static str, &'static Clause),
    Check(&'static Check),
}

impl Job {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Job::Clause(_, clause) => clause.name,
            Job::Check(check) => check.name,
        }
    }

    /// Whether it needs the machine for itself, because it compares how much of the processor is used.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self, Job::Clause(_, clause) if clause.is_tested_alone())
    }

    /// Tries it. What is wrong, for a reader, if anything is.
    pub(crate) fn run(&self) -> Result<(), String> {
        match self {
            Job::Clause(subject, clause) => {
                let verdict = cell::test(&[], &[], subject, clause);
                match verdict.unwrap_or_else(|error| Verdict::Died(error.to_string())) {
                    Verdict::Kept => Ok(()),
                    Verdict::Unsupported if probe::threads().is_none() => Ok(()),
                    seen => Err(format!(
                        "rule  {}\nseen  {seen}\nwhy   {}",
                        clause.rule, clause.why
                    )),
                }
            }
            Job::Check(check) => check_apart(check),
        }
    }
}

/// A number that the process which is started can't guess.
fn nonce() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Makes a check in a process of its own. That it ran to its end, it proves by a number that it is told before your code runs: so
/// ending the process early gains nothing.
fn check_apart(check: &Check) -> Result<(), String> {
    let nonce = nonce();
    let run = || -> io::Result<_> {
        let mut child = Command::new(env::current_exe()?)
            .env(CHECK, check.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        writeln!(child.stdin.take().expect("it is piped"), "{nonce}")?;
        child.wait_with_output()
    };
    let ran = run().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&ran.stdout);
    if ran.status.success() && said.lines().any(|line| line == proof(nonce)) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines() {
        let is_noise = line.starts_with("note: run with") || line.starts_with("thread '");
        // Several threads may have said the same.
        if !line.trim().is_empty() && !is_noise && !lines.contains(&line) {
            lines.push(line);
        }
    }
    if let Some(place) = lines.iter().position(|line| line.starts_with(UNWATCHED)) {
        // The watchdog asks for a change of this check, which isn't the learner's.
        lines.truncate(place);
        lines.extend(referee::NOT_OVER.lines());
    }
    let look = check.look.map(|at| format!("look  {at}"));
    if let Some(look) = &look {
        let is_advice = |line: &&str| line.trim_start().starts_with("look at ");
        let place = lines.iter().position(is_advice).unwrap_or(lines.len());
        lines.retain(|line| !is_advice(line));
        lines.insert(place, look);
    }
    if lines.is_empty() {
        return Err(format!(
            "the process ended before the check was over: {}",
            ran.status
        ));
    }
    Err(lines.join("\n"))
}

fn proof(nonce: u64) -> String {
    format!("kept {nonce}")
}

/// If this process was started for one job, does it and ends the process. Otherwise it does nothing.
pub(crate) fn serve() {
    cell::serve(|name, _| adapter::subject(name));
    let Ok(name) = env::var(CHECK) else {
        return;
    };
    let check = checks::all().find(|check| check.name == name);
    let check = check.expect("a check, from `check_apart`");
    let mut nonce = String::new();
    let read = io::stdin().lock().read_line(&mut nonce);
    read.expect("a number, from `check_apart`");
    let nonce = nonce.trim().parse().expect("a number");
    referee::whistle_on_panic();
    probe::within(LIMIT, check.run);
    println!("{}", proof(nonce));
    process::exit(0);
}
