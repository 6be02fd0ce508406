//! What can be seen without building: names, order, files, hints.

use std::{collections::BTreeSet, fs, path::Path};

use toml::Table;

use super::Finding;
use crate::{
    Exercise, Kind, Set,
    split::{at_tests, test_names},
};

const LEAST: u32 = 10;
const MOST: u32 = 15;
/// Nothing that keeps a whole contract is written in a quarter of an hour.
const MOST_OF_A_CONTRACT: u32 = 30;
const POINTS: std::ops::RangeInclusive<u32> = 1..=4;
const TO_A_STAGE: usize = 4;
const HINT: [&str; 3] = ["Direction:", "Place:", "Shape:"];
const ANCHORS: [&str; 2] = ["// ANCHOR: slip", "// ANCHOR_END: slip"];
const CATALOGUE: &str = "class/catalogue.toml";

/// What is wrong with the set as a whole.
pub fn of_set(set: &Set) -> Vec<Finding> {
    let mut findings = Vec::new();
    let names: Vec<_> = set.exercises.iter().map(|e| e.name.clone()).collect();
    let listed: Vec<_> = set
        .listed
        .iter()
        .map(|listed| listed.name.clone())
        .collect();
    differ(
        &mut findings,
        "info.toml",
        &names,
        &listed,
        "name them in one order in both",
    );

    let files = names.iter().flat_map(|name| {
        let exercise = format!("{name} = {}", set.exercise(name));
        [exercise, format!("{name}_sol = {}", set.solution(name))]
    });
    let files: Vec<_> = files.collect();
    let mend = "run `rustlings dev update` in the folder of the set";
    match bins(set) {
        Ok(bins) => differ(&mut findings, "Cargo.toml", &files, &bins, mend),
        Err(error) => findings.push(Finding::new("Cargo.toml", error, mend)),
    }

    let last = set.exercises.iter().map(|exercise| exercise.stage).max();
    for stage in 1..=last.unwrap_or(1) {
        let of_stage = set.exercises.iter().filter(|e| e.stage == stage);
        let letters: Vec<_> = of_stage
            .map(|e| e.name.chars().nth(3).unwrap_or('?'))
            .collect();
        if letters.len() < TO_A_STAGE {
            let what = format!("stage {stage:02} has {} exercises", letters.len());
            let mend = format!("write {TO_A_STAGE} or more");
            findings.push(Finding::new(CATALOGUE, what, mend));
        }
        if !letters.iter().copied().eq(('a'..='z').take(letters.len())) {
            let what = format!("the letters of stage {stage:02} are {letters:?}");
            findings.push(Finding::new(
                CATALOGUE,
                what,
                "begin with a, and leave none out",
            ));
        }
    }

    let wrong = set.exercises.iter().flat_map(|exercise| {
        let wrong = exercise.wrong.iter();
        wrong.map(|wrong| Set::wrong(&exercise.name, &wrong.slip))
    });
    let mut known: BTreeSet<_> = wrong.collect();
    for name in &names {
        known.extend([set.exercise(name), set.solution(name), Set::held_out(name)]);
    }
    for folder in ["exercises", "solutions", "class/wrong", "class/held-out"] {
        for file in files_in(&set.folder, folder) {
            if !known.contains(&file) {
                let mend = "name it in the catalogue, or delete it";
                findings.push(Finding::new(file, "nothing refers to this file", mend));
            }
        }
    }
    findings
}

/// What is wrong with one exercise.
pub fn of_exercise(set: &Set, exercise: &Exercise) -> Vec<Finding> {
    let name = &exercise.name;
    let mut findings = Vec::new();
    let mut check = |is_right: bool, what: String, mend: &str| {
        if !is_right {
            findings.push(Finding::new(name, what, mend));
        }
    };
    let stage = format!("{:02}", exercise.stage);
    let named = name.strip_prefix(&format!("s{stage}")).and_then(|rest| {
        let (letter, what) = rest.split_once('_')?;
        Some(letter.len() == 1 && !what.is_empty())
    });
    check(
        named == Some(true),
        format!("it is of stage {stage}"),
        "call it s<stage><letter>_<what>",
    );
    let minutes = exercise.minutes;
    let most = match exercise.kind {
        Kind::Contract => MOST_OF_A_CONTRACT,
        _ => MOST,
    };
    check(
        (LEAST..=most).contains(&minutes),
        format!("it takes {minutes} minutes"),
        &format!("make it {LEAST} to {most}"),
    );
    let points = exercise.points;
    check(
        POINTS.contains(&points),
        format!("it is worth {points} points"),
        "make it 1 to 4",
    );
    let texts = [&exercise.title, &exercise.idea, &exercise.red];
    let is_said = texts.iter().all(|text| !text.trim().is_empty());
    check(
        is_said,
        "`title`, `idea` or `red` is empty".into(),
        "say it in the catalogue",
    );
    let has_defect = exercise.kind != Kind::Repair || exercise.defect.is_some();
    check(
        has_defect,
        "it repairs, and names no defect".into(),
        "add `defect` to the catalogue",
    );
    let wrong = exercise.wrong.len();
    check(
        wrong >= 2,
        format!("it has {wrong} wrong answers"),
        "give it two or more",
    );

    if let Some(listed) = set.listed.iter().find(|listed| listed.name == *name) {
        let dir = listed.dir.starts_with(&format!("{stage}_"));
        check(
            dir,
            format!("it is in {:?}", listed.dir),
            "put it into the folder of its stage",
        );
        let parts: Vec<_> = HINT
            .iter()
            .filter_map(|part| listed.hint.find(part))
            .collect();
        let hint = parts.len() == HINT.len() && parts.is_sorted();
        check(
            hint,
            "the hint has not all of its parts".into(),
            "Direction:, Place:, Shape:",
        );
        check(
            listed.test,
            "rustlings does not run its tests".into(),
            "remove `test = false`",
        );
        let skipped = !listed.skip_check_unsolved;
        check(
            skipped,
            "rustlings skips the starter".into(),
            "remove `skip_check_unsolved`",
        );
    }
    findings.extend(of_files(set, exercise));
    findings
}

