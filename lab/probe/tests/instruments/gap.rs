//! What another thread may do in between.

use std::sync::Arc;

#[test]
fn another_thread_comes_before_the_sleep_begins() {
    let shared = Arc::new((why_pending::Mutex::new(false), why_pending::Condvar::new()));
    let other = Arc::clone(&shared);
    let notifies = move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    };
    let waits = || *shared.1.wait(shared.0.lock().unwrap()).unwrap();
    assert!(why_pending::before_sleep(notifies, waits));
}
