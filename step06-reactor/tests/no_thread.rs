//! Version 1 when the operating system has no thread left.
//!
//! It has none left in a process of its own, whose memory is limited to a few stacks.
#![cfg(all(target_os = "linux", not(miri)))]

use std::{
    env,
    process::{self, Command},
    thread,
    time::Duration,
};

use futures::{executor::block_on, future::select_all};
use step06_reactor::{Reactor, Timer, TimerError};

const NAME: &str = "no_thread::a_timer_for_which_no_thread_is_left_ends_with_an_error";
const MIB: usize = 1 << 20;
const STACK: usize = 256 * MIB;

#[test]
fn a_timer_for_which_no_thread_is_left_ends_with_an_error() {
    if env::var_os("FEW_THREADS").is_some() {
        return limited();
    }
    // The threads of the test, of its end and of the reactor, and two timers. Half a stack is left for the rest.
    let kib = (5 * STACK + STACK / 2) / 1024;
    let limit = format!("ulimit -v {kib} && exec \"$0\" --exact {NAME}");
    let ran = Command::new("sh")
        .arg("-c")
        .arg(limit)
        .arg(env::current_exe().unwrap())
        .env("FEW_THREADS", "")
        .env("RUST_MIN_STACK", STACK.to_string())
        // Else glibc reserves address space for each thread that allocates.
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{printed}");
    assert!(printed.contains("test result: ok. 1 passed"), "{printed}");
}

fn limited() {
    // Not `within`, whose watchdog needs one more thread to speak.
    thread::spawn(|| {
        thread::sleep(Duration::from_secs(20));
        process::exit(1);
    });
    let before = probe::threads().unwrap();
    let reactor = Reactor::with_thread_per_timer();
    let short = || Timer::new(&reactor, Duration::from_millis(1));
    let timers = (0..5).map(|_| Timer::new(&reactor, Duration::from_secs(3_600)));
    let (result, _, others) = block_on(select_all(timers));
    assert_eq!(result, Err(TimerError::NoThread));

    // What could not be started is not counted.
    assert_eq!(block_on(short()), Err(TimerError::NoThread));
    let threads = probe::threads().unwrap() - before;
    probe::wait_until(|| Reactor::threads_started() == threads);

    // And once there is room again, the next timer gets its thread.
    drop(others);
    probe::wait_until(|| block_on(short()).is_ok());
}
