//! What a thread and a process cost.

use std::time::Duration;

use why_pending::{cpu_time, thread_cpu_time};
#[cfg(target_os = "linux")]
use why_pending::{thread_status, thread_statuses};

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

#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_has_slept_is_found_among_all_with_one_sleep_more() {
    let sleeper = std::thread::Builder::new().name("a sleeper".to_owned());
    let (begin, begun) = std::sync::mpsc::channel::<()>();
    let (tell, told) = std::sync::mpsc::channel();
    let sleeper = sleeper.spawn(move || {
        tell.send(thread_status().unwrap()).unwrap();
        begun.recv().unwrap();
        thread_status().unwrap()
    });
    let before = told.recv().unwrap();
    assert_eq!((&*before.name, before.state), ("a sleeper", 'R'));
    // It waits for this thread, so it falls asleep sooner or later.
    let falls_asleep = || {
        loop {
            let all = thread_statuses().unwrap();
            let same = all.iter().find(|status| status.id == before.id);
            let now = same.expect("it has not ended");
            if now.state == 'S' && now.sleeps > before.sleeps {
                break;
            }
            std::thread::yield_now();
        }
    };
    why_pending::within(Duration::from_secs(20), falls_asleep);
    begin.send(()).unwrap();
    let after = sleeper.unwrap().join().unwrap();
    assert!(after.sleeps > before.sleeps);
    let all = thread_statuses().unwrap();
    assert!(all.iter().all(|status| status.id != before.id));
}
