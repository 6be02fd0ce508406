//! The run of a stage's demo, recorded in a copy of the project. There, each function that takes a future and gives out its output
//! has the probe watch that future, and `main` runs under `probe::within`.

use std::{fs, path::PathBuf, process::Command, sync::LazyLock};

use kit::files;
use regex::Regex;

use crate::trace;

/// Runs the demo, and makes a page of its recording. `arguments` are what else `cargo run` is told.
///
/// # Errors
///
/// A status, and in one line why there is no page.
pub(crate) fn show(stage: &str, arguments: &[String]) -> Result<[PathBuf; 2], (u8, String)> {
    if !(stage.starts_with("step") && files::root().join(stage).is_dir()) {
        return Err((2, format!("there is no stage `{stage}`")));
    }
    if stage < "step03" {
        let why = "the futures of stages 01 and 02 have no standard waker, so no probe sees their wakes: see their chapters";
        return Err((2, why.to_owned()));
    }
    let folder = files::root().join("target/traced");
    let (tree, file) = (folder.join("tree"), folder.join(format!("{stage}.json")));
    let says = |error| (1, format!("{}: {error}", folder.display()));
    files::copy_workspace(&tree, changed).map_err(says)?;
    let _ = fs::remove_file(&file);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["run", "--package", stage, "--manifest-path"])
        .arg(tree.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("build"))
        .args(arguments)
        .env("PROBE_TRACE", &file);
    let status = cargo.status().map_err(says)?;
    if !fs::read_to_string(&file).is_ok_and(|it| it.contains("\"spawn\"")) {
        let why = format!("{stage} has left no recording of a future: {status}");
        return Err((1, why));
    }
    trace::show(&file).map_err(|why| (1, why))
}

/// Where a function takes a future, and its result is the output, or a future or a handle with that output; where a call gives
/// `block_on` one, which may be that of a library; and each `main`.
static RULES: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
    [
        (
            r"\bfuture: (impl Future[^{;]*|F\b[^{};]*->[^{;]*\bOutput[^{;]*)\{",
            "${0} let future = probe::traced(future);",
        ),
        (
            r"\bblock_on\((\w+(\([^()]*\))?)\)",
            "block_on(probe::traced($1))",
        ),
        (
            r"(?s)\bfn main\(\)([^{;]*)\{(.*?\n)\}\n",
            "fn main()$1{ probe::within(std::time::Duration::MAX, || {$2}) }\n",
        ),
    ]
    .map(|(from, to)| (Regex::new(from).expect("a regular expression"), to))
});

/// A file as it is in the copy.
fn changed(path: &str, text: String) -> String {
    let is_of_stage = path.starts_with("step");
    if is_of_stage && path.ends_with("Cargo.toml") {
        return text.replace("cfg(recorded)", "cfg(all())");
    }
    // A `TaskFuture` is made of what was watched when it was spawned.
    if !is_of_stage || !path.contains("/src/") || path.ends_with("/task_future.rs") {
        return text;
    }
    let apply = |text: String, (rule, to): &(Regex, &str)| rule.replace_all(&text, *to).into();
    RULES.iter().fold(text, apply)
}
