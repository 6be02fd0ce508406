//! What is shown as good code passes the tools that check for it.

use std::{fs, path::PathBuf, process::Command, time::Duration};

use kit::process::{self, Limits};

use super::{
    finding::finding,
    proof::Proof,
    variant::{Above, variants},
};
use crate::{
    Error, Exercise, Set,
    package::{Build, BuildFolder, Program},
};

/// All files are checked within this time. It takes about a second.
const RUSTFMT_LIMIT: Duration = Duration::from_secs(60);
const FIX: &str = "fix the solution: learners compare theirs with it";

/// What clippy says about the solutions, and rustfmt about all that people read.
///
/// # Errors
///
/// If one of the two cannot be run.
pub fn style(
    set: &Set,
    exercises: &[&Exercise],
    folder: &BuildFolder,
    proof: &Proof,
) -> Result<Vec<String>, Error> {
    let mut findings = clippy(set, exercises, folder)?;
    findings.extend(rustfmt(set, exercises, proof)?);
    Ok(findings)
}

fn clippy(set: &Set, exercises: &[&Exercise], folder: &BuildFolder) -> Result<Vec<String>, Error> {
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
    let package = folder.package("solutions", set, &programs)?;
    let command = "clippy --tests --keep-going --message-format=json -- -D warnings";
    let built = package.cargo(&command.split(' ').collect::<Vec<_>>())?;
    let findings = built.into_iter().filter_map(|(name, built)| match built {
        Build::Executable(_) => None,
        Build::Failed { screen, .. } => {
            let lines: Vec<_> = screen.lines().map(str::trim).collect();
            let at = lines.iter().find(|line| line.starts_with("-->"));
            let what = format!("clippy: {} {}", lines[0], at.unwrap_or(&""));
            Some(finding(&name, what, FIX))
        }
    });
    Ok(findings.collect())
}

/// The files of the set, and the wrong answers as they were put together.
fn rustfmt(set: &Set, exercises: &[&Exercise], proof: &Proof) -> Result<Vec<String>, Error> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for exercise in exercises {
        let name = &exercise.name;
        for file in [set.exercise(name), set.solution(name), Set::held_out(name)] {
            files.push((set.folder.join(&file), file));
        }
        for variant in variants(set, exercise) {
            if let (Above::Wrong(wrong), false) = (variant.above, variant.held_out) {
                let file = proof.folder.join(&variant.program.file);
                files.push((file, format!("{name}: wrong answer {}", wrong.slip)));
            }
        }
    }
    files.retain(|(file, _)| file.exists());
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--files-with-diff", "--edition", "2024"]);
    rustfmt.args(files.iter().map(|(file, _)| file));
    let ran = process::run(&mut rustfmt, Limits::time(RUSTFMT_LIMIT))?;
    let listed = ran.stdout.lines().filter_map(|line| {
        let path = fs::canonicalize(line).ok();
        files
            .iter()
            .find(|(file, _)| fs::canonicalize(file).ok() == path)
    });
    let fix = "run rustfmt --edition 2024 on it";
    let mut findings: Vec<_> = listed
        .map(|(_, called)| finding(called, "it is not formatted", fix))
        .collect();
    let mut said = ran.stderr.lines();
    let what = match said.find(|line| line.starts_with("error")) {
        Some(line) => line.to_owned(),
        None if findings.is_empty() && !ran.end.is_success() => ran.end.to_string(),
        None => return Ok(findings),
    };
    let fix = "run rustfmt --check on its files to see where";
    findings.push(finding("the set", format!("rustfmt: {what}"), fix));
    Ok(findings)
}
