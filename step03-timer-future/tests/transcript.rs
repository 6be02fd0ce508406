//! What `cargo run -p step03-timer-future` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    Command::new(snapbox::cmd::cargo_bin!("step03-timer-future"))
        .timeout(Duration::from_secs(30))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. Three states by hand
Start
Yielded: Start -> Middle
Middle
Yielded: Middle -> End
End
   "finished": polls: 3, timer threads: 0, time: [..] ms
2. The async fn with the same three lines, and no .await
Start
Middle
End
   "finished": polls: 1, timer threads: 0, time: [..] ms
3. An async fn that awaits a timer of 300 ms
start
end
   "rested": polls: 2, timer threads: 1, time: [..] ms
4. The same by hand
start
end
   "rested": polls: 2, timer threads: 1, time: [..] ms
5. Two notes, each with a pointer to its own first letter
   aaa points at aaa
   bbb points at bbb
   swap the two
   bbb points at aaa
   aaa points at bbb
   A future may hold such a pointer. Pin is the promise not to move it.

"#]]);
}
