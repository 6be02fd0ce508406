//! What becomes of a mutant: its test runs without the change, and then with it.

use std::{fmt, io, path::Path, process::Command, time::Duration};

use kit::process::{self, End, Limits, Outcome};

use crate::{Mutant, Test, Tree};

/// A test that takes this long, and ten times as long as without the change, hangs.
const HANG: Duration = Duration::from_secs(6);

/// What became of a mutant.
#[derive(Debug)]
pub enum Fate {
    /// The test failed, after this time.
    Failed(Duration),
    /// The test was stopped: it hung, or printed without end.
    Stopped,
    /// The test passed: it does not catch this mistake.
    Survived,
    /// The mutant could not be tried, for this reason.
    NotTried(String),
}

impl Fate {
    /// Whether the test did what it is there for.
    pub fn is_caught(&self) -> bool {
        matches!(self, Fate::Failed(_) | Fate::Stopped)
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Failed(after) => {
                write!(f, "caught, by a failure after {} ms", after.as_millis())
            }
            Fate::Stopped => f.write_str("caught, by a hang that was stopped"),
            Fate::Survived => f.write_str("NOT CAUGHT: the test passes"),
            Fate::NotTried(reason) => write!(f, "NOT TRIED: {reason}"),
        }
    }
}

/// Runs a test without any change. Returns how long it takes, or why it cannot judge a mutant.
///
/// # Errors
///
/// If programs cannot be run.
pub fn time_unchanged(tree: &Tree, test: &Test) -> io::Result<Result<Duration, String>> {
    let program = match tree.compile(test)? {
        Ok(program) => program,
        Err(said) => return Ok(Err(format!("without the change, {said}"))),
    };
    let ran = run(tree, &program, test, 10 * HANG)?;
    if !ran.end.is_success() {
        return Ok(Err("the test fails without the change".into()));
    }
    // A name that no test has is no failure for the harness.
    if !ran.stdout.contains("test result: ok. 1 passed") {
        return Ok(Err(format!("there is no test {test}")));
    }
    Ok(Ok(ran.time))
}

/// Makes the change, runs the mutant's test, which takes `unchanged` otherwise, and takes the change back.
///
/// # Errors
///
/// If files cannot be read or written, or programs cannot be run.
pub fn fate(tree: &Tree, mutant: &Mutant, unchanged: Duration) -> io::Result<Fate> {
    let original = tree.read(&mutant.file)?;
    let changed = match kit::change::apply(&original, &mutant.change) {
        Ok(changed) => changed,
        Err(missing) => {
            let file = mutant.file.display();
            return Ok(Fate::NotTried(format!(
                "{file} does not contain `{missing}`"
            )));
        }
    };
    tree.write(&mutant.file, &changed)?;
    let fate = fate_of_changed(tree, &mutant.caught_by, HANG.max(10 * unchanged));
    tree.write(&mutant.file, &original)?;
    fate
}

fn fate_of_changed(tree: &Tree, test: &Test, limit: Duration) -> io::Result<Fate> {
    let program = match tree.compile(test)? {
        Ok(program) => program,
        Err(said) => return Ok(Fate::NotTried(format!("with the change, {said}"))),
    };
    let ran = run(tree, &program, test, limit)?;
    Ok(match ran.end {
        End::Exited(status) if status.success() => Fate::Survived,
        End::Exited(_) => Fate::Failed(ran.time),
        End::TimedOut | End::Flooded => Fate::Stopped,
    })
}

fn run(tree: &Tree, program: &Path, test: &Test, limit: Duration) -> io::Result<Outcome> {
    let mut command = Command::new(program);
    command.args(["--exact", &test.full_name(&tree.it(test))]);
    // A test of the contract starts programs, which must not compete with the next mutant for the processor.
    process::run(process::lead_a_group(&mut command), Limits::time(limit))
}
