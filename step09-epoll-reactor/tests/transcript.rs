//! What `cargo run -p step09-epoll-reactor` and its program `triggers` print.

// Miri starts no programs.
#![cfg(not(miri))]

const PROGRAM: &str = env!("CARGO_BIN_EXE_step09-epoll-reactor");

/// Version 2 is Linux's, and so is its line.
#[cfg(target_os = "linux")]
#[test]
fn the_demo_prints_this_and_ends() {
    kit::transcript::check_in_parts("tests/transcript.txt", &[2, 3], PROGRAM, &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_comparison_of_triggers_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_triggers");
    kit::transcript::check("tests/triggers.txt", program, &[]);
}

/// Its connections need 2,000 descriptors. A shell may allow fewer for now, or for good.
#[cfg(target_os = "linux")]
#[test]
fn with_few_descriptors_it_asks_for_more_or_opens_fewer() {
    for (limit, note) in [
        (
            "-S -n 256",
            "note: the limit of descriptors was 256, and is ",
        ),
        ("-n 256", "note: the limit of descriptors allows for "),
    ] {
        let command = format!("ulimit {limit} && exec {PROGRAM:?}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &command]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{limit}: {said}");
        assert!(said.starts_with(note), "{limit}: {said}");
    }
}

#[cfg(not(target_os = "linux"))]
#[test]
fn the_demo_ends() {
    let output = std::process::Command::new(PROGRAM).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("connections open at once"), "{said}");
}
