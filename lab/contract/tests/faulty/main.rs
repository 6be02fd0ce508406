//! Each clause catches its faults, each by the assertion that is there for it, and lets the same thing without a mistake
//! pass.

mod block_on;
mod channel;
mod driver;
mod event;
mod executor;
mod flag;
mod runtime;
mod semaphore;
mod subjects;
mod timer;

use std::{
    process::ExitCode,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use runtime_contract::{
    Clause, all,
    cell::{self, Verdict},
    harness::{self, Test, Turn},
};

use subjects::{caught_by, passed_by};

runtime_contract::count_allocations!();

const THIRTY_YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// What is tested panics on purpose, and what it leaves behind is looked at all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// These go wrong only if a thread is asleep by then, or gets a share of the processor, which nothing announces. On a busy
/// machine they may get away once. Not three times.
const BY_LUCK: &[&str] = &[
    "GivesUpTheLock",
    "HasAWheel",
    "IgnoresAReset",
    "KeepsItsFirstTime",
    "LeavesInTwoSteps",
    "OneParkerToAThread",
    "PanicsBeforeItForgets",
    "QueuesEveryWake",
    "SetsNoSecondAlarm",
    "SleepsInOrder",
    "SleepsThroughSpawns",
    "SleepsThroughWakes",
    "StopsWhenIdle",
    "StoresItsWakerLate",
    "TokenIsTheWake",
    "WakesIdleTasksByThreadLocal",
];

fn main() -> ExitCode {
    let find = |name: &str, clause: &Clause| {
        let faulty = caught_by(clause)
            .into_iter()
            .map(|(fault, subject, _)| (fault, subject));
        let mut all = passed_by(clause).into_iter().chain(faulty);
        all.find(|(fault, _)| fault == name)
            .map(|(_, subject)| subject)
    };
    cell::serve(find);
    let faulty = all().flat_map(|clause| {
        clause
            .faults()
            .into_iter()
            .map(move |fault| (clause, fault))
    });
    let caught = faulty.map(|(clause, (fault, says))| Test {
        name: format!("{}::catches::{fault}", clause.name),
        turn: match clause.is_tested_alone() {
            true => Turn::Last,
            false if says.contains("it hangs") => Turn::First,
            false => Turn::Any,
        },
        run: Box::new(move || catches(clause, &fault, says)),
    });
    let sound = all().flat_map(|clause| {
        passed_by(clause)
            .into_iter()
            .map(move |(name, _)| (clause, name))
    });
    let passed = sound.map(|(clause, name)| Test {
        name: format!("{}::lets_pass::{name}", clause.name),
        turn: if clause.is_tested_alone() {
            Turn::Last
        } else {
            Turn::Any
        },
        run: Box::new(move || lets_pass(clause, &name)),
    });
    // Half of the faults hang, and a process that hangs needs no processor.
    harness::main(16, caught.chain(passed).collect())
}

fn catches(clause: &'static Clause, fault: &str, says: &str) -> Result<Option<String>, String> {
    // With less time at most, a process waits a third as long for rest, and computes a third as much: most of these hang or go in circles.
    const EXPECTED: &[(&str, &str)] = &[("CONTRACT_SECONDS", "60")];
    let by_luck = BY_LUCK.contains(&fault);
    let mut seen = Vec::new();
    for _ in 0..if by_luck { 3 } else { 1 } {
        let verdict = test(fault, clause, EXPECTED)?;
        if verdict.is_failure() && verdict.to_string().contains(says) {
            return Ok(Some(String::new()));
        }
        seen.push(verdict.to_string());
    }
    Err(format!("not caught by {says:?}, but: {seen:?}"))
}

fn lets_pass(clause: &'static Clause, name: &str) -> Result<Option<String>, String> {
    match test(name, clause, &[])? {
        Verdict::Kept => Ok(Some(String::new())),
        // No one of them offers everything, and all of them do.
        Verdict::Unsupported if name != "None" || others_keep(clause)? => Ok(Some(String::new())),
        verdict => Err(verdict.to_string()),
    }
}

fn others_keep(clause: &'static Clause) -> Result<bool, String> {
    let others = passed_by(clause).into_iter().skip(1);
    let verdicts: Result<Vec<_>, _> = others.map(|(name, _)| test(&name, clause, &[])).collect();
    Ok(verdicts?.contains(&Verdict::Kept))
}

fn test(subject: &str, clause: &Clause, environment: &[(&str, &str)]) -> Result<Verdict, String> {
    cell::test(&[], environment, subject, clause).map_err(|error| error.to_string())
}
