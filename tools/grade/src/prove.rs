//! The set of exercises, proved: its files fit together, what its starters and wrong answers show is seen in a run, and what is
//! right in another way passes.

use std::time::Duration;

use course::Exercise;

use crate::{Error, Package, Set, checks::Mark, grading::judge_all, set::foot, wrong};

/// Whatever is red must be red by then, on a crowded machine too, on which the watchdog waits up to ten times as long.
const LIMIT: Duration = Duration::from_secs(40);

/// What an exercise may hold, and what is to become of it.
struct Variant<'a> {
    exercise: &'a Exercise,
    /// Of the wrong answer. 0 is the starter.
    number: usize,
    /// What a learner must see of it. `None`: it is right.
    must_show: Option<&'a str>,
    text: String,
}

/// What is wrong with these exercises. Each is a line: where, what, and what to do. Without a package to build in, as far as it
/// can be seen without a run. That a starter fails at all and a solution passes, `rustlings dev check` sees.
///
/// # Errors
///
/// If the files cannot be read, or nothing can be built or run.
pub fn findings(set: &Set, package: Option<&Package>) -> Result<Vec<String>, Error> {
    let wrong = wrong::answers(set)?;
    let (mut findings, mut variants) = (Vec::new(), Vec::new());
    for exercise in &set.exercises {
        let name = &exercise.name;
        findings.extend(misfits(set, exercise)?);
        let wrong = wrong.get(name).map_or(&[][..], Vec::as_slice);
        if wrong
            .iter()
            .filter(|answer| answer.screen.is_some())
            .count()
            < 2
        {
            let few = "it has less than two wrong answers: add some";
            findings.push(format!("{name}: {few}"));
        }
        for (number, wrong) in (1..).zip(wrong) {
            match wrong.applied(&set.read(&format!("{}/{}", wrong.folder, exercise.file()))?) {
                Ok(text) => variants.push(Variant {
                    exercise,
                    number,
                    must_show: wrong.screen.as_deref(),
                    text,
                }),
                Err(line) => findings.push(format!(
                    "{name}: answer {number}: `{line}` is not where it was: change its diff"
                )),
            }
        }
        let starter = set.read(&format!("exercises/{}", exercise.file()))?;
        variants.push(Variant {
            exercise,
            number: 0,
            must_show: Some(&exercise.red),
            text: starter,
        });
    }
    let Some(package) = package else {
        return Ok(findings);
    };
    let answers = variants
        .iter()
        .map(|variant| (variant.exercise, variant.number, Ok(variant.text.clone())));
    let graded = judge_all(set, &answers.collect::<Vec<_>>(), package, LIMIT)?;
    for (variant, graded) in variants.iter().zip(&graded) {
        let (name, number) = (&variant.exercise.name, variant.number);
        // A new wrong answer's `text` can be copied from there.
        let file = package.write(&format!("screens/{name}-{number}.txt"), &graded.screen)?;
        let what = match (graded.mark, variant.must_show) {
            (Mark::Solved, None) => continue,
            (Mark::Solved, Some(_)) => "passes".to_owned(),
            (Mark::TimedOut, _) => "hangs: what can hang belongs under `probe::within`".to_owned(),
            (_, None) => format!("is right, and is refused: {}", graded.why),
            (_, Some(text)) if wrong::shows(&graded.screen, text) => continue,
            (_, Some(text)) => {
                let first = text.trim().lines().next().unwrap_or_default();
                format!("does not show `{first}`, but: {}", graded.why)
            }
        };
        let which = match number {
            0 => "the starter".to_owned(),
            _ => format!("answer {number}"),
        };
        findings.push(format!("{name}: {which} {what} (see {})", file.display()));
    }
    Ok(findings)
}

/// What does not fit in the files of an exercise: their first line, and their last three.
fn misfits(set: &Set, exercise: &Exercise) -> Result<Vec<String>, Error> {
    let (short, chapter, foot) = (exercise.short(), exercise.chapter(), foot(exercise));
    let Exercise { kind, minutes, .. } = exercise;
    let head = format!("//! {short} · {kind} · {minutes} minutes · chapter {chapter}, ");
    let mut findings = Vec::new();
    for (folder, head) in [("exercises", &*head), ("solutions", "")] {
        let file = format!("{folder}/{}", exercise.file());
        let text = set.read(&file)?;
        if !text.starts_with(head) {
            findings.push(format!("{file}: begin it with `{head}`"));
        }
        if !text.ends_with(&foot) {
            findings.push(format!("{file}: end it with these three lines:\n{foot}"));
        }
    }
    Ok(findings)
}
