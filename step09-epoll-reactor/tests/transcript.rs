//! What `cargo run -p step09-epoll-reactor` prints.

// Miri starts no programs.
#![cfg(not(miri))]

const PROGRAM: &str = env!("CARGO_BIN_EXE_step09-epoll-reactor");

/// Versions 1 and 2 are Linux's, and so are their lines.
#[cfg(target_os = "linux")]
#[test]
fn the_demo_prints_this_and_ends() {
    kit::transcript::check("tests/transcript.txt", PROGRAM, &[]);
}

/// Its connections need 2,000 descriptors. A shell may allow fewer for now, or for good.
#[cfg(target_os = "linux")]
#[test]
fn with_few_descriptors_it_asks_for_more_and_does_with_what_it_gets() {
    for (limit, note) in [
        (
            "-S -n 256",
            "note: the limit of descriptors was 256, and is ",
        ),
        ("-n 256", "note: the limit of descriptors allows for "),
    ] {
        let output = std::process::Command::new("sh")
            .arg("-c")
            .arg(format!("ulimit {limit} && exec {PROGRAM:?}"))
            .output()
            .unwrap();
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
