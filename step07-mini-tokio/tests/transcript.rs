//! What `cargo run -p step07-mini-tokio` prints.

use std::time::Duration;

use snapbox::{cmd::Command, str};

#[test]
fn the_demo_prints_this_and_ends() {
    // How often a busy future is polled, and how often a delay whose time may have come, is no more than a matter of
    // speed. `delay.rs`, `threads.rs` and `mini_tokio.rs` count what is certain.
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
   busy: polls: [..], threads: 0, time: [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   a thread per poll: polls: [..], threads: [..], time: [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   the latest waker: polls: [..], threads: 6, time: [..] ms
Hello world
Hello world
Hello world
Hello world
Hello world
Hello world
   Notify: polls: [..], threads: 6, time: [..] ms
3. An async block by hand
Hello world
   MainFuture: polls: 2, threads: 1, time: [..] ms
4. One program, three runtimes
Hello world
"done"
   mini-tokio on a queue: polls: [..]
Hello world
"done"
   mini-tokio on a channel: polls: 2
Hello world
"done"
   tokio: polls: 2
5. A delay is polled by one task and awaited by another
Hello world
"done"
   polls of the first task: 1, of the second: [..]

"#]]);
}
