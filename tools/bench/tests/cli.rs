//! The whole program, with the least work that shows whether it works. No test is about a time.

use std::{collections::BTreeSet, fs};

use serde_json::Value;
use snapbox::cmd::{Command, OutputAssert, cargo_bin};

fn bench(arguments: &[&str]) -> OutputAssert {
    let command = Command::new(cargo_bin!("bench"));
    command.arg("--tiny").args(arguments).assert()
}

fn stdout(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// What `--list` says: each runtime, and the workloads that it can do.
fn listed() -> Vec<(String, Vec<String>)> {
    let text = stdout(&bench(&["--list"]).success());
    let (_, runtimes) = text
        .split_once("what they can do:\n")
        .expect("a list of runtimes");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = runtimes.lines().map(words).collect();
    lines
        .into_iter()
        .map(|it| (it[0].clone(), it[1..].to_vec()))
        .collect()
}

#[test]
fn every_workload_works_on_every_runtime_that_can_do_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (json, svg) = (file("bench.json"), file("bench.svg"));
    let run = bench(&["--markdown", "--json", &json, "--svg", &svg]).success();
    assert_eq!(stderr(&run), "");

    let rows: Vec<Value> = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let measured: BTreeSet<_> = rows
        .iter()
        .map(|it| (text(it, "runtime"), text(it, "workload")))
        .collect();
    let wanted: BTreeSet<_> = listed()
        .into_iter()
        .flat_map(|(runtime, can)| can.into_iter().map(move |it| (runtime.clone(), it)))
        .collect();
    assert_eq!(measured, wanted);
    for row in &rows {
        for figure in ["ns_per_op", "cpu_ns_per_op"] {
            assert!(row[figure].as_f64().is_some_and(|it| it > 0.0), "{row}");
        }
        assert!(
            row["spread"].is_number() && row["ratio_to_best"].is_number(),
            "{row}"
        );
        let workload = text(row, "workload");
        assert_eq!(row["bytes"].is_number(), workload == "memory", "{row}");
        assert_eq!(
            row["lateness_us"].is_number(),
            workload == "sleeps",
            "{row}"
        );
    }

    let table = stdout(&run);
    let head: Vec<_> = table
        .lines()
        .next()
        .unwrap()
        .split('|')
        .map(str::trim)
        .collect();
    let names: Vec<_> = listed().into_iter().map(|it| it.0).collect();
    assert_eq!(head[2..head.len() - 1], names);
    assert!(table.contains("Measured on "), "{table}");

    let chart = fs::read_to_string(svg).unwrap();
    assert!(
        chart.starts_with("<figure") && !chart.contains("\n\n"),
        "{chart}"
    );
    for name in ["tokio-current", "start-stop"] {
        assert!(chart.contains(name), "{chart}");
    }
}

#[test]
fn a_name_means_itself_and_a_part_of_a_name_all_that_have_it() {
    let of = |only: &str| {
        let run = bench(&["--list", "--runtime", "step04", "--only", only]).success();
        let text = stdout(&run);
        text.lines()
            .last()
            .unwrap()
            .split_whitespace()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(of("spawn"), "spawn");
    assert_eq!(of("spawn-"), "spawn-inside spawn-await");
}

#[test]
fn a_task_that_is_lost_is_one_line_and_status_1() {
    let run = bench(&["--runtime", "lossy", "--only", "spawn-inside"]).code(1);
    let text = stderr(&run);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("spawn-inside on lossy: "), "{text}");
    assert!(text.contains("a task has no output"), "{text}");
}

#[test]
fn a_measurement_that_hangs_is_ended_and_the_others_go_on() {
    let options = [
        "--runtime",
        "lossy",
        "--runtime",
        "step04",
        "--only",
        "yield",
        "--only",
        "chain",
    ];
    let run = bench(&[&options[..], &["--limit", "2"]].concat()).code(1);
    let text = stderr(&run);
    assert!(
        text.contains("chain on lossy: did not end, and was killed"),
        "{text}"
    );
    let table = stdout(&run);
    assert!(table.contains("\nchain         step04"), "{table}");
    assert!(!table.contains("lossy"), "{table}");
}

#[test]
fn an_unknown_name_is_one_line_that_lists_the_known_ones() {
    for (option, known) in [("--only", "start-stop"), ("--runtime", "tokio-multi")] {
        let run = bench(&[option, "nonsense"]).code(2);
        let text = stderr(&run);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.contains("\"nonsense\"") && text.contains(known),
            "{text}"
        );
        assert_eq!(stdout(&run), "");
    }
}

#[test]
fn wrong_usage_is_status_2() {
    for wrong in [&["--rounds", "0"][..], &["--nonsense"], &["--only"]] {
        bench(wrong).code(2);
    }
    let run = bench(&["--runtime", "step04", "--only", "echo"]).code(2);
    assert!(stderr(&run).contains("none of these runtimes"));
}

#[test]
fn a_file_that_cannot_be_written_is_said_and_the_table_is_printed() {
    let options = [
        "--runtime",
        "step04",
        "--only",
        "chain",
        "--json",
        "nowhere/at/all.json",
    ];
    let run = bench(&options).code(1);
    assert!(stderr(&run).starts_with("nowhere/at/all.json: "));
    assert!(stdout(&run).contains("chain"));
}

#[test]
fn help_names_every_option_and_no_hidden_one() {
    let text = stdout(&bench(&["--help"]).success());
    let options = [
        "--only",
        "--runtime",
        "--quick",
        "--rounds",
        "--json",
        "--markdown",
        "--svg",
        "--list",
    ];
    for option in options {
        assert!(text.contains(option), "{text}");
    }
    assert!(
        !text.contains("--tiny") && !text.contains("Commands"),
        "{text}"
    );
}
