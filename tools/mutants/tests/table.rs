//! The table is whole, and names only what there is.

use std::collections::BTreeSet;

use kit::{
    change,
    files::{self, root},
    written,
};
use mutants::{Test, defects, page};

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
    for defect in defects() {
        for mutant in defect.mutants {
            let text = files::read(&root().join(&mutant.file)).unwrap();
            if let Err(missing) = change::apply(&text, &mutant.change) {
                let (id, file) = (&defect.id, mutant.file.display());
                panic!("{id}: {file} has no `{missing}`");
            }
            let test = &mutant.caught_by;
            assert!(is_there(test), "{}: no {test}", defect.id);
        }
    }
}

fn is_there(test: &Test) -> bool {
    let Some((subject, clause)) = test.name.split_once("::") else {
        let tests = files::read(&root().join(test.path())).unwrap();
        return tests.contains(&format!("fn {}()", test.name));
    };
    if test.program() != "contract" {
        // The test of a module, which is in the same file, or has one of its own beside it.
        let same = root().join(test.path());
        let beside = same.with_file_name(format!("{subject}.rs"));
        let name = clause.rsplit("::").next().unwrap_or_default();
        let has_it = |text: String| text.contains(&format!("fn {name}()"));
        return [same, beside]
            .iter()
            .any(|file| files::read(file).is_ok_and(has_it));
    }
    // A test of the contract is named after a column and a row of the matrix.
    let matrix = files::read(&root().join("tools/matrix/matrix.md")).unwrap();
    let column = format!(" {} |", subject.replace('-', "<br>"));
    let row = format!("| [`{clause}`](#{clause}) |");
    matrix.contains(&column) && matrix.contains(&row)
}

#[test]
fn the_page_for_reading_is_the_table() {
    let file = root().join("tools/mutants/DEFECTS.md");
    let how = "cargo run -p mutants -- --write";
    written::check(&file, &page(&defects()), false, how).unwrap();
}
