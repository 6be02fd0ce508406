//! The operating system has no thread left.
//!
//! In the test's own process each thread asks for more stack than there are addresses. Only on Unix, because only there
//! does the test harness then go on without a thread of its own.

// Miri starts no programs.
#![cfg(all(unix, not(miri)))]

use std::panic::catch_unwind;

use step08_join_handle::{Runtime, v1_oneshot, v3_async_task};

const STACK: &str = "RUST_MIN_STACK";

fn message(make: fn()) -> String {
    let panic = catch_unwind(make).expect_err("a worker was started");
    *panic.downcast::<String>().unwrap()
}

#[test]
fn a_runtime_whose_workers_cannot_be_started_panics_and_says_so() {
    let too_much = (usize::MAX / 16).to_string();
    probe::alone_with(&[(STACK, &too_much)], || {
        let versions: [fn(); 3] = [
            || drop(v1_oneshot::Runtime::new(2)),
            || drop(Runtime::new(2)),
            || drop(v3_async_task::Runtime::new(2)),
        ];
        for new in versions {
            let message = message(new);
            let expected = "the system can start a thread for each worker";
            assert!(message.starts_with(expected), "{message}");
        }
    });
}
