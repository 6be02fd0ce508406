//! What can be seen without building: names, order, files, hints.

use std::{collections::BTreeSet, ops::RangeInclusive};

use kit::files;

use super::finding::finding;
use crate::{
    Error, Exercise, Kind, Listed, Set,
    split::{at_tests, test_names},
};

const MINUTES: RangeInclusive<u32> = 10..=15;
/// Nothing that keeps a whole contract is written in a quarter of an hour.
const MINUTES_OF_A_CONTRACT: RangeInclusive<u32> = 10..=30;
const POINTS: RangeInclusive<u32> = 1..=4;
const TO_A_STAGE: usize = 4;
/// The direction, the place, the shape of the answer.
const STEPS_OF_A_HINT: usize = 3;
const CATALOGUE: &str = "class/catalogue.toml";

/// What is wrong with the set as a whole.
pub fn of_set(set: &Set) -> Vec<String> {
    let mut findings = Vec::new();
    let names: Vec<_> = set.exercises.iter().map(|e| e.name.clone()).collect();
    let listed: Vec<_> = set.listed.iter().map(|l| l.name.clone()).collect();
    let fix = "name them in one order in both";
    findings.extend(differ("info.toml", &names, &listed, fix));

    let files = names.iter().flat_map(|name| {
        let exercise = format!("{name} = {}", set.exercise(name));
        [exercise, format!("{name}_sol = {}", set.solution(name))]
    });
    let fix = "run `rustlings dev update` in the folder of the set";
    findings.extend(match bins(set) {
        Ok(bins) => differ("Cargo.toml", &files.collect::<Vec<_>>(), &bins, fix),
        Err(error) => Some(finding("Cargo.toml", error.to_string(), fix)),
    });

    let last = set.exercises.iter().map(|exercise| exercise.stage).max();
    for stage in 1..=last.unwrap_or(1) {
        let of_stage = set.exercises.iter().filter(|e| e.stage == stage);
        let letters = of_stage.filter_map(|exercise| exercise.name.chars().nth(3));
        let letters: Vec<_> = letters.collect();
        if letters.len() < TO_A_STAGE {
            let what = format!("stage {stage:02} has {} exercises", letters.len());
            findings.push(finding(CATALOGUE, what, "write 4 or more"));
        }
        if !letters.iter().copied().eq(('a'..='z').take(letters.len())) {
            let what = format!("the letters of stage {stage:02} are {letters:?}");
            let fix = "begin with a, and leave none out";
            findings.push(finding(CATALOGUE, what, fix));
        }
    }

    let files = |name: &String| [set.exercise(name), set.solution(name), Set::held_out(name)];
    let known: BTreeSet<_> = names.iter().flat_map(files).collect();
    for folder in ["exercises", "solutions", "class/held-out"] {
        let there = files::below(&set.folder.join(folder)).unwrap_or_default();
        let there = there.iter().map(|file| files::shown(&set.folder, file));
        for file in there.filter(|file| !known.contains(file)) {
            let fix = "name it in the catalogue, or delete it";
            findings.push(finding(&file, "nothing refers to this file", fix));
        }
    }
    findings
}

/// What is wrong with one exercise.
pub fn of_exercise(set: &Set, exercise: &Exercise) -> Vec<String> {
    let mut findings = of_catalogue(exercise);
    let listed = set.listed.iter().find(|l| l.name == exercise.name);
    findings.extend(
        listed
            .into_iter()
            .flat_map(|listed| of_info(exercise, listed)),
    );
    findings.extend(of_files(set, exercise).unwrap_or_else(|error| {
        let fix = "write it, or change the catalogue";
        vec![finding(&exercise.name, error.to_string(), fix)]
    }));
    findings
}

