//! The lab knows the stages. No stage knows another, and none but its tests knows the lab.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};
use house::{root, sources, stages};

#[test]
fn no_stage_depends_on_the_house_except_for_the_lab_in_its_tests() {
    let manifest = root().join("Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .unwrap();
    let members: BTreeSet<_> = metadata
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let stages = stages().unwrap();
    for package in metadata
        .packages
        .iter()
        .filter(|package| stages.iter().any(|s| *s == *package.name))
    {
        for dependency in &package.dependencies {
            if !members.contains(dependency.name.as_str()) {
                continue;
            }
            let (stage, name) = (&package.name, &dependency.name);
            assert!(
                ["probe", "contract"].contains(&name.as_str()),
                "{stage} depends on {name}"
            );
            assert_eq!(
                dependency.kind,
                DependencyKind::Development,
                "{stage} depends on {name}"
            );
        }
    }
}

#[test]
fn every_stage_has_its_tests_its_alias_and_its_line_on_the_map() {
    let aliases = std::fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for stage in stages().unwrap() {
        let (number, _) = stage.split_once('-').unwrap();
        let run = format!("{number} = \"run --quiet -p {stage} --\"");
        assert!(aliases.contains(&run), "no alias `{run}`");
        assert!(
            readme.contains(&format!("cargo run -p {stage}")),
            "{stage} is not on the README's map"
        );
        assert!(
            root().join(&stage).join("tests/transcript.rs").exists(),
            "{stage} has no transcript"
        );
    }
}

// `if let … && …` came with Rust 1.88, and `rust-version` is 1.85. Clippy knows the age of functions, not of syntax.
#[test]
fn no_syntax_is_younger_than_the_rust_version() {
    for stage in stages().unwrap() {
        for (file, text) in sources(&stage).unwrap() {
            let young = text.lines().find(|line| {
                let binds = ["if let ", "while let ", "&& let "]
                    .iter()
                    .any(|l| line.contains(l));
                binds && line.contains(" && ")
            });
            assert_eq!(young, None, "{stage}/src/{}", file.display());
        }
    }
}
