//! What becomes of a mutant: the test runs once without the change, and once with it.

use std::{
    fmt, io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use wait_timeout::ChildExt;

use crate::{Mutant, Test, Tree};

/// A test that takes this long, and ten times as long as without the change, hangs.
const HANG: Duration = Duration::from_secs(6);

/// What became of a mutant.
#[derive(Debug)]
pub enum Verdict {
    /// The test failed, after this time.
    Failed(Duration),
    /// The test was still running when it was stopped.
    Hung,
    /// The test passed: it does not catch this mistake.
    Survived,
    /// The mutant could not be tried, for this reason.
    Void(String),
}

impl Verdict {
    /// Whether the test did what it is there for.
    pub fn is_caught(&self) -> bool {
        matches!(self, Verdict::Failed(_) | Verdict::Hung)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Failed(after) => {
                write!(f, "caught, by a failure after {} ms", after.as_millis())
            }
            Verdict::Hung => f.write_str("caught, by a hang that was stopped"),
            Verdict::Survived => f.write_str("NOT CAUGHT: the test passes"),
            Verdict::Void(reason) => write!(f, "NOT TRIED: {reason}"),
        }
    }
}

/// Runs the mutant's test as it is, makes the change, runs the test again, and takes the change back.
///
/// # Errors
///
/// If files cannot be read or written, or programs cannot be run.
pub fn judge(tree: &Tree, mutant: &Mutant) -> io::Result<Verdict> {
    let program = match tree.compile(&mutant.caught_by)? {
        Ok(program) => program,
        Err(said) => return Ok(Verdict::Void(format!("without the change, {said}"))),
    };
    let (status, unchanged) = run(&program, &mutant.caught_by, 10 * HANG)?;
    if !status.is_some_and(|status| status.success()) {
        return Ok(Verdict::Void("the test fails without the change".into()));
    }

    let original = tree.read(&mutant.file)?;
    let mut changed = original.clone();
    for (from, to) in &mutant.change {
        if !changed.contains(from) {
            return Ok(Verdict::Void(format!(
                "{} does not contain `{from}`",
                mutant.file.display()
            )));
        }
        changed = changed.replace(from, to);
    }
    tree.write(&mutant.file, &changed)?;
    let verdict = judge_changed(tree, &mutant.caught_by, HANG.max(10 * unchanged));
    tree.write(&mutant.file, &original)?;
    verdict
}

fn judge_changed(tree: &Tree, test: &Test, limit: Duration) -> io::Result<Verdict> {
    let program = match tree.compile(test)? {
        Ok(program) => program,
        Err(said) => return Ok(Verdict::Void(format!("with the change, {said}"))),
    };
    Ok(match run(&program, test, limit)? {
        (None, _) => Verdict::Hung,
        (Some(status), _) if status.success() => Verdict::Survived,
        (Some(_), after) => Verdict::Failed(after),
    })
}

/// Runs one test. No status: it was stopped at the limit.
fn run(program: &Path, test: &Test, limit: Duration) -> io::Result<(Option<ExitStatus>, Duration)> {
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(["--exact", &test.name])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok((status, start.elapsed()))
}
