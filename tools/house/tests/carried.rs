//! What a stage carries is equal to the original, and what is equal is named as carried.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use house::{root, sources, stages};

/// What the doc of a stage's `lib.rs` names as carried: the file, and the number of the stage it comes from.
fn named_as_carried(lib: &str) -> BTreeMap<PathBuf, String> {
    let prose: String = lib
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .collect();
    let mut named = BTreeMap::new();
    for sentence in prose.split("Carried from stage ").skip(1) {
        let (stage, rest) = sentence.split_once(':').expect("a colon follows the stage");
        let (files, _) = rest
            .split_once("`.")
            .expect("the sentence ends after its last file");
        for file in files.split('`').filter(|word| word.ends_with(".rs")) {
            named.insert(file.into(), stage.into());
        }
        let last = files.rsplit('`').next().expect("split gives at least one");
        named.insert(last.into(), stage.into());
    }
    named
}

#[test]
fn what_is_carried_is_equal_byte_for_byte() {
    let stages = stages().unwrap();
    let mut files = 0;
    for stage in &stages {
        let sources_here = sources(stage).unwrap();
        for (file, from) in named_as_carried(&sources_here[&PathBuf::from("lib.rs")]) {
            let origin = stages
                .iter()
                .find(|name| name.starts_with(&format!("step{from}")));
            let origin =
                origin.unwrap_or_else(|| panic!("{stage} names stage {from}, which is not there"));
            let original = &sources(origin).unwrap()[&file];
            assert!(
                *original == sources_here[&file],
                "{stage} and {origin}: {} differs",
                file.display()
            );
            files += 1;
        }
    }
    assert!(
        files >= 10,
        "only {files} carried files were found: has the wording changed?"
    );
}

#[test]
fn what_is_equal_is_named_as_carried() {
    let mut seen: Vec<(String, PathBuf, String)> = Vec::new();
    for stage in stages().unwrap() {
        let sources = sources(&stage).unwrap();
        let named = named_as_carried(&sources[&PathBuf::from("lib.rs")]);
        for (file, text) in sources {
            if let Some((earlier, original, _)) = seen.iter().find(|(_, _, other)| *other == text) {
                assert!(
                    named.contains_key(&file),
                    "{stage}/src/{} equals {earlier}/src/{} and is not named as carried",
                    file.display(),
                    original.display(),
                );
            }
            seen.push((stage.clone(), file, text));
        }
    }
}

#[test]
fn cargo_mutants_leaves_out_what_is_carried_and_no_more() {
    let mut carried = BTreeSet::new();
    for stage in stages().unwrap() {
        let named = named_as_carried(&sources(&stage).unwrap()[&PathBuf::from("lib.rs")]);
        carried.extend(
            named
                .into_keys()
                .map(|file| format!("{stage}/src/{}", file.display())),
        );
    }
    let config = fs::read_to_string(root().join(".cargo/mutants.toml")).unwrap();
    let left_out = config
        .split('"')
        .filter(|glob| glob.starts_with("step") && !glob.contains('*'));
    assert_eq!(
        left_out.map(str::to_owned).collect::<BTreeSet<_>>(),
        carried
    );
}
