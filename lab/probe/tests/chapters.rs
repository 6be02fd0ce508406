//! The chapters that messages send to. A title is in the metadata of its stage.

// The folder of the stages is no part of the package.
#![cfg(not(miri))]

use std::{fs, path::Path};

#[test]
fn each_has_the_title_of_its_stage() {
    let titles = include_str!("../src/say/chapters.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    for stage in fs::read_dir(root).unwrap() {
        let stage = stage.unwrap().path();
        let name = stage.file_name().unwrap().to_str().unwrap();
        let number = name
            .strip_prefix("step")
            .and_then(|it| it[..2].parse::<u32>().ok());
        let Some(number) = number.filter(|number| (2..=8).contains(number)) else {
            continue;
        };
        let manifest = fs::read_to_string(stage.join("Cargo.toml")).unwrap();
        let title = manifest
            .lines()
            .find_map(|line| line.strip_prefix("title = "))
            .unwrap();
        assert!(
            titles.contains(&format!("({number}, {title})")),
            "{name}: {title}"
        );
        compared += 1;
    }
    assert_eq!(compared, 7);
}
