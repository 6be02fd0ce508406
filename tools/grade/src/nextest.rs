//! nextest runs the tests, each in a process of its own, and stops what takes too long.

use std::{fs, path::Path, time::Duration};

use quick_junit::{Report, TestCase, TestCaseStatus};
use toml::{Table, Value};

use crate::{
    Trouble,
    one_test::{AS_RUNNER, FLOODED, MARK},
    reason,
    scratch::Package,
};

const CONFIG: &str = r#"
[profile.grade]
slow-timeout = { period = "2s", terminate-after = 2, grace-period = "0s" }
fail-fast = false

[profile.grade.junit]
path = "junit.xml"
"#;
const REPORT: &str = "target/nextest/grade/junit.xml";
/// nextest's own statuses: all passed, and some failed.
const RAN: [Option<i32>; 2] = [Some(0), Some(100)];

/// One test, run.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// The program that it stands in.
    pub(crate) program: String,
    pub(crate) case: TestCase,
}

/// Says in one line what to do if nextest is not there.
pub(crate) fn is_there(package: &Package) -> Result<(), Trouble> {
    let output = package.cargo(&["nextest", "--version"])?.output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(Trouble::Cannot(
        "cargo-nextest is not there: cargo install cargo-nextest --locked".into(),
    ))
}

/// Runs the tests of these programs, which must have been built.
pub(crate) fn run(package: &Package, programs: &[&str]) -> Result<Vec<Ran>, Trouble> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    package.write(".config/nextest.toml", CONFIG)?;
    package.write(".cargo/config.toml", &runner()?)?;
    let report = package.root.join(REPORT);
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut nextest =
        package.cargo(&["nextest", "run", "--profile", "grade", "--color", "never"])?;
    nextest.args(["--user-config-file", "none", "--no-tests", "pass"]);
    nextest.args(["--status-level", "none", "--final-status-level", "none"]);
    nextest.args(["--success-output", "never", "--failure-output", "never"]);
    for program in programs {
        nextest.args(["--bin", program]);
    }
    // A learner reads the message, and not how the harness came to it.
    let output = nextest.env("RUST_BACKTRACE", "0").output()?;
    if !RAN.contains(&output.status.code()) {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Trouble::Cannot(said));
    }
    if !report.exists() {
        return Ok(Vec::new());
    }
    read(&report)
}

fn read(report: &Path) -> Result<Vec<Ran>, Trouble> {
    let report = Report::deserialize_from_str(&fs::read_to_string(report)?)
        .map_err(|error| Trouble::Cannot(format!("nextest's report: {error}")))?;
    let suites = report.test_suites.into_iter().flat_map(|suite| {
        // Such as `exercises::bin/s04c_sleep_until_woken`.
        let program = suite.name.as_str().rsplit('/').next().map(str::to_owned);
        let program = program.unwrap_or_default();
        suite.test_cases.into_iter().map(move |case| Ran {
            program: program.clone(),
            case,
        })
    });
    Ok(suites.collect())
}

fn runner() -> Result<String, Trouble> {
    let this = std::env::current_exe()?;
    let runner: Value = vec![this.to_string_lossy().into_owned(), AS_RUNNER.into()].into();
    let mut target = Table::new();
    target.insert("runner".into(), runner);
    let mut every = Table::new();
    every.insert("cfg(all())".into(), target.into());
    let mut config = Table::new();
    config.insert("target".into(), every.into());
    Ok(config.to_string())
}

impl Ran {
    /// With the modules that it stands in, such as `tests::it_is_woken_once`.
    pub(crate) fn name(&self) -> &str {
        self.case.name.as_str()
    }

    pub(crate) fn seconds(&self) -> Duration {
        self.case.time.unwrap_or_default()
    }

    pub(crate) fn passed(&self) -> bool {
        matches!(self.case.status, TestCaseStatus::Success { .. })
    }

    pub(crate) fn timed_out(&self) -> bool {
        let TestCaseStatus::NonSuccess { ty, .. } = &self.case.status else {
            return false;
        };
        ty.as_ref().is_some_and(|ty| ty.as_str() == "test timeout")
    }

    pub(crate) fn flooded(&self) -> bool {
        let flooded = format!("{MARK}{FLOODED}");
        self.stderr().lines().any(|line| line == flooded)
    }

    fn stderr(&self) -> &str {
        self.case
            .system_err
            .as_ref()
            .map_or("", |text| text.as_str())
    }

    /// The line that says why it failed. Which test it was, the report has.
    pub(crate) fn why(&self) -> String {
        if self.timed_out() {
            return "the test was stopped at the time limit".to_owned();
        }
        if self.flooded() {
            return FLOODED.to_owned();
        }
        reason::of(self.stderr())
    }
}
