//! A panic that goes on while the watchdog looks. A hook is for the whole process, so this test has one to itself.

// A backtrace is no thing for Miri.
#![cfg(not(miri))]

use std::{
    panic,
    pin::pin,
    sync::{Mutex, mpsc},
    task::Waker,
    thread,
    time::Duration,
};

use why_pending::{poll, report, watch, within};

/// On a busy machine, a hook that reads a backtrace may take longer than a limit.
#[test]
fn a_poll_inside_of_a_panic_is_not_said_to_block() {
    let (begins, has_begun) = mpsc::channel();
    let (returns, may_return) = mpsc::channel::<()>();
    let may_return = Mutex::new(may_return);
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let _ = begins.send(());
        let _ = may_return.lock().map(|returned| returned.recv());
        before(panic);
    }));
    let said = within(Duration::from_secs(60), || {
        let reads = watch("reads a config", async { panic!("a bad config") });
        thread::scope(move |scope| {
            let thread = scope.spawn(|| poll(&mut pin!(reads), Waker::noop()));
            has_begun.recv().unwrap();
            let said = report();
            drop(returns);
            assert!(thread.join().is_err());
            said
        })
    });
    let is_at = format!("  at       {}:", file!());
    for right in [
        "task 1 \"reads a config\" is panicking: \"a bad config\".",
        &is_at,
    ] {
        assert!(said.contains(right), "{said}");
    }
    assert!(!said.contains("poll does not return"), "{said}");
}
