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

#[cfg(not(target_os = "linux"))]
#[test]
fn the_demo_ends() {
    let output = std::process::Command::new(PROGRAM).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("connections open at once"), "{said}");
}
