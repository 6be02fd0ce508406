//! The operating system has no thread left.
//!
//! The test runs itself again in a process that asks for more stack for each thread than there are addresses. Only on
//! Unix, because only there does the test harness then go on without a thread of its own.

// Miri starts no programs.
#![cfg(all(unix, not(miri)))]

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    process::Command,
    time::Duration,
};

use step02_join::{SimpleFuture, Timer};

const STACK: &str = "RUST_MIN_STACK";

#[test]
fn a_thread_that_could_not_be_started_is_not_counted() {
    let too_much = (usize::MAX / 16).to_string();
    if env::var(STACK).is_ok_and(|stack| stack == too_much) {
        let mut timer = Timer::new(Duration::MAX);
        let poll = AssertUnwindSafe(|| timer.poll(|| {}));
        catch_unwind(poll).expect_err("a thread was started");
        assert_eq!(Timer::threads_started(), 0);
        return;
    }
    let again = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "a_thread_that_could_not_be_started_is_not_counted",
        ])
        .env(STACK, too_much)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(
        again.status.success(),
        "in a process without threads: {said}"
    );
    assert!(said.contains("1 passed"), "{said}");
}