fn of_catalogue(exercise: &Exercise) -> Vec<String> {
    let Exercise { name, stage, .. } = exercise;
    let mut findings = Vec::new();
    let mut check = |is_right: bool, what: &str, fix: &str| {
        findings.extend((!is_right).then(|| finding(name, what, fix)));
    };
    let parts = name.strip_prefix(&format!("s{stage:02}"));
    let parts = parts.and_then(|rest| rest.split_once('_'));
    let is_named = parts.is_some_and(|(letter, what)| letter.len() == 1 && !what.is_empty());
    let what = format!("it is of stage {stage:02}");
    check(is_named, &what, "call it s<stage><letter>_<what>");

    let range = match exercise.kind {
        Kind::Contract => MINUTES_OF_A_CONTRACT,
        _ => MINUTES,
    };
    let minutes = exercise.minutes;
    let what = format!("it takes {minutes} minutes");
    let fix = format!("make it {} to {}", range.start(), range.end());
    check(range.contains(&minutes), &what, &fix);

    let points = exercise.points;
    let what = format!("it is worth {points} points");
    check(POINTS.contains(&points), &what, "make it 1 to 4");

    let texts = [&exercise.title, &exercise.idea, &exercise.red];
    let is_said = texts.iter().all(|text| !text.trim().is_empty());
    let what = "`title`, `idea` or `red` is empty";
    check(is_said, what, "say it in the catalogue");

    let steps = exercise.hints.iter().filter(|it| !it.trim().is_empty());
    let steps = steps.count();
    let what = format!("its hint has {steps} steps");
    let fix = "write `hints` in the catalogue: the direction, the place, the shape of the answer";
    check(steps == STEPS_OF_A_HINT, &what, fix);

    let has_defect = exercise.kind != Kind::Repair || exercise.defect.is_some();
    let what = "it repairs, and names no defect";
    check(has_defect, what, "add `defect` to the catalogue");

    let wrong = exercise.wrong.len();
    let what = format!("it has {wrong} wrong answers");
    check(wrong >= 2, &what, "give it two or more");
    findings
}

fn of_info(exercise: &Exercise, listed: &Listed) -> Vec<String> {
    let mut findings = Vec::new();
    let mut check = |is_right: bool, what: &str, fix: &str| {
        findings.extend((!is_right).then(|| finding(&exercise.name, what, fix)));
    };
    let is_there = listed.dir.starts_with(&format!("{:02}_", exercise.stage));
    let what = format!("it is in {:?}", listed.dir);
    check(is_there, &what, "put it into the folder of its stage");

    let what = "rustlings does not run its tests";
    check(listed.test, what, "remove `test = false`");

    let what = "rustlings skips the starter";
    let fix = "remove `skip_check_unsolved`";
    check(!listed.skip_check_unsolved, what, fix);
    findings
}

fn of_files(set: &Set, exercise: &Exercise) -> Result<Vec<String>, Error> {
    let name = &exercise.name;
    let mut findings = Vec::new();
    let mut check = |is_right: bool, file: &str, what: &str, fix: &str| {
        let finding = || finding(name, format!("{file}: {what}"), fix);
        findings.extend((!is_right).then(finding));
    };
    let file = set.exercise(name);
    let starter = set.read(&file)?;
    let (_, tests) = at_tests(&starter);
    let short = name.split('_').next().unwrap_or(name);
    let (kind, minutes, stage) = (exercise.kind, exercise.minutes, exercise.stage);
    let head = format!("//! {short} · {kind} · {minutes} minutes · chapter {stage:02},");
    let what = "the first line is not that of the catalogue";
    let fix = format!("begin with `{head}`");
    check(starter.starts_with(&head), &file, what, &fix);

    let end = "end it with `#[cfg(test)]`, `mod tests {` and at least one test";
    check(
        !test_names(tests).is_empty(),
        &file,
        "there is no test",
        end,
    );

    let file = set.solution(name);
    let is_same = at_tests(&set.read(&file)?).1 == tests;
    let what = "its tests are not those of the starter";
    check(is_same, &file, what, "copy them from there");

    let file = Set::held_out(name);
    let text = set.read(&file)?;
    let (above, held_out) = at_tests(&text);
    let is_whole = above.trim().is_empty() && !test_names(held_out).is_empty();
    let what = "it is not the part with the tests, and nothing else";
    check(is_whole, &file, what, end);

    for wrong in &exercise.wrong {
        set.wrong(exercise, wrong)?;
    }
    Ok(findings)
}

/// The first place at which two lists differ.
fn differ(at: &str, catalogue: &[String], there: &[String], fix: &str) -> Option<String> {
    let longer = catalogue.len().max(there.len());
    let n = (0..longer).find(|&n| catalogue.get(n) != there.get(n))?;
    let [wanted, found] = [catalogue, there].map(|all| all.get(n).map_or("nothing", |name| name));
    let what = format!(
        "place {}: the catalogue wants {wanted}, here is {found}",
        n + 1
    );
    Some(finding(at, what, fix))
}

/// The programs of the set's manifest, each as `name = path`.
fn bins(set: &Set) -> Result<Vec<String>, Error> {
    let manifest: toml::Table = toml::from_str(&set.read("Cargo.toml")?)
        .map_err(|error| Error::Usage(error.message().to_owned()))?;
    let bins = manifest.get("bin").and_then(|bin| bin.as_array());
    let text = |bin: &toml::Value, key| bin.get(key)?.as_str().map(str::to_owned);
    let line = |bin| Some(format!("{} = {}", text(bin, "name")?, text(bin, "path")?));
    Ok(bins.into_iter().flatten().filter_map(line).collect())
}
