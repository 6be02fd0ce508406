//! What becomes of a mutant: its test runs without the change, and then with it.

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
    Ok(match run(&program, test, 10 * HANG)? {
        (Some(status), time) if status.success() => Ok(time),
        _ => Err("the test fails without the change".into()),
    })
}

/// Makes the change, runs the mutant's test, which takes `unchanged` otherwise, and takes the change back.
///
/// # Errors
///
/// If files cannot be read or written, or programs cannot be run.
pub fn judge(tree: &Tree, mutant: &Mutant, unchanged: Duration) -> io::Result<Verdict> {
    let original = tree.read(&mutant.file)?;
    let mut changed = original.clone();
    for (from, to) in &mutant.change {
        if !changed.contains(from) {
            let file = mutant.file.display();
            return Ok(Verdict::Void(format!("{file} does not contain `{from}`")));
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
        .args(["--exact", &test.full_name()])
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
