//! What `cargo run -p step05-parker-block-on` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    Command::new(snapbox::cmd::cargo_bin!("step05-parker-block-on"))
        .timeout(Duration::from_secs(30))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. A timer of 300 ms, with a waker by hand
   done
   polls: 2, time: [..] ms
2. The same timer, with a waker by std::task::Wake
   done
   polls: 2, time: [..] ms
3. A future that parks its thread, on thread::park
   asleep after 300 ms, and woken 1 time
   gave up
   polls: 1, time: [..] ms
4. The same future, on our parker
   done
   polls: 2, time: [..] ms
5. block_on inside the poll of a future that has been woken already
   done
   polls: 2, time: [..] ms

"#]]);
}
