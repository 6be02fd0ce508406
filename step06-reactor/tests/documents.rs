//! What the document's own program prints, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use std::process::Command;

/// Replaces each time by `[..]`, and returns the times too.
fn without_times(text: &str) -> (String, Vec<f64>) {
    let mut times = Vec::new();
    let lines = text
        .lines()
        .map(|line| match line.split_once(" at time: ") {
            Some((before, time)) => {
                times.push(time.trim_end_matches('.').parse().expect("a number"));
                format!("{before} at time: [..]\n")
            }
            None => format!("{line}\n"),
        });
    (lines.collect(), times)
}

#[test]
fn parker_and_reactor() {
    let program = kit::example::program("parker_and_reactor");
    let (printed, times) = without_times(&kit::example::printed(&mut Command::new(program)));
    let kept = include_str!("documents/parker_and_reactor.txt");
    let (_command, kept) = kept
        .split_once('\n')
        .expect("the first line is the command");
    assert_eq!(printed, without_times(kept).0, "printed, kept");
    assert!(times[0] >= 1.0 && times[1] >= 3.0, "never early: {times:?}");
}
