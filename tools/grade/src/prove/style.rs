//! What is shown as good code passes the tools that check for it.

use std::process::Command;

use super::Finding;
use crate::{
    Exercise, Set, Trouble,
    scratch::{Built, Entered, Program},
};

const MEND: &str = "mend the solution: learners compare theirs with it";

/// What clippy and rustfmt say.
///
/// # Errors
///
/// If one of the two cannot be run.
pub fn style(
    set: &Set,
    exercises: &[&Exercise],
    place: &Entered<'_>,
) -> Result<Vec<Finding>, Trouble> {
    let mut findings = clippy(set, exercises, place)?;
    findings.extend(rustfmt(set, exercises)?);
    Ok(findings)
}

fn clippy(
    set: &Set,
    exercises: &[&Exercise],
    place: &Entered<'_>,
) -> Result<Vec<Finding>, Trouble> {
    let programs = exercises.iter().filter_map(|exercise| {
        let name = exercise.name.clone();
        let file = set.solution(&name);
        let text = set.read(&file).ok()?;
        Some(Program { name, file, text })
    });
    let programs: Vec<_> = programs.collect();
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let package = place.package("solutions", set, &programs)?;
    let command = [
        "clippy",
        "--tests",
        "--keep-going",
        "--message-format=json",
        "--",
        "-D",
        "warnings",
    ];
    let built = package.compile(package.cargo(&command)?)?;
    let findings = built.into_iter().filter_map(|(name, built)| match built {
        Built::Program(_) => None,
        Built::Failed { screen, .. } => {
            let lines: Vec<_> = screen.lines().map(str::trim).collect();
            let at = lines.iter().find(|line| line.starts_with("-->"));
            let what = format!("clippy: {} {}", lines[0], at.unwrap_or(&""));
            Some(Finding::new(name, what, MEND))
        }
    });
    Ok(findings.collect())
}

/// All files that somebody reads.
fn rustfmt(set: &Set, exercises: &[&Exercise]) -> Result<Vec<Finding>, Trouble> {
    let files = exercises.iter().flat_map(|exercise| {
        let name = &exercise.name;
        let wrong = exercise
            .wrong
            .iter()
            .map(|wrong| Set::wrong(name, &wrong.slip));
        let files = [set.exercise(name), set.solution(name), Set::held_out(name)];
        files.into_iter().chain(wrong)
    });
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--files-with-diff", "--edition", "2024"]);
    rustfmt.args(files.filter(|file| set.folder.join(file).exists()));
    let output = rustfmt.current_dir(&set.folder).output()?;
    let listed = String::from_utf8_lossy(&output.stdout);
    let mut findings: Vec<_> = listed
        .lines()
        .filter_map(|file| {
            let file = file.replace('\\', "/");
            let at = ["exercises/", "solutions/", "class/"].iter();
            // From the set's folder, which may itself be called so.
            let at = at.filter_map(|folder| file.rfind(folder)).min()?;
            Some(Finding::new(
                &file[at..],
                "it is not formatted",
                "run rustfmt --edition 2024 on it",
            ))
        })
        .collect();
    let said = String::from_utf8_lossy(&output.stderr);
    if let Some(line) = said.lines().find(|line| line.starts_with("error")) {
        let what = format!("rustfmt: {line}");
        findings.push(Finding::new(
            "the set",
            what,
            "run rustfmt --check on its files to see where",
        ));
    }
    Ok(findings)
}
