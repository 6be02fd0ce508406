//! What the document's own program prints, as the book shows it.

// Miri starts no programs.
#![cfg(all(target_os = "linux", not(miri)))]

use std::process::{Command, Output};

/// Runs the program with this on its standard input, a pipe.
fn with_input(input: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_inside_async_epoll");
    let mut shell = Command::new("timeout");
    shell.args(["60", "sh", "-c", "printf \"$1\" | \"$0\"", program, input]);
    shell.output().expect("there is a shell")
}

#[test]
fn inside_async_epoll() {
    let kept = include_str!("documents/inside_async_epoll.txt");
    let (_command, kept) = kept
        .split_once('\n')
        .expect("the first line is the command");
    for input in ["39\\n", "39"] {
        let ran = with_input(input);
        assert!(ran.status.success(), "{ran:?}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), kept, "printed, kept");
    }
}

#[test]
fn what_is_no_number_is_an_error_and_no_sum() {
    for input in ["abc\\n", ""] {
        let ran = with_input(input);
        assert_eq!(ran.status.code(), Some(1), "{input:?}: {ran:?}");
        assert!(ran.stdout.is_empty(), "{input:?}: {ran:?}");
    }
}