fn of_files(set: &Set, exercise: &Exercise) -> Vec<Finding> {
    let name = &exercise.name;
    let mut findings = Vec::new();
    let mut read = |file: &str| match set.read(file) {
        Ok(text) => text,
        Err(error) => {
            let mend = "write it, or take it out of the catalogue";
            findings.push(Finding::new(name, error.to_string(), mend));
            String::new()
        }
    };
    let (starter_file, solution_file) = (set.exercise(name), set.solution(name));
    let (starter, solution) = (read(&starter_file), read(&solution_file));
    let held_out_file = Set::held_out(name);
    let held_out = read(&held_out_file);
    let wrong = exercise.wrong.iter().map(|wrong| {
        let file = Set::wrong(name, &wrong.slip);
        let text = read(&file);
        (file, text)
    });
    let wrong: Vec<_> = wrong.collect();
    if !findings.is_empty() {
        return findings;
    }
    let mut check = |is_right: bool, file: &str, what: &str, mend: &str| {
        if !is_right {
            findings.push(Finding::new(name, format!("{file}: {what}"), mend));
        }
    };
    let short = name.split('_').next().unwrap_or(name);
    let Exercise {
        kind,
        minutes,
        stage,
        ..
    } = exercise;
    let head = format!("//! {short} · {kind} · {minutes} minutes · chapter {stage:02},");
    let what = "the first line is not that of the catalogue";
    check(
        starter.starts_with(&head),
        &starter_file,
        what,
        &format!("begin with `{head}`"),
    );
    let tests = at_tests(&starter).1;
    let mend = "end it with `#[cfg(test)]`, `mod tests {` and at least one test";
    check(
        !test_names(tests).is_empty(),
        &starter_file,
        "there is no test",
        mend,
    );
    let same = at_tests(&solution).1 == tests;
    check(
        same,
        &solution_file,
        "its tests are not those of the starter",
        "copy them from there",
    );
    let (above, held_out) = at_tests(&held_out);
    let whole = above.trim().is_empty() && !test_names(held_out).is_empty();
    check(
        whole,
        &held_out_file,
        "it is not the part with the tests, and nothing else",
        mend,
    );
    for (file, text) in &wrong {
        let mend = "end it above `#[cfg(test)]`";
        check(
            at_tests(text).1.is_empty(),
            file,
            "it has tests of its own",
            mend,
        );
        let once = ANCHORS.map(|anchor| text.lines().filter(|l| l.trim() == anchor).count());
        let mend = "put `// ANCHOR: slip` and `// ANCHOR_END: slip` round what matters";
        check(
            once == [1, 1],
            file,
            "what the page shows is not marked once",
            mend,
        );
    }
    findings
}

fn differ(
    findings: &mut Vec<Finding>,
    at: &str,
    catalogue: &[String],
    there: &[String],
    mend: &str,
) {
    let none = "nothing".to_owned();
    let longer = catalogue.len().max(there.len());
    let at_first = (0..longer).find(|&n| catalogue.get(n) != there.get(n));
    if let Some(n) = at_first {
        let [wanted, found] = [catalogue, there].map(|all| all.get(n).unwrap_or(&none));
        let what = format!(
            "place {}: the catalogue wants {wanted}, here is {found}",
            n + 1
        );
        findings.push(Finding::new(at, what, mend));
    }
}

/// The programs of the set's manifest, each as `name = path`.
fn bins(set: &Set) -> Result<Vec<String>, String> {
    let text = set.read("Cargo.toml").map_err(|error| error.to_string())?;
    let manifest: Table = toml::from_str(&text).map_err(|error| error.message().to_owned())?;
    let bins = manifest.get("bin").and_then(|bin| bin.as_array());
    let text = |bin: &toml::Value, key| bin.get(key)?.as_str().map(str::to_owned);
    let line = |bin| Some(format!("{} = {}", text(bin, "name")?, text(bin, "path")?));
    Ok(bins.into_iter().flatten().filter_map(line).collect())
}

fn files_in(set: &Path, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(set.join(folder))
        .into_iter()
        .flatten()
        .flatten();
    let mut files = Vec::new();
    for entry in entries {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(files_in(set, &path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}
