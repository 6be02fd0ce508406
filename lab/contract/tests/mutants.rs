//! Each clause catches its mutants, each by the assertion that is there for it, and lets the same thing without a mistake
//! pass.

use std::{process::ExitCode, time::Duration};

use contract::{
    Clause, Mutant, all,
    cell::{self, Verdict},
};
use libtest_mimic::{Arguments, Failed, Trial};

/// Only what hangs comes to this.
const PATIENT: Duration = Duration::from_secs(20);
/// Longer than a test looks for something that nobody announces.
const BRIEF: Duration = Duration::from_millis(2_500);

fn main() -> ExitCode {
    let find = |name: &str, clause: &Clause| match name {
        "sound" => Some(clause.sound()),
        name => {
            let mut mutants = clause.mutants().into_iter();
            mutants
                .find(|mutant| mutant.name == name)
                .map(|it| it.subject)
        }
    };
    if let Some(code) = cell::serve(find) {
        return code;
    }
    let mutants = all().flat_map(|clause| clause.mutants().into_iter().map(move |it| (clause, it)));
    let caught = mutants.map(|(clause, mutant)| {
        let name = format!("{}::catches::{}", clause.name, mutant.name);
        Trial::test(name, move || catches(clause, &mutant))
    });
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

fn catches(clause: &'static Clause, mutant: &Mutant) -> Result<(), Failed> {
    let mut said = Vec::new();
    // A race may be won by a mutant, on a machine that has other things to do. Not three times.
    for _ in 0..3 {
        let verdict = cell::test(&mutant.name, clause, BRIEF)?;
        if verdict.is_failure() && verdict.to_string().contains(mutant.says) {
            return Ok(());
        }
        said.push(verdict.to_string());
    }
    Err(Failed::from(format!(
        "not caught by {:?}, but three times: {said:?}",
        mutant.says
    )))
}

fn lets_pass(clause: &'static Clause) -> Result<(), Failed> {
    match cell::test("sound", clause, PATIENT)? {
        Verdict::Kept => Ok(()),
        verdict => Err(Failed::from(verdict.to_string())),
    }
}
