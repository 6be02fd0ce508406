//! `--demo`, from the command line to the page.

use std::{collections::BTreeSet, fs, process::Command};

use kit::files;
use serde_json::Value;

/// What it prints, and its status.
fn picture(arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut picture = Command::new(env!("CARGO_BIN_EXE_picture"));
    let output = picture.args(arguments).output().unwrap();
    let [said, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (said, errors, output.status.code())
}

#[test]
fn a_demo_runs_as_it_is_and_its_futures_are_on_the_page() {
    // The stage that takes the least to compile.
    let (said, errors, status) = picture(&["--demo", "step05-parker-block-on"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(said.contains("   the helper's answer\n"), "{said}");
    let read = |line: &str| Some(fs::read_to_string(line.split_once(": open it in")?.0).unwrap());
    let files: Vec<_> = said.lines().filter_map(read).collect();
    for future in ["timer (3)", "receives_in_poll", "blocks_in_poll"] {
        assert!(files[0].contains(&format!(">{future}</b>")), "{future}");
    }
    let trace: Value = serde_json::from_str(&files[1]).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let count = |key: &str, value: &str| events.iter().filter(|it| it[key] == value).count();
    assert!(count("name", "poll timer") == 6 && count("ph", "f") > 0);
    every_executor_watches(&files::root().join("target/traced/tree"));
}

/// In each stage from 03 on there is one, or what counts polls.
fn every_executor_watches(tree: &std::path::Path) {
    let mut stages = BTreeSet::new();
    for file in files::below(tree).unwrap() {
        let (path, text) = (files::shown(tree, &file), files::read(&file).unwrap());
        for function in text
            .split("fn ")
            .filter(|_| path.starts_with("step") && path.contains("/src/"))
        {
            let (head, body) = function.split_once('{').unwrap_or_default();
            let is_executor = head.starts_with("spawn") || head.starts_with("block_on");
            let watches = body.starts_with(" let future = probe::traced(future);");
            assert!(
                watches || !is_executor || !head.contains("future: "),
                "{path}: {head}"
            );
            let is_main = head.starts_with("main()") && path.ends_with("src/main.rs");
            assert!(!is_main || body.starts_with(" probe::within("), "{path}");
            stages.extend(watches.then(|| path[..6].to_owned()));
        }
    }
    assert_eq!(stages.len(), 8, "{stages:?}");
    // The executor of a library.
    let main = files::read(&tree.join("step06-reactor/src/main.rs")).unwrap();
    assert!(main.contains("block_on(probe::traced(locked(&reactor)))"));
}

#[test]
fn a_stage_without_such_futures_is_refused_in_one_line() {
    for stage in ["step4", "step02-join"] {
        let (_, errors, status) = picture(&["--demo", stage, "--bin", "none"]);
        assert!(
            status == Some(2) && errors.starts_with("picture: "),
            "{errors}"
        );
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}
