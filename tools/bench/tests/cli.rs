//! The whole program, with the least work that shows whether it works. No test is about a time.

use std::process::Command;

#[test]
fn every_workload_works_on_every_runtime_that_can_do_it() {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
    let run = bench.arg("--tiny").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stderr), "");
    let table = String::from_utf8_lossy(&run.stdout);
    let rows = table.lines().filter(|it| it.starts_with("| `"));
    assert_eq!(rows.count(), 12, "{table}");
    // Stage 08 has neither timers nor sockets.
    assert_eq!(table.matches("|  |").count(), 3, "{table}");
}
