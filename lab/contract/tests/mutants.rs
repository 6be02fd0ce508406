//! Each clause catches its mutant, and lets the same thing without the mistake pass.

use std::{process::ExitCode, time::Duration};

use contract::{
    Clause, all,
    cell::{self, Verdict},
};
use libtest_mimic::{Arguments, Failed, Trial};

/// Only what hangs comes to this.
const PATIENT: Duration = Duration::from_secs(20);
/// Longer than a test looks for something that nobody announces.
const BRIEF: Duration = Duration::from_millis(2_500);

fn main() -> ExitCode {
    let find = |name: &str, clause: &Clause| match name {
        "mutant" => Some(clause.mutant()),
        "sound" => Some(clause.sound()),
        _ => None,
    };
    if let Some(code) = cell::serve(find) {
        return code;
    }
    let caught = all()
        .map(|clause| Trial::test(format!("{}::catches", clause.name), move || catches(clause)));
    let passed = all().map(|clause| {
        Trial::test(format!("{}::lets_pass", clause.name), move || {
            lets_pass(clause)
        })
    });
    let trials = caught.chain(passed).collect();
    let mut arguments = Arguments::from_args();
    // Half of the mutants hang, and a process that hangs needs no processor.
    arguments.test_threads.get_or_insert(8);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn catches(clause: &'static Clause) -> Result<(), Failed> {
    // A race may be won by a mutant, on a machine that has other things to do. Not three times.
    for _ in 0..3 {
        let verdict = cell::test("mutant", clause, BRIEF)?;
        if verdict.is_failure() {
            return Ok(());
        }
    }
    Err(Failed::from("its mutant passes"))
}

fn lets_pass(clause: &'static Clause) -> Result<(), Failed> {
    match cell::test("sound", clause, PATIENT)? {
        Verdict::Kept => Ok(()),
        verdict => Err(Failed::from(verdict.to_string())),
    }
}
