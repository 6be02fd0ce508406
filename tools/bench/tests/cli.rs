//! The whole program, with the least work that shows whether it works. No test is about a time.

use snapbox::cmd::{Command, OutputAssert, cargo_bin};

fn bench(arguments: &[&str]) -> OutputAssert {
    let command = Command::new(cargo_bin!("bench"));
    command.arg("--tiny").args(arguments).assert()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_workload_works_on_every_runtime_that_can_do_it() {
    let run = bench(&["--markdown"]).success();
    let output = run.get_output();
    assert_eq!(text(&output.stderr), "");
    let table = text(&output.stdout);
    let rows: Vec<_> = table.lines().filter(|it| it.starts_with("| `")).collect();
    assert_eq!(rows.len(), 16, "{table}");
    let empty: Vec<_> = rows.iter().filter(|it| it.contains("|  |")).collect();
    // Stage 08 has neither timers nor sockets, and smol cannot be stopped.
    assert_eq!(empty.len(), 4, "{table}");
    assert!(table.contains("Measured on "), "{table}");
}

#[test]
fn an_unknown_name_is_told_which_are_known_with_status_2() {
    for (option, known) in [("--only", "start-stop"), ("--runtime", "tokio-multi")] {
        let run = bench(&[option, "nonsense"]).code(2);
        let output = run.get_output();
        let says = text(&output.stderr);
        assert!(
            says.contains("'nonsense'") && says.contains(known) && says.lines().count() == 1,
            "{says}"
        );
        assert_eq!(text(&output.stdout), "");
    }
}
