//! One thing that a rung asks, tried in a process of its own: it may hang, or end the process, without harm to the others.

use std::{env, process, time::Duration};

use contract::{
    Clause,
    apart::{self, Proof},
    cell::{self, Verdict},
};

use crate::{
    adapter,
    checks::{self, Check},
    referee,
    result::NotKept,
};

/// In the environment of a process that makes one counted check: its name.
const CHECK: &str = "LADDER_CHECK";

/// Four times as long as the longest check of what works. The watchdog allows more on a busy machine.
const LIMIT: Duration = Duration::from_secs(12);

/// How the message of a `todo!` begins, as the standard library documents it.
const TODO: &str = "not yet implemented";
/// Begins the line of the watchdog that says what was seen.
const SEEN: &str = "seen  ";
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

    /// Tries it.
    pub(crate) fn run(&self) -> Result<(), NotKept> {
        match self {
            Job::Clause(subject, clause) => {
                let verdict = cell::test(&[], &[], subject, clause);
                match verdict.unwrap_or_else(|error| Verdict::Died(error.to_string())) {
                    Verdict::Kept => Ok(()),
                    Verdict::Unsupported if probe::threads().is_none() => Ok(()),
                    seen => Err(NotKept {
                        what: format!("rule  {}\n{SEEN}{seen}\nwhy   {}", clause.rule, clause.why),
                        seen: first_line(&seen.to_string()),
                        is_todo: seen.to_string().contains(TODO),
                    }),
                }
            }
            Job::Check(check) => check_apart(check).map_err(|what| NotKept {
                seen: first_line(
                    what.lines()
                        .find_map(|line| line.strip_prefix(SEEN))
                        .unwrap_or(&what),
                ),
                is_todo: what.contains(TODO),
                what,
            }),
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Makes a check in a process of its own. What is wrong, for a reader, if anything is.
fn check_apart(check: &Check) -> Result<(), String> {
    let ran = apart::again().and_then(|mut program| apart::run(program.env(CHECK, check.name)));
    let ran = ran.map_err(|error| error.to_string())?;
    if ran.status.success() && ran.is_proved {
        return Ok(());
    }
    let mut lines: Vec<&str> = Vec::new();
    for line in ran.said.lines() {
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

/// If this process was started for one job, does it and ends the process. Otherwise it does nothing.
pub(crate) fn serve() {
    cell::serve(|name, _| adapter::subject(name));
    let Ok(name) = env::var(CHECK) else {
        return;
    };
    let check = checks::all().find(|check| check.name == name);
    let check = check.expect("a check, from `check_apart`");
    let proof = Proof::begin();
    referee::whistle_on_panic();
    probe::within(LIMIT, check.run);
    proof.give();
    process::exit(0);
}
