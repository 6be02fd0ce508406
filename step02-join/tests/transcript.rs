//! What `cargo run -p step02-join` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    let output = Command::new(snapbox::cmd::cargo_bin!("step02-join"))
        .timeout(Duration::from_secs(30))
        .assert()
        .success()
        .stderr_eq("")
        // A machine that stands still for 200 ms finds both timers due at once. And a `wake` that is late from part 1
        // reaches part 2, because a `fn()` reaches everybody. How many polls there are otherwise, `combine.rs` says.
        .stdout_eq(str![[r#"
Two timers: a takes 200 ms, b takes 400 ms.
1. Side by side (Join)
[..] ms  a pending
[..] ms  b pending
[..] ms  a ready
...
[..] ms  b ready
   polls: [..], timer threads: 2, time: [..] ms
2. One after the other (AndThen)
[..] ms  a pending
...
[..] ms  a ready
[..] ms  b pending
...
[..] ms  b ready
   polls: [..], timer threads: 2, time: [..] ms

"#]]);
    let stdout = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let (side_by_side, one_after_the_other) = stdout.split_once("2.").unwrap();
    for (run, shortest) in [(side_by_side, 400), (one_after_the_other, 600)] {
        let traced = run.lines().filter(|line| line.contains(" ms  ")).count();
        let (_, figures) = run.trim().rsplit_once('\n').unwrap();
        let figures: Vec<usize> = numbers(figures).collect();
        assert_eq!(figures[0], traced, "as many polls as lines");
        assert!(figures[2] >= shortest, "never early");
    }
}

fn numbers(line: &str) -> impl Iterator<Item = usize> {
    line.split([' ', ',']).filter_map(|word| word.parse().ok())
}
