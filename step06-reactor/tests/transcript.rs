//! What `cargo run -p step06-reactor` prints, and that no timer is early.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    let output = Command::new(snapbox::cmd::cargo_bin!("step06-reactor"))
        .timeout(Duration::from_secs(60))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. Version 2, two timers one after the other
Got 1 at time: [..].
Got 2 at time: [..].
   polls: 3, threads: 1, time: [..] ms
2. Version 2, the same two joined
Got 1 at time: [..].
Got 2 at time: [..].
   polls: [..], threads: 1, time: [..] ms
3. Version 1, 1000 timers of 100 ms (wakes that come together share a poll)
   polls: [..], threads: 1001, time: [..] ms
4. Version 2, 1000 timers of 100 ms
   polls: [..], threads: 1, time: [..] ms

"#]]);
    let stdout = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let times: Vec<f64> = stdout
        .lines()
        .filter_map(|line| line.split_once("at time: "))
        .map(|(_, time)| time.trim_end_matches('.').parse().unwrap())
        .collect();
    // Never early. How late depends on the machine.
    for (time, earliest) in times.iter().zip([1.0, 3.0, 1.0, 2.0]) {
        assert!(*time >= earliest, "{time} is before {earliest}");
    }
    let joined = stdout.split_once("joined").unwrap().1;
    let polls = joined.split_once("polls: ").unwrap().1.split_once(',');
    // Three, unless the machine stood still until both timers were over.
    assert!(["3", "2"].contains(&polls.unwrap().0), "{stdout}");
}
