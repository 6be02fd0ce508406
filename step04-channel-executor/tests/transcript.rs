//! What `cargo run -p step04-channel-executor` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    let output = Command::new(snapbox::cmd::cargo_bin!("step04-channel-executor"))
        .timeout(Duration::from_secs(30))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. It looks every 10 ms
howdy!
done!
   looks: [..]
   polls: 2, timer threads: 1, time: [..] ms
2. It sends every pending task again
howdy!
done!
   polls: [..], timer threads: 1, time: [..] ms
3. It polls when woken
howdy!
done!
   polls: 2, timer threads: 1, time: [..] ms
4. Two tasks on the last one, of 100 and 400 ms
...zzz
start
...
"#]]);
    let stdout = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    // A machine that stands still for 300 ms may let the second task end first.
    let (_, two_tasks) = stdout.split_once("4. Two tasks").unwrap();
    let lines: Vec<&str> = two_tasks.lines().skip(4).collect();
    let after = |line: &str, earlier: &str| {
        let place = lines.iter().position(|l| *l == line);
        place.unwrap() > lines.iter().position(|l| *l == earlier).unwrap()
    };
    assert_eq!(
        lines
            .iter()
            .filter(|line| **line == "wake from sleep!")
            .count(),
        2
    );
    assert!(after("task 1 completed", "wake from sleep!"));
    assert!(after("task 2 completed", "end") && after("end", "wake from sleep!"));
    assert!(lines[5].starts_with("   polls: 4, timer threads: 2, time: "));
}
