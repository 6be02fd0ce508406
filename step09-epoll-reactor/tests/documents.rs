//! What the document's own program prints, as the book shows it.

// Miri starts no programs.
#![cfg(all(target_os = "linux", not(miri)))]

use std::process::Command;

/// The example with this on its standard input, a pipe.
fn with_input(input: &str) -> Command {
    let program = kit::example::program("inside_async_epoll");
    let mut command = Command::new("sh");
    command
        .args(["-c", "printf \"$1\" | \"$0\""])
        .arg(program)
        .arg(input);
    command
}

#[test]
fn inside_async_epoll() {
    let kept = include_str!("documents/inside_async_epoll.txt");
    let (_command, kept) = kept
        .split_once('\n')
        .expect("the first line is the command");
    assert_eq!(kit::example::printed(&mut with_input("39\\n")), kept);
    assert_eq!(
        kit::example::printed(&mut with_input("39")),
        kept,
        "the end of the input ends a line"
    );
}

#[test]
fn what_is_no_number_is_an_error_and_no_sum() {
    for input in ["abc\\n", ""] {
        let ran = with_input(input).output().expect("there is a shell");
        assert!(
            ran.stdout.is_empty() && !ran.status.success(),
            "{input:?}: {ran:?}"
        );
    }
}
