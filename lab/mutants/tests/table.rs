//! The table is whole, and names only what there is.

use std::{collections::BTreeSet, fs, path::Path};

use mutants::{defects, markdown};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}

#[test]
fn every_defect_of_the_documents_is_caught_or_explained() {
    let defects = defects();
    let named: BTreeSet<_> = defects.iter().map(|defect| defect.id.clone()).collect();
    assert_eq!(named.len(), defects.len(), "an id stands twice");
    for number in 1..=49 {
        assert!(
            named.contains(&format!("D{number:02}")),
            "D{number:02} is missing"
        );
    }
    for defect in &defects {
        let answers = [defect.mutants.is_empty(), defect.cannot.is_empty()];
        assert!(
            answers.contains(&false),
            "{} is neither caught nor explained",
            defect.id
        );
    }
}

#[test]
fn every_change_can_be_made_and_every_test_is_there() {
    let clauses = clauses();
    for defect in defects() {
        for mutant in defect.mutants {
            let mut text = fs::read_to_string(root().join(&mutant.file)).unwrap();
            for (from, to) in &mutant.change {
                let id = &defect.id;
                assert!(
                    text.contains(from),
                    "{id}: {} has no `{from}`",
                    mutant.file.display()
                );
                text = text.replace(from, to);
            }
            let test = &mutant.caught_by;
            let path = root().join(format!("{}/tests/{}.rs", test.package, test.file));
            let tests = fs::read_to_string(&path).unwrap();
            let found = match test.name.split_once("::") {
                None => tests.contains(&format!("fn {}()", test.name)),
                Some((_, clause)) => clauses.contains(&format!("name: {clause:?},")),
            };
            assert!(found, "{}: no {test}", defect.id);
        }
    }
}

/// The source of the clauses. `tests/contract.rs` of a stage has a test for each, named `subject::clause`.
fn clauses() -> String {
    let folders = ["clauses", "leaf_clauses"].map(|it| root().join("lab/contract/src").join(it));
    let files = folders.iter().flat_map(|it| fs::read_dir(it).unwrap());
    files
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn the_page_for_reading_is_the_table() {
    let page = fs::read_to_string(root().join("lab/mutants/DEFECTS.md")).unwrap();
    assert!(
        page.replace("\r\n", "\n").ends_with(&markdown(&defects())),
        "write the table anew: cargo run -q -p mutants -- --list"
    );
}
