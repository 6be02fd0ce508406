//! What a thread and a process cost.

use std::time::Duration;

use probe::{cpu_time, thread_cpu_time};

#[test]
fn a_thread_that_works_is_charged_and_one_that_sleeps_is_not() {
    let start = thread_cpu_time();
    while thread_cpu_time() - start < Duration::from_millis(5) {}

    let start = thread_cpu_time();
    std::thread::sleep(Duration::from_millis(20));
    assert!(thread_cpu_time() - start < Duration::from_millis(10));
}

#[test]
fn what_a_thread_uses_its_process_uses() {
    let (process, thread) = (cpu_time(), thread_cpu_time());
    while thread_cpu_time() - thread < Duration::from_millis(5) {}
    assert!(cpu_time() - process >= Duration::from_millis(4));
}
