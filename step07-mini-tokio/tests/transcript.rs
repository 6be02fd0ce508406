//! What `cargo run -p step07-mini-tokio` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    Command::new(snapbox::cmd::cargo_bin!("step07-mini-tokio"))
        .timeout(Duration::from_secs(60))
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
1. Calling an async fn does nothing
called, and not awaited yet
hello from async
async TCP operation complete
2. Six delays of 20 to 120 ms joined in one task
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   busy: [..] polls, 0 threads, [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   a thread per poll: [..] polls, [..] threads, [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   the latest waker: [..] polls, 6 threads, [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   Notify: [..] polls, 6 threads, [..] ms
3. An async block by hand
Hello world
   MainFuture: 2 polls, 1 threads, [..] ms
4. One program, three runtimes
Hello world
"done"
   mini-tokio on a queue: [..] polls
Hello world
"done"
   mini-tokio on a channel: 2 polls
Hello world
"done"
   tokio: 2 polls
5. A delay is polled by one task and awaited by another
Hello world
"done"
   the first task: 1 polls, the second: 2 polls

"#]]);
}
