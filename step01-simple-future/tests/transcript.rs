//! What `cargo run -p step01-simple-future` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    let output = Command::new(snapbox::cmd::cargo_bin!("step01-simple-future"))
        .timeout(Duration::from_secs(30))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. Look every 50 ms. The data comes after 300 ms.
   got "howdy!"
   looks: [..], time: [..] ms
2. Be told. The same data.
   got "howdy!"
   polls: 2, time: [..] ms
3. Be told of two pieces and of the end.
   got "howdy!"
   polls: [..] (what comes together is read in one)
...
4. [..] sockets, and data on one of them.
   wakes: 1, polls: [..], ready: 1, asked in vain: [..]
   A fn() cannot say which socket it was. Stage 03 can.

"#]]);
    let stdout = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let numbers = |line: &str| -> Vec<usize> {
        let words = line.split([' ', ',']);
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let lines: Vec<&str> = stdout.lines().collect();
    let [sockets, figures] = [lines[lines.len() - 3], lines[lines.len() - 2]].map(numbers);
    let sockets = sockets[0];
    assert_eq!(
        figures,
        [1, sockets, 1, sockets - 1],
        "every future is polled"
    );
}
