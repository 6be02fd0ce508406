//! How a check waits for the code that it tests: never without a limit.

use std::{fmt::Display, panic, thread, time::Duration};

/// Whether this comes true within a second or two. It is asked a thousand times rather than until a clock says so, because on a
/// busy machine each time takes longer, too.
pub fn comes_true(mut happened: impl FnMut() -> bool) -> bool {
    (0..1_000).any(|_| {
        let is_over = happened();
        if !is_over {
            thread::sleep(Duration::from_millis(1));
        }
        is_over
    })
}

/// Waits until this comes true, and panics with the sentence that says what did not happen.
#[track_caller]
pub fn until(sentence: impl Display, happened: impl FnMut() -> bool) {
    assert!(comes_true(happened), "{sentence}");
}

/// What `act` returns on a thread of its own. If it does not return, the thread is left behind, and this panics with the sentence.
/// If it panics, so does this.
#[track_caller]
pub fn returned<T: Send + 'static>(
    sentence: impl Display,
    act: impl FnOnce() -> T + Send + 'static,
) -> T {
    let acting = thread::spawn(act);
    until(sentence, || acting.is_finished());
    let result = acting.join();
    result.unwrap_or_else(|panicked| panic::resume_unwind(panicked))
}
